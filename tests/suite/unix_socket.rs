//! `--listen unix:/path`: a Unix-domain socket and its path.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::executable::{DEADLINE, Server, command, socket_path};
use crate::healthcheck::health;
use crate::wire::Connection;

#[test]
fn a_unix_socket_serves_beside_tcp_and_is_gone_afterwards() {
    let path = socket_path("serves");
    let listen = format!("unix:{}", path.display());
    let mut server = Server::start(&["--listen", &listen]);
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\nHost: a\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.0 200 OK\r\n"));
    assert_eq!(health(&listen).status.code(), Some(0));
    server.signal("TERM");
    assert!(server.wait().0.success());
    assert!(!path.exists());
}

#[test]
fn an_abandoned_unix_socket_is_replaced_and_a_served_one_is_not() {
    let path = socket_path("abandoned");
    let listen = format!("unix:{}", path.display());
    let mut first = Server::start(&["--listen", &listen]);
    let output = command(&["--listen", &listen]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    first.signal("KILL");
    first.wait();
    assert!(path.exists());
    let mut second = Server::start(&["--listen", &listen]);
    second.signal("TERM");
    assert!(second.wait().0.success());
}

#[test]
fn a_drain_leaves_the_socket_of_the_next_instance_alone() {
    let path = socket_path("replaced");
    let listen = format!("unix:{}", path.display());
    let mut first = Server::start(&["--listen", &listen]);
    // A partial request keeps the first instance from ending.
    let mut connection = Connection::open(first.address);
    connection.send("GET /healthz HTTP/1.1\r\n");
    first.signal("TERM");
    let begun = Instant::now();
    while path.exists() {
        assert!(begun.elapsed() < DEADLINE, "the path is not removed");
        thread::sleep(Duration::from_millis(5));
    }
    let second = Server::start(&["--listen", &listen]);
    connection.send("Host: a\r\n\r\n");
    assert_eq!(connection.reply().unwrap().status, 200);
    assert!(first.wait().0.success());
    assert_eq!(health(&listen).status.code(), Some(0));
    drop(second);
    let _ = fs::remove_file(path);
}

#[test]
fn a_socket_is_not_left_behind_where_another_address_is_taken() {
    let path = socket_path("left");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let _holder = TcpListener::bind(taken).unwrap();
    let listen = format!("unix:{}", path.display());
    let output = command(&["--listen", &listen, "--listen", &taken.to_string()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!path.exists());
}

#[test]
fn an_ending_instance_leaves_a_socket_alone_that_replaced_its_own() {
    let path = socket_path("taken-over");
    let listen = format!("unix:{}", path.display());
    let mut first = Server::start(&["--listen", &listen]);
    fs::remove_file(&path).unwrap();
    let second = Server::start(&["--listen", &listen]);
    first.signal("TERM");
    assert!(first.wait().0.success());
    assert_eq!(health(&listen).status.code(), Some(0));
    drop(second);
    let _ = fs::remove_file(path);
}
