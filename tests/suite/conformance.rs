//! WIRE-3, WIRE-13, WIRE-18, WIRE-19, WIRE-20 and RFC 9112 over a socket, in raw
//! bytes: cases that an HTTP client library cannot send or does not show.

use std::net::Shutdown;

use crate::conversation::Then::{Closed, Open};
use crate::conversation::assert_cases;
use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn a_head_may_arrive_in_pieces() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    let head = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    for cut in 1..head.len() {
        connection.send(&head[..cut]);
        connection.send(&head[cut..]);
        assert_eq!(connection.reply().expect("a response").content, b"ok\n", "cut at {cut}");
    }
    for byte in head.as_bytes() {
        connection.send([*byte]);
    }
    assert_eq!(connection.reply().expect("a response").status, 200);
}

#[test]
fn each_form_of_request_target_gets_its_status() {
    assert_cases(&[
        ("absolute", "GET http://b.example/ HTTP/1.1|Host: a||", &[200], Open),
        ("absolute, no Host", "GET http://b/ HTTP/1.1||", &[400], Open),
        ("authority", "CONNECT a:443 HTTP/1.1|Host: a:443||", &[405], Open),
        // RFC 9112 §3.2: the asterisk form is only for OPTIONS, the authority form for CONNECT.
        ("authority of GET", "GET a:443 HTTP/1.1|Host: a:443||", &[400], Open),
        ("asterisk", "OPTIONS * HTTP/1.1|Host: a||", &[204], Open),
        ("name of GET", "GET a.example HTTP/1.1|Host: a||", &[400], Open),
        ("asterisk of GET", "GET * HTTP/1.1|Host: a||", &[400], Open),
        ("a fragment", "GET /#a HTTP/1.1|Host: a||", &[200], Open),
        ("an empty target", "GET  HTTP/1.1|Host: a||", &[400], Closed),
        ("two targets", "GET / / HTTP/1.1|Host: a||", &[400], Closed),
    ]);
}

#[test]
fn a_connection_is_kept_until_the_client_asks_to_close_it() {
    let upgrade = "GET / HTTP/1.1|Host: a|Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|\
                   HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA||";
    assert_cases(&[
        ("1.1", "GET / HTTP/1.1|Host: a||", &[200], Open),
        ("close", "GET / HTTP/1.1|Host: a|Connection: close||", &[200], Closed),
        ("a list", "GET / HTTP/1.1|Host: a|Connection: x, CLOSE||", &[200], Closed),
        ("an upgrade to HTTP/2", upgrade, &[200], Open),
    ]);
}

#[test]
fn http_1_0_gets_its_own_version_and_is_closed_unless_keep_alive_is_requested() {
    let server = Server::start(&[]);
    for (fields, is_kept) in
        [("", false), ("Host: a\r\n", false), ("Connection: keep-alive\r\n", true)]
    {
        let mut connection = Connection::open(server.address);
        connection.send(format!("GET /healthz HTTP/1.0\r\n{fields}\r\n"));
        let reply = connection.reply().expect("a response");
        assert_eq!((reply.version.as_str(), reply.status), ("HTTP/1.0", 200), "{fields}");
        assert_eq!(reply.field("connection"), is_kept.then_some("keep-alive"), "{fields}");
        if is_kept {
            assert_eq!(connection.get("/healthz").status, 200);
        } else {
            assert!(connection.ends_here(), "{fields}");
        }
    }
}

#[test]
fn a_client_that_half_closes_gets_all_responses() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    let head = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n";
    connection.send(head.repeat(40));
    connection.stream.shutdown(Shutdown::Write).expect("an open connection");
    for number in 0..40 {
        let reply = connection.reply().unwrap_or_else(|error| panic!("response {number}: {error}"));
        assert_eq!(reply.status, 200);
    }
    assert!(connection.ends_here());
}

#[test]
fn a_response_to_head_carries_a_content_length_and_a_204_or_304_carries_none() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    for (request, status, has_length) in [
        ("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", 200, true),
        ("HEAD /none HTTP/1.1\r\nHost: a\r\n\r\n", 404, true),
        ("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n", 304, false),
        ("HEAD / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n", 304, false),
        ("OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 204, false),
    ] {
        connection.send(request);
        let head = connection.head().expect("a response");
        assert_eq!((head.status, head.field("date").is_some()), (status, true), "{request}");
        assert_eq!(head.field("content-length").is_some(), has_length, "{request}: {head:?}");
        assert_eq!(head.field("transfer-encoding"), None, "{request}");
    }
    // Content of an earlier response would appear before this one.
    assert_eq!(connection.get("/healthz").content, b"ok\n");
}
