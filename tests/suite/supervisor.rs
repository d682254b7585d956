//! What containers and systemd ask of a service: health, Unix-domain sockets,
//! handed-over sockets, readiness.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::executable::{FREE_PORT, PATIENCE, Server, command, signal};
use crate::wire::Connection;

/// The path of a socket that does not exist yet.
fn socket_path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("recipelog-{name}-{}.sock", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn health(address: &str) -> Output {
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
    // They take connections and never answer.
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let path = socket_path("silent");
    let _unix = UnixListener::bind(&path).unwrap();
    for address in [tcp.local_addr().unwrap().to_string(), format!("unix:{}", path.display())] {
        let begun = Instant::now();
        let output = health(&address);
        assert_eq!(output.status.code(), Some(1));
        assert!(begun.elapsed() < Duration::from_secs(2), "{address}: {:?}", begun.elapsed());
        let console = String::from_utf8(output.stderr).unwrap();
        assert!(console.contains("does not answer within"), "{console}");
    }
    fs::remove_file(path).unwrap();
}

/// A machine may be frozen at any moment, or a container be paused.
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
    // A request under way keeps the first one from ending.
    let mut connection = Connection::open(first.address);
    connection.send("GET /healthz HTTP/1.1\r\n");
    first.signal("TERM");
    let begun = Instant::now();
    while path.exists() {
        assert!(begun.elapsed() < PATIENCE, "the path is not given back");
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

/// The server tells `notified`, which it knows by `name`, that it is ready and
/// that it ends.
fn assert_told(notified: &UnixDatagram, name: &str) {
    notified.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut said = [0; 64];
    let mut command = command(&FREE_PORT);
    command.env("NOTIFY_SOCKET", name);
    let mut server = Server::of(command);
    let length = notified.recv(&mut said).unwrap();
    assert_eq!(&said[..length], b"READY=1");
    server.signal("TERM");
    let length = notified.recv(&mut said).unwrap();
    assert_eq!(&said[..length], b"STOPPING=1");
    assert!(server.wait().0.success());
}

#[test]
fn readiness_and_the_drain_are_told_to_whoever_asked() {
    let path = socket_path("notify");
    let notified = UnixDatagram::bind(&path).unwrap();
    assert_told(&notified, path.to_str().unwrap());
    fs::remove_file(path).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn readiness_is_told_to_an_abstract_socket_too() {
    use std::os::linux::net::SocketAddrExt;
    let name = format!("recipelog-notify-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let notified = UnixDatagram::bind_addr(&address).unwrap();
    assert_told(&notified, &format!("@{name}"));
}

#[test]
fn a_handed_over_socket_is_served_instead_of_the_default_port() {
    // A shell stands in for systemd: the socket comes as its standard input,
    // goes on as number 3, and LISTEN_PID names the process that it becomes.
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let mut handed = Command::new("/bin/sh");
    let script = "exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" \"$@\"";
    handed.args(["-c", script, env!("CARGO_BIN_EXE_recipelog-site")]);
    handed.env_clear().stdin(OwnedFd::from(socket));
    let mut server = Server::of(handed);
    assert_eq!(server.address, address);
    assert_eq!(Connection::open(address).get("/privacy").status, 200);
    server.signal("TERM");
    assert!(server.wait().0.success());
}
