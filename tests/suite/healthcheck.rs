//! `recipelog-site healthcheck`, for images without a shell or curl.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::executable::{Server, command, signal, socket_path};

pub fn health(address: &str) -> Output {
    command(&["healthcheck", "--listen", address]).output().expect("the executable starts")
}

#[test]
fn the_health_check_tells_a_server_that_serves_from_one_that_does_not() {
    let server = Server::start(&[]);
    assert_eq!(health(&server.address.to_string()).status.code(), Some(0));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = health(&closed.to_string());
    assert_eq!(output.status.code(), Some(1));
    let console = String::from_utf8(output.stderr).unwrap();
    assert!(console.contains("does not answer") && console.lines().count() == 1, "{console}");
}

#[test]
fn the_health_check_gives_up_within_two_seconds() {
    // They accept connections and never answer.
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let path = socket_path("silent");
    let _unix = UnixListener::bind(&path).unwrap();
    for address in [tcp.local_addr().unwrap().to_string(), format!("unix:{}", path.display())] {
        let output = health(&address);
        assert_eq!(output.status.code(), Some(1));
        let console = String::from_utf8(output.stderr).unwrap();
        assert!(console.contains("does not answer within 1.8s"), "{console}");
    }
    fs::remove_file(path).unwrap();
}

/// A container may be paused at any moment.
#[test]
fn the_health_check_survives_being_stopped_and_continued() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap().to_string();
    let mut command = command(&["healthcheck", "--listen", &address]);
    let process = command.stderr(Stdio::piped()).spawn().unwrap();
    let (mut stream, _) = server.accept().unwrap();
    stream.read_exact(&mut [0; 4]).unwrap();
    // By now it waits for the answer, or soon does.
    thread::sleep(Duration::from_millis(50));
    signal(&process, "STOP");
    signal(&process, "CONT");
    thread::sleep(Duration::from_millis(50));
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_health_check_waits_for_the_whole_status_line_and_shows_it_without_control_characters() {
    for (said, code) in [("HTTP/1.1 200 OK\r\n", 0), ("HTTP/1.1 503 \x1b[31mno\r\n", 1)] {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap().to_string();
        let slow = thread::spawn(move || {
            let (mut stream, _) = server.accept().unwrap();
            for byte in said.bytes() {
                stream.write_all(&[byte]).unwrap();
                thread::sleep(Duration::from_millis(5));
            }
        });
        let output = health(&address);
        slow.join().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(!output.stderr.contains(&0x1b), "{output:?}");
    }
}

#[test]
fn the_health_check_reads_the_same_variables_as_the_server() {
    let server = Server::start(&[]);
    let port = server.address.port().to_string();
    let output = command(&["healthcheck"]).env("PORT", port).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let listen = server.address.to_string();
    let output = command(&["healthcheck"]).env("LISTEN", listen).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_health_check_of_all_interfaces_tries_both_loopback_addresses() {
    // It serves no IPv6, as on a machine without `::1`.
    let server = Server::start(&[]);
    let output = health(&format!("[::]:{}", server.address.port()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
