//! HTTP-25: time limits on sockets.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::Signal;

#[cfg(unix)]
use crate::certified_key::TlsServer;
#[cfg(unix)]
use crate::executable::FREE_PORT;
use crate::executable::Server;
#[cfg(unix)]
use crate::http2_client::{HEADERS, PREFACE, SETTINGS, frame, get, read_frames};
use crate::wire::Connection;

/// Maximum delay by a busy machine.
const TOLERANCE: Duration = Duration::from_secs(3);

/// Asserts that the server closes the connection after about `limit`.
fn assert_ended_after(limit: Duration, begun: Instant, stream: &mut TcpStream) {
    let mut rest = Vec::new();
    let ended = stream.read_to_end(&mut rest);
    let elapsed = begun.elapsed();
    let was_reset = ended.as_ref().is_err_and(|error| error.kind() == ErrorKind::ConnectionReset);
    assert!(ended.is_ok() || was_reset, "{ended:?}");
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    assert!(elapsed >= limit.mul_f32(0.9), "too early: {elapsed:?}");
    assert!(elapsed < limit + TOLERANCE, "too late: {elapsed:?}");
}

#[test]
fn the_options_set_the_head_limit_and_the_idle_limit() {
    for (options, requests) in [
        (["--header-timeout", "200ms", "--idle-timeout", "5m"], 0),
        (["--header-timeout", "5m", "--idle-timeout", "200ms"], 1),
    ] {
        let server = Server::start(&options);
        let mut connection = Connection::open(server.address);
        for _ in 0..requests {
            connection.get("/healthz");
        }
        assert!(connection.ends_here(), "{options:?}");
    }
}

#[test]
fn an_empty_line_after_a_response_does_not_begin_the_head_limit() {
    let server = Server::start(&["--header-timeout", "300ms", "--idle-timeout", "60s"]);
    let mut connection = Connection::open(server.address);
    for end_of_line in ["\r\n", "\n"] {
        connection.get("/healthz");
        connection.send(end_of_line);
        thread::sleep(Duration::from_millis(600));
    }
    assert_eq!(connection.get("/healthz").status, 200);
    // The limit begins with the first other byte.
    connection.send("\r\n");
    thread::sleep(Duration::from_millis(400));
    let begun = Instant::now();
    connection.send("G");
    assert_ended_after(Duration::from_millis(300), begun, &mut connection.stream);
}

/// Requests more content than the socket buffers of both ends hold.
fn request_more_than_the_buffers_hold(connection: &mut Connection) {
    let head = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n";
    connection.send(head.repeat(400));
}

#[cfg(unix)]
#[test]
fn a_process_that_was_stopped_serves_what_arrived_meanwhile() {
    let limit = ["--header-timeout", "2s", "--idle-timeout", "2s", "--write-timeout", "2s"];
    let is_served = || {
        let site = TlsServer::start(&[&limit[..], &FREE_PORT].concat());
        let server = &site.server;
        let begun = Instant::now();
        let mut amid_handshake = site.begin_handshake(b"http/1.1");
        let mut before_preface = site.begin_handshake(b"h2");
        read_frames(&mut before_preface, SETTINGS).expect("the server's settings");
        let mut idle = Connection::open(server.address);
        let mut amid_head = Connection::open(server.address);
        let mut reading = Connection::open(server.address);
        let length = idle.get("/og.png").content.len();
        amid_head.send("GET /healthz HTTP/1.1\r\n");
        request_more_than_the_buffers_hold(&mut reading);
        reading.half_close();
        // The responses fill the buffers of both ends.
        server.wait_until_idle();
        server.signal(Signal::STOP);
        if begun.elapsed() > Duration::from_millis(1500) {
            return false;
        }
        idle.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        amid_head.send("Host: a\r\n\r\n");
        amid_handshake.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("a socket");
        let first = [PREFACE, &frame(SETTINGS, 0, 0, &[]), &get(1, "/healthz")].concat();
        before_preface.write_all(&first).expect("a socket");
        reading.stream.set_nonblocking(true).expect("a socket");
        let mut received = Vec::new();
        let emptied = reading.stream.read_to_end(&mut received);
        assert_eq!(emptied.expect_err("the buffers are empty").kind(), ErrorKind::WouldBlock);
        thread::sleep(Duration::from_millis(2500));
        server.signal(Signal::CONT);
        assert_eq!(idle.reply().expect("a response").status, 200);
        assert_eq!(amid_head.reply().expect("a response").status, 200);
        let mut status_line = [0; 12];
        amid_handshake.read_exact(&mut status_line).expect("a response");
        assert_eq!(&status_line, b"HTTP/1.1 200");
        read_frames(&mut before_preface, HEADERS).expect("a response");
        reading.stream.set_nonblocking(false).expect("a socket");
        reading.stream.read_to_end(&mut received).expect("all responses");
        assert!(received.len() > 400 * length, "{} of {}", received.len(), 400 * length);
        true
    };
    // On a busy machine, the limits can end before the server is stopped.
    assert!((0..5).any(|_| is_served()), "no server was stopped in time");
}

/// Such a client makes progress, so that only the minimum rate ends its connection.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_reads_below_the_minimum_rate_is_closed() {
    // Further workers would open sockets of their own after the server is ready.
    let server =
        Server::start(&["--write-timeout", "2s", "--idle-timeout", "60s", "--threads", "1"]);
    let sockets = server.open_sockets();
    let begun = Instant::now();
    let mut connection = Connection::open_from([127, 0, 0, 1], server.address, Some(2048));
    request_more_than_the_buffers_hold(&mut connection);
    loop {
        // The socket buffers hold data for minutes, so the client cannot see the
        // end. The server's list of open files shows that its socket is closed.
        let mut few = [0; 16];
        let is_reset = connection.stream.read_exact(&mut few).is_err();
        thread::sleep(Duration::from_millis(100));
        if is_reset || server.open_sockets() == sockets {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "the connection is still open");
    }
    assert!(begun.elapsed() > Duration::from_secs(2), "too early: {:?}", begun.elapsed());
}

#[test]
fn a_client_that_reads_slowly_but_steadily_gets_all_responses() {
    let server = Server::start(&["--write-timeout", "3s", "--idle-timeout", "60s"]);
    let mut connection = Connection::open(server.address);
    request_more_than_the_buffers_hold(&mut connection);
    for number in 0..400 {
        if number % 20 == 0 {
            thread::sleep(Duration::from_millis(200));
        }
        let reply = connection.reply().unwrap_or_else(|error| panic!("response {number}: {error}"));
        assert_eq!(reply.status, 200);
    }
}

#[test]
fn a_reset_during_a_response_does_not_affect_other_connections() {
    let server = Server::start(&[]);
    let mut other = Connection::open(server.address);
    for _ in 0..20 {
        let mut connection = Connection::open(server.address);
        request_more_than_the_buffers_hold(&mut connection);
        let mut first = [0; 100];
        connection.stream.read_exact(&mut first).expect("the first bytes of a response");
        // Closing with unread bytes resets the connection.
        drop(connection);
        assert_eq!(other.get("/healthz").status, 200);
    }
    server.assert_reported_nothing();
}

#[test]
fn input_after_an_error_response_is_read_for_a_limited_time() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n");
    let begun = Instant::now();
    while connection.stream.peer_addr().is_ok() {
        let written = connection.stream.write(&[b'a'; 1000]);
        if written.is_err() {
            break;
        }
        assert!(begun.elapsed() < crate::child_process::DEADLINE, "the input is still read");
        thread::sleep(Duration::from_millis(10));
    }
}
