//! WIRE-18, WIRE-19 and RFC 9112 over a socket: the boundaries of messages, and the
//! responses to malformed messages.

use crate::conversation::Then::{Closed, Open};
use crate::conversation::assert_cases;
use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn a_malformed_head_gets_400_and_the_connection_is_closed_unless_rfc_9112_tolerates_it() {
    assert_cases(&[
        ("obs-fold", "GET / HTTP/1.1|Host: a|X: b| c||", &[400], Closed),
        ("space before a colon", "GET / HTTP/1.1|Host : a||", &[400], Closed),
        ("NUL in a value", "GET / HTTP/1.1|Host: a|X: b\0c||", &[400], Closed),
        ("NUL in the target", "GET /\0 HTTP/1.1|Host: a||", &[400], Closed),
        ("HTTP/0.9", "GET /||", &[400], Closed),
        ("a TLS ClientHello", "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03", &[400], Closed),
        ("HTTP/2", "PRI * HTTP/2.0||SM||\0\0\0\x04\0\0\0\0\0", &[], Closed),
        ("bare LF", "GET / HTTP/1.1\nHost: a\n\n", &[200], Open),
        ("empty lines first", "||GET / HTTP/1.1|Host: a||", &[200], Open),
        ("tabs around a value", "GET / HTTP/1.1|Host:\t a \t||", &[200], Open),
        ("8-bit bytes in a value", "GET / HTTP/1.1|Host: a|X: ä||", &[200], Open),
    ]);
}

/// An ambiguous length is rejected. RFC 9112 §6.3: Transfer-Encoding overrides Content-Length, and the
/// connection is closed.
#[test]
fn content_is_never_asked_for_or_parsed_as_a_request() {
    const LENGTHS: &str = "Content-Length: 1|Content-Length: 2||ab";
    const BOTH: &str = "Content-Length: 5|Transfer-Encoding: chunked||0||";
    const NEXT: &str = "GET /privacy HTTP/1.1|Host: a||";
    const CHUNKED: &str = "Transfer-Encoding: chunked||";
    let get = |rest: &[&str]| format!("GET / HTTP/1.1|Host: a|{}", rest.concat());
    let post = |rest: &[&str]| format!("POST / HTTP/1.1|Host: a|{}", rest.concat());
    let content = ["Content-Length: 34||", NEXT, "GET /none HTTP/1.1|Host: a||"];
    assert_cases(&[
        ("two lengths", &post(&[LENGTHS]), &[400], Closed),
        ("chunked is not last", &post(&["Transfer-Encoding: chunked, gzip||"]), &[400], Closed),
        ("chunked in 1.0", &format!("POST / HTTP/1.0|{CHUNKED}0||"), &[400], Closed),
        ("length and chunks", &get(&[BOTH, NEXT]), &[200], Closed),
        ("malformed chunks", &get(&[CHUNKED, "zz|ab|", NEXT]), &[200], Closed),
        ("a request as content", &get(&content), &[200, 404], Open),
        ("a form", &post(&["Content-Length: 3||a=b"]), &[405], Open),
        ("complete chunks", &post(&[CHUNKED, "3|a=b|0||"]), &[405], Closed),
        ("Expect", &post(&["Expect: 100-continue|Content-Length: 9||"]), &[405], Closed),
        ("Expect without content", &get(&["Expect: 100-continue||"]), &[200], Open),
    ]);
}

#[test]
fn a_head_that_is_too_large_gets_414_or_431() {
    let long = |count: usize| "a".repeat(count);
    let target_of = |bytes: usize| format!("GET /{} HTTP/1.1|Host: a||", long(bytes - 1));
    let with_fields = |count: u32| {
        let fields: String = (1..count).map(|number| format!("X-{number}: a|")).collect();
        format!("GET / HTTP/1.1|Host: a|{fields}|")
    };
    let head_of = |bytes: usize| {
        let rest = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".len();
        format!("GET / HTTP/1.1|Host: a|X: {}||", long(bytes - rest))
    };
    assert_cases(&[
        ("414", &target_of(8193), &[414], Open),
        ("431, a target above the limit of a head", &target_of(17_000), &[431], Closed),
        ("431, a head above the limit", &head_of(16 * 1024 + 1), &[431], Closed),
        ("431, 101 fields", &with_fields(101), &[431], Closed),
        ("100 fields", &with_fields(100), &[200], Open),
        ("431, a request line without an end", &long(200_000), &[431], Closed),
        ("a head within the limit", &head_of(16 * 1024), &[200], Open),
    ]);
}

#[test]
fn an_error_response_reaches_a_client_that_is_still_sending() {
    let server = Server::start(&[]);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    for (fields, length) in [("", 100_000), ("", 2_000_000), (upgrade, 3_000_000)] {
        let head =
            format!("POST / HTTP/1.1\r\nHost: a\r\n{fields}Content-Length: {length}\r\n\r\n");
        let mut connection = Connection::open(server.address);
        connection.send(head);
        connection.send(vec![b'a'; length]);
        let reply = connection.reply().expect("a response");
        assert_eq!((reply.status, reply.field("connection")), (405, Some("close")));
        assert!(connection.ends_here());
    }
}
