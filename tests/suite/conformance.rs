//! HTTP.md lines 3, 13, 18 to 20 and RFC 9112 over a real socket against the
//! executable: raw bytes in, raw bytes out, for what a client library hides.

use crate::conversation::Then::{Closed, Open};
use crate::conversation::assert_cases;
use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn pipelined_requests_are_answered_in_their_order() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    let requests = ["/healthz", "/none", "/privacy", "/healthz", "/robots.txt"];
    let heads = requests.map(|path| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
    connection.send(heads.concat());
    let replies = requests.map(|_| connection.reply().expect("an answer"));
    for (path, reply) in requests.iter().zip(&replies) {
        let alone = Connection::open(server.address).get(path);
        assert_eq!((reply.status, &reply.content), (alone.status, &alone.content), "{path}");
    }
}

#[test]
fn a_head_may_come_in_any_pieces() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    let head = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    for cut in 1..head.len() {
        connection.send(&head[..cut]);
        connection.send(&head[cut..]);
        assert_eq!(connection.reply().expect("an answer").content, b"ok\n", "cut at {cut}");
    }
    for byte in head.as_bytes() {
        connection.send([*byte]);
    }
    assert_eq!(connection.reply().expect("an answer").status, 200);
}

#[test]
fn targets_of_every_form() {
    assert_cases(&[
        ("origin", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("absolute", "GET http://b.example/ HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("absolute, empty path", "GET http://b HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("absolute, no Host", "GET http://b/ HTTP/1.1\r\n\r\n", &[400], Open),
        ("authority", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", &[405], Open),
        ("authority of GET", "GET a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", &[400], Open),
        ("asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", &[204], Open),
        ("asterisk of GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Open),
        ("climbing", "GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", &[404], Open),
        ("a fragment", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("none", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
        ("two", "GET / / HTTP/1.1\r\nHost: a\r\n\r\n", &[400], Closed),
    ]);
}

#[test]
fn http_1_1_has_exactly_one_host() {
    assert_cases(&[
        ("none", "GET / HTTP/1.1\r\n\r\n", &[400], Open),
        ("two", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", &[400], Open),
        ("a list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", &[400], Open),
        ("empty", "GET / HTTP/1.1\r\nHost:\r\n\r\n", &[200], Open),
        ("with a port", "GET / HTTP/1.1\r\nHost: a:80\r\n\r\n", &[200], Open),
        ("IPv6", "GET / HTTP/1.1\r\nhOsT: [::1]:80\r\n\r\n", &[200], Open),
    ]);
}

#[test]
fn a_connection_lasts_as_long_as_the_client_wishes() {
    assert_cases(&[
        ("1.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", &[200], Open),
        ("1.1, close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", &[200], Closed),
        (
            "1.1, a list",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n",
            &[200],
            Closed,
        ),
        (
            "close, and a request behind it",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            &[200],
            Closed,
        ),
        (
            "1.1 with another protocol in mind",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\
             Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n",
            &[200],
            Open,
        ),
    ]);
}

#[test]
fn http_1_0_gets_its_version_and_its_end() {
    let server = Server::start(&[]);
    for (fields, stays) in
        [("", false), ("Host: a\r\n", false), ("Connection: keep-alive\r\n", true)]
    {
        let mut connection = Connection::open(server.address);
        connection.send(format!("GET /healthz HTTP/1.0\r\n{fields}\r\n"));
        let reply = connection.reply().expect("an answer");
        assert_eq!((reply.version.as_str(), reply.status), ("HTTP/1.0", 200), "{fields}");
        assert_eq!(reply.field("connection"), stays.then_some("keep-alive"), "{fields}");
        if stays {
            assert_eq!(connection.get("/healthz").status, 200);
        } else {
            assert!(connection.ends_here(), "{fields}");
        }
    }
}

#[test]
fn a_client_that_has_sent_all_still_gets_all() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    let head = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n";
    connection.send(head.repeat(40));
    connection.send_no_more();
    for number in 0..40 {
        let reply = connection.reply().unwrap_or_else(|error| panic!("answer {number}: {error}"));
        assert_eq!(reply.status, 200);
    }
    assert!(connection.ends_here());
}

#[test]
fn answers_without_content_do_not_claim_any() {
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
        let head = connection.head().expect("an answer");
        assert_eq!(head.status, status, "{request}");
        assert_eq!(head.field("content-length").is_some(), has_length, "{request}: {head:?}");
        assert_eq!(head.field("transfer-encoding"), None, "{request}");
    }
    // Had one of them content, it would stand before this.
    assert_eq!(connection.get("/healthz").content, b"ok\n");
}
