//! HTTP.md line 19 and RFC 9112 over a real socket: where a message begins and
//! ends, and what is said to bytes that are none.

use crate::conversation::Then::{Closed, Open};
use crate::conversation::assert_cases;
use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn what_does_not_parse_is_a_bad_request_and_the_end() {
    assert_cases(&[
        ("obs-fold", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", &[400], Closed),
        ("space before a colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", &[400], Closed),
        ("no colon", "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n", &[400], Closed),
        ("an empty name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", &[400], Closed),
        ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n", &[400], Closed),
        ("a bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", &[400], Closed),
        ("NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
        ("a leading space", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
        ("HTTP/0.9", "GET /\r\n\r\n", &[400], Closed),
        ("a version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
        ("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", &[400], Closed),
        ("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", &[400], Closed),
        ("a TLS greeting", "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03", &[400], Closed),
        ("words", "hello, is anybody there?\r\n\r\n", &[400], Closed),
        ("SSH", "SSH-2.0-OpenSSH_9.6\r\n", &[400], Closed),
        // RFC 9113 §3.4: a client that needs HTTP/2 takes this for a refusal.
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", &[], Closed),
    ]);
}

#[test]
fn lines_may_end_as_robust_servers_allow() {
    assert_cases(&[
        ("bare LF", "GET / HTTP/1.1\nHost: a\n\n", &[200], Open),
        ("empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("tabs around a value", "GET / HTTP/1.1\r\nHost:\t a \t\r\n\r\n", &[200], Open),
        ("8-bit bytes in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: ä\r\n\r\n", &[200], Open),
    ]);
}

#[test]
fn the_end_of_a_message_is_never_in_doubt() {
    assert_cases(&[
        (
            "two lengths",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            &[400],
            Closed,
        ),
        (
            "a list of lengths",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\nab",
            &[400],
            Closed,
        ),
        (
            "a signed length",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
            &[400],
            Closed,
        ),
        (
            "a length beyond any number",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\na",
            &[400],
            Closed,
        ),
        (
            "a coding that does not end",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
            &[400],
            Closed,
        ),
        (
            "chunked is not the last coding",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
            &[400],
            Closed,
        ),
        (
            "chunked in HTTP/1.0",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            &[400],
            Closed,
        ),
        // RFC 9112 §6.3: Transfer-Encoding counts, and the connection ends.
        (
            "both",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n\
             0\r\n\r\nGET /privacy HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200],
            Closed,
        ),
        (
            "chunks that are none",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n\
             GET /privacy HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200],
            Closed,
        ),
    ]);
}

#[test]
fn content_that_nobody_asked_for_is_not_taken_for_a_request() {
    assert_cases(&[
        (
            "a request as content",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 34\r\n\r\n\
             GET /privacy HTTP/1.1\r\nHost: a\r\n\r\n\
             GET /none HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200, 404],
            Open,
        ),
        ("a form", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na=b", &[405], Open),
        (
            "chunks in one piece",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
            &[405],
            Closed,
        ),
    ]);
}

#[test]
fn content_is_not_called_for() {
    assert_cases(&[
        (
            "for a method that is refused",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
            &[405],
            Closed,
        ),
        (
            "for GET",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
            &[200],
            Closed,
        ),
        (
            "where there is none",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            &[200],
            Open,
        ),
        (
            "another expectation",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n",
            &[200],
            Open,
        ),
    ]);
}

#[test]
fn a_head_that_is_too_large_is_refused_by_its_part() {
    let long = |count: usize| "a".repeat(count);
    let fields: String = (0..101).map(|number| format!("X-{number}: a\r\n")).collect();
    assert_cases(&[
        ("414", &format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", long(8192)), &[414], Open),
        (
            "414, longer",
            &format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", long(66_000)),
            &[414],
            Closed,
        ),
        (
            "431, one",
            &format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", long(200_000)),
            &[431],
            Closed,
        ),
        ("431, many", &format!("GET / HTTP/1.1\r\nHost: a\r\n{fields}\r\n"), &[431], Closed),
        ("no end at all", &long(200_000), &[431], Closed),
        (
            "a long field",
            &format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", long(60_000)),
            &[200],
            Open,
        ),
    ]);
}

#[test]
fn a_refusal_reaches_a_client_that_is_still_sending() {
    let server = Server::start(&[]);
    for length in [100_000, 8_000_000] {
        let mut connection = Connection::open(server.address);
        connection.send(format!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n"));
        connection.send(vec![b'a'; length]);
        let reply = connection.reply().expect("an answer");
        assert_eq!((reply.status, reply.field("connection")), (405, Some("close")));
        assert!(connection.ends_here());
    }
}
