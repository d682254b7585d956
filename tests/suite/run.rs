//! WIRE-25 and WIRE-28: the drain.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use recipelog_site::output;
use recipelog_site::server::{END_TIMEOUT, Limits};
use rustix::process::Signal;
use tokio::time::timeout;

use crate::certified_key::TlsServer;
use crate::child_process::{DEADLINE, wait_until};
use crate::connection::http2;
use crate::executable::{FREE_PORT, Server};
use crate::http2_client::Event::{Closed, Response};
use crate::http2_client::{PREFACE, post};
use crate::wire::Connection;

#[test]
fn a_response_in_progress_completes_and_new_connections_are_refused() {
    let mut server = Server::start(&["--drain-timeout", "10m", "--write-timeout", "5m"]);
    let mut connection = Connection::open(server.address);
    let head = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n";
    connection.send(head.repeat(400));
    let whole = connection.reply().expect("a response");
    // Then the socket buffers of both ends are full: a response is in progress.
    server.wait_until_idle();
    server.signal(Signal::TERM);
    server.line_with("draining");
    wait_until("a refused connection", || TcpStream::connect(server.address).is_err());
    // Connections learn of the drain shortly after the diagnostic.
    server.wait_until_idle();
    let mut responses = 1;
    let end = loop {
        match connection.reply() {
            Ok(reply) => assert_eq!(reply.content, whole.content),
            Err(error) => break error,
        }
        responses += 1;
    };
    assert_eq!(end.kind(), std::io::ErrorKind::UnexpectedEof);
    assert!(connection.ends_here(), "a response was cut off after {responses} complete ones");
    assert!(responses < 400, "every response was sent before the drain began");
    assert_eq!(server.wait().0.code(), Some(0));
}

/// Otherwise the process is killed while it ends.
#[test]
fn service_managers_wait_longer_than_a_shutdown_takes() {
    let following = END_TIMEOUT + 2 * output::LAST_LINES_TIMEOUT;
    assert_eq!(following, Duration::from_secs(3));
    let longest = (Limits::DEFAULT.drain_timeout + following).as_secs();
    for (file, limit, sleep) in [
        ("compose.yaml", "stop_grace_period: ", ""),
        ("recipelog-site.service", "TimeoutStopSec=", ""),
        ("recipelog-site.container", "--stop-timeout=", ""),
        ("kubernetes.yaml", "terminationGracePeriodSeconds: ", "sleep: { seconds: "),
        ("kubernetes-https.yaml", "terminationGracePeriodSeconds: ", "sleep: { seconds: "),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
        let text = std::fs::read_to_string(path).expect("a file");
        let seconds = |setting: &str| -> u64 {
            let value = text.split_once(setting).expect(setting).1;
            let end = value.find(|character: char| !character.is_ascii_digit());
            value[..end.expect("a line break")].parse().expect("seconds")
        };
        let slept = if sleep.is_empty() { 0 } else { seconds(sleep) };
        assert!(seconds(limit) > slept + longest, "{file}");
    }
}

#[test]
fn a_shutdown_under_load_loses_no_request_whose_head_was_read() {
    let mut server = Server::start(&["--drain-timeout", "5m"]);
    let address = server.address;
    let is_draining = AtomicBool::new(false);
    let responses = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let mut connection = Connection::open(address);
                // Each request is sent completely before its response is read. The connection may
                // end only between two responses.
                let head = b"GET /privacy HTTP/1.1\r\nHost: a\r\n\r\n";
                while connection.stream.write_all(head).is_ok() {
                    let Ok(reply) = connection.reply() else { break };
                    assert_eq!(reply.status, 200);
                    responses.fetch_add(1, Ordering::SeqCst);
                    if reply.field("connection") == Some("close") {
                        return;
                    }
                }
                assert!(is_draining.load(Ordering::SeqCst), "a request was lost before the drain");
                assert!(connection.received.is_empty(), "a response was cut off");
            });
        }
        wait_until("responses under load", || responses.load(Ordering::SeqCst) > 1000);
        is_draining.store(true, Ordering::SeqCst);
        server.signal(Signal::TERM);
    });
    assert_eq!(server.wait().0.code(), Some(0));
}

/// Content that was skipped must not be taken for the beginning of a head, and the rest of it is not
/// waited for.
#[tokio::test]
async fn a_request_with_content_does_not_delay_the_end() {
    // An incomplete head has a tenth of the drain limit, 2 minutes.
    let limits = ["--drain-timeout", "20m", "--header-timeout", "10m", "--idle-timeout", "10m"];
    let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
    let mut connections = ["a=b", "a"].map(|content| {
        let mut connection = Connection::open(site.server.address);
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n";
        connection.send(format!("{head}{content}"));
        connection
    });
    for connection in &mut connections {
        assert_eq!(connection.reply().expect("a response").status, 405);
    }
    let mut client = http2(&site, &[]).await;
    client.send(post(1, &[])).await;
    assert_eq!(client.event().await, Response(1, 405));
    site.server.signal(Signal::TERM);
    // The client answers the PING that follows GOAWAY.
    while timeout(DEADLINE, client.event()).await.expect("the end") != Closed {}
    assert_eq!(site.server.wait().0.code(), Some(0));
}

/// Neither counts as a request, so the exit code is 0.
#[tokio::test]
async fn incomplete_heads_and_handshakes_do_not_delay_the_end_until_the_drain_limit() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    // Longer than `wait` waits. A tenth, after which incomplete heads and handshakes end, is not.
    let limits = ["--drain-timeout", "70s", "--header-timeout", "5m"];
    let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
    let mut head = Connection::open(site.server.address);
    head.send("GET / HTT");
    let mut second_head = Connection::open(site.server.address);
    second_head.get("/healthz");
    second_head.send("GET / HTT");
    let mut handshake = Connection::open(site.server.tls_address);
    handshake.send(b"\x16\x03\x01\x02");
    let mut tls_head = site.connect(b"http/1.1").await;
    tls_head.write_all(b"GET / HTT").await.unwrap();
    let mut frame = site.connect(b"h2").await;
    frame.write_all(&[PREFACE, &[0, 0, 0, 4, 0, 0, 0, 0, 0], &[0, 0]].concat()).await.unwrap();
    // The server's settings show that the connection is in use.
    frame.read_u8().await.unwrap();
    tls_head.flush().await.unwrap();

    site.server.signal(Signal::TERM);
    assert_eq!(site.server.wait().0.code(), Some(0));
    site.server.line_with("every request answered");
    assert!(second_head.ends_here());
}

/// RFC 9112 §9.6.
#[test]
fn every_response_during_the_drain_carries_connection_close() {
    // Clients have a tenth of the drain limit, 30 s, to complete their heads.
    let mut server = Server::start(&["--drain-timeout", "5m", "--header-timeout", "60s"]);
    let mut busy: Vec<Connection> = (0..64).map(|_| Connection::open(server.address)).collect();
    // For the last one, it is the first request.
    for connection in &mut busy[..63] {
        assert_eq!(connection.get("/healthz").field("connection"), None);
    }
    for connection in &mut busy {
        // A connection with a request in progress is not idle.
        connection.send("GET /healthz HTTP/1.1\r\n");
    }
    server.signal(Signal::TERM);
    server.line_with("connections open: 64");
    for (number, connection) in busy.iter_mut().enumerate() {
        if number == 32 {
            // Longer than the grace period, in which connections may even be idle.
            thread::sleep(Duration::from_millis(500));
        }
        connection.send("Host: a\r\n\r\n");
        let reply = connection.reply().expect("a response");
        assert_eq!((reply.status, reply.field("connection")), (200, Some("close")));
    }
    assert!(busy.into_iter().all(Connection::ends_here));
    assert_eq!(server.wait().0.code(), Some(0));
}
