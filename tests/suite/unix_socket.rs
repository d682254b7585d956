//! `--listen unix:/path`: a Unix-domain socket and its path.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use tempfile::{TempDir, tempdir};

use crate::child_process::{assert_rejected, wait_until};
use crate::executable::{Server, command};
use crate::healthcheck::{assert_healthy, check};
use crate::wire::Connection;

/// The path of a Unix-domain socket that does not exist yet, with its folder, which is removed on drop,
/// and its option. A path in `target/` can be too long for a socket (unix(7)).
pub fn socket_path() -> (TempDir, PathBuf, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("socket");
    let listen = format!("unix:{}", path.display());
    (folder, path, listen)
}

/// The bytes that a server sends in response to `request` until it closes the connection.
pub fn exchange(path: &Path, request: &str) -> Vec<u8> {
    let mut stream = UnixStream::connect(path).expect("a connection");
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("the server closes");
    response
}

#[test]
fn a_unix_socket_serves_beside_tcp_and_is_removed_at_the_end() {
    let (_folder, path, listen) = socket_path();
    let mut server = Server::start(&["--listen", &listen]);
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    let response = exchange(&path, "GET / HTTP/1.0\r\nHost: a\r\n\r\n");
    assert!(response.starts_with(b"HTTP/1.0 200 OK\r\n"));
    assert_healthy(check(&listen));
    server.signal(Signal::TERM);
    assert!(server.wait().0.success());
    assert!(!path.exists());
}

#[test]
fn a_unix_socket_is_replaced_only_if_no_process_serves_it() {
    let (_folder, path, listen) = socket_path();
    let mut first = Server::start(&["--listen", &listen]);
    assert_rejected(command(&["--listen", &listen]), 1, &["in use"]);
    first.signal(Signal::KILL);
    first.wait();
    assert!(path.exists());
    Server::start(&["--listen", &listen]);
}

#[test]
fn a_drain_does_not_remove_the_socket_of_the_next_instance() {
    let (_folder, path, listen) = socket_path();
    // A partial request keeps the first instance from ending, for up to a tenth of the drain limit.
    let limits = ["--drain-timeout", "10m", "--header-timeout", "5m"];
    let mut first = Server::start(&[&["--listen", &listen], &limits[..]].concat());
    let mut connection = Connection::open(first.address);
    connection.send("GET /healthz HTTP/1.1\r\n");
    first.signal(Signal::TERM);
    wait_until("the removal of the path", || !path.exists());
    let _second = Server::start(&["--listen", &listen]);
    connection.send("Host: a\r\n\r\n");
    assert_eq!(connection.reply().unwrap().status, 200);
    assert!(first.wait().0.success());
    assert_healthy(check(&listen));
}

#[test]
fn an_instance_that_ends_does_not_remove_a_socket_that_replaced_its_own() {
    let (_folder, path, listen) = socket_path();
    let mut first = Server::start(&["--listen", &listen]);
    fs::remove_file(&path).unwrap();
    let _second = Server::of(command(&["--listen", &listen]));
    first.signal(Signal::TERM);
    assert!(first.wait().0.success());
    assert_healthy(check(&listen));
}
