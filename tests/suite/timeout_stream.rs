//! HTTP-25: time limits on sockets.

use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::executable::Server;
use crate::wire::Connection;

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

/// Requests more content than the socket buffers of both ends hold.
fn request_more_than_the_buffers_hold(connection: &mut Connection) {
    let head = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n";
    connection.send(head.repeat(400));
}

/// Such a client makes progress, so that only the minimum rate ends its connection.
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
