//! WIRE-18, WIRE-19 and RFC 9112 over a socket: the boundaries of messages, and the
//! responses to malformed messages.

use crate::conversation::Then::{Closed, Open};
use crate::conversation::assert_cases;
use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn a_malformed_head_gets_400_and_the_connection_is_closed() {
    assert_cases(&[
        ("obs-fold", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", &[400], Closed),
        ("space before a colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", &[400], Closed),
        ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n", &[400], Closed),
        ("NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
        ("HTTP/0.9", "GET /\r\n\r\n", &[400], Closed),
        ("a TLS ClientHello", "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03", &[400], Closed),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", &[], Closed),
    ]);
}

#[test]
fn deviations_that_rfc_9112_tolerates_are_accepted() {
    assert_cases(&[
        ("bare LF", "GET / HTTP/1.1\nHost: a\n\n", &[200], Open),
        ("empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("tabs around a value", "GET / HTTP/1.1\r\nHost:\t a \t\r\n\r\n", &[200], Open),
        ("8-bit bytes in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: ä\r\n\r\n", &[200], Open),
    ]);
}

#[test]
fn ambiguous_content_lengths_are_rejected() {
    assert_cases(&[
        (
            "two lengths",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
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
        // RFC 9112 §6.3: Transfer-Encoding overrides Content-Length, and the
        // connection is closed.
        (
            "Content-Length and Transfer-Encoding",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n\
             0\r\n\r\nGET /privacy HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200],
            Closed,
        ),
        (
            "malformed chunks",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n\
             GET /privacy HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200],
            Closed,
        ),
    ]);
}

#[test]
fn content_is_not_parsed_as_a_further_request() {
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
            "complete chunks",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n0\r\n\r\n",
            &[405],
            Closed,
        ),
    ]);
}

#[test]
fn no_100_continue_is_sent() {
    assert_cases(&[
        (
            "with a method that gets 405",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
            &[405],
            Closed,
        ),
        (
            "without content",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            &[200],
            Open,
        ),
    ]);
}

#[test]
fn a_head_that_is_too_large_gets_414_or_431() {
    let long = |count: usize| "a".repeat(count);
    let with_fields = |count: u32| {
        let fields: String = (1..count).map(|number| format!("X-{number}: a\r\n")).collect();
        format!("GET / HTTP/1.1\r\nHost: a\r\n{fields}\r\n")
    };
    let head_of = |bytes: usize| {
        let rest = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".len();
        format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", long(bytes - rest))
    };
    assert_cases(&[
        ("414", &format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", long(8192)), &[414], Open),
        (
            "431, a target above the limit of a head",
            &format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", long(66_000)),
            &[431],
            Closed,
        ),
        ("431, a head above the limit", &head_of(64 * 1024 + 1), &[431], Closed),
        ("431, 101 fields", &with_fields(101), &[431], Closed),
        ("100 fields", &with_fields(100), &[200], Open),
        ("431, a request line without an end", &long(200_000), &[431], Closed),
        ("a head within the limit", &head_of(64 * 1024), &[200], Open),
    ]);
}

#[test]
fn an_error_response_reaches_a_client_that_is_still_sending() {
    let server = Server::start(&[]);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    for (fields, length) in [("", 100_000), ("", 2_000_000), (upgrade, 3_000_000)] {
        let head =
            format!("POST / HTTP/1.1\r\nHost: a\r\n{fields}Content-Length: {length}\r\n\r\n");
        let reply = Connection::exchange(server.address, &head, &vec![b'a'; length]);
        assert_eq!((reply.status, reply.field("connection")), (405, Some("close")));
    }
}
