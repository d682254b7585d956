//! HTTP.md line 27: what a panic ends. Only a debug build has one to offer.
#![cfg(debug_assertions)]

use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn a_panic_is_logged_and_ends_its_own_connection_only() {
    let server = Server::start(&[]);
    let mut other = Connection::open(server.address);
    assert_eq!(other.get("/healthz").status, 200);
    for _ in 0..3 {
        let mut connection = Connection::open(server.address);
        connection.send("GET / HTTP/1.1\r\nHost: a\r\nFault: panic\r\n\r\n");
        assert!(connection.ends_here(), "an answer after a panic");
        let line = server.line_with("panic");
        assert!(line.contains("a fault was asked for"), "{line}");
    }
    assert_eq!(other.get("/healthz").status, 200);
    assert_eq!(Connection::open(server.address).get("/").status, 200);
    assert_eq!(server.lines(), Vec::<String>::new());
}
