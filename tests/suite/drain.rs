//! WIRE-25, WIRE-28, WIRE-29: the drain, and the signals that begin or do not begin it.

use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use recipelog_site::output;
use recipelog_site::server::{END_TIMEOUT, Limits};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::support::client::Connection;
use crate::support::client::Way::{Handshake, Plain, Tls};
use crate::support::files::terminal;
use crate::support::http2_client::Event::{Closed, GoAway, Response};
use crate::support::http2_client::{INITIAL_WINDOW_SIZE, begin, get, post, setting, window_update};
use crate::support::process::{DEADLINE, FREE_PORT, Lines, Server, command, wait_until};
use crate::support::tls::{TlsServer, http2};

#[tokio::test]
async fn the_drain_announces_the_end_and_finishes_responses() {
    // Longer than `wait` waits.
    let mut site = TlsServer::start(&["--drain-timeout", "70s"]);
    let mut idle = http2(&site, &[]).await;
    idle.send(get(1, "/healthz")).await;
    assert_eq!(idle.event().await, Response(1, 200));
    let mut busy = http2(&site, &setting(INITIAL_WINDOW_SIZE, 10)).await;
    busy.send(get(1, "/og.png")).await;
    assert_eq!(busy.event().await, Response(1, 200));
    // Clients that have not sent a request delay the end by at most a tenth of the limit.
    let _silent = Connection::open(site.server.tls_address);
    let _without_preface = site.connect(b"h2").await;

    site.server.signal(Signal::TERM);
    // RFC 9113 §6.8: the announcement, and the end once the client has answered its PING.
    assert_eq!(timeout(DEADLINE, idle.event()).await.expect("an event"), GoAway(0));
    // A stream that was opened before the announcement arrived is completed.
    idle.send(get(3, "/healthz")).await;
    let mut events = Vec::new();
    while events.last() != Some(&Closed) {
        events.push(timeout(DEADLINE, idle.event()).await.expect("an event"));
    }
    assert!(events.contains(&Response(3, 200)) && events.contains(&GoAway(0)), "{events:?}");
    assert_eq!(busy.event().await, GoAway(0));
    busy.send([window_update(1, 1 << 24), window_update(0, 1 << 24)].concat()).await;
    let length = timeout(DEADLINE, busy.content_length()).await.expect("the rest");
    assert!(length.is_some_and(|length| length > 1000), "{length:?}");
    drop((busy, idle));
    assert_eq!(site.server.wait().0.code(), Some(0));
}

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
    let longest = (Limits::DEFAULT.drain_timeout + following).as_secs();
    for (file, limit, sleep) in [
        ("compose.yaml", "stop_grace_period: ", None),
        ("recipelog-site.service", "TimeoutStopSec=", None),
        ("recipelog-site.container", "--stop-timeout=", None),
        ("kubernetes.yaml", "terminationGracePeriodSeconds: ", Some("sleep: { seconds: ")),
        ("kubernetes-https.yaml", "terminationGracePeriodSeconds: ", Some("sleep: { seconds: ")),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
        let text = std::fs::read_to_string(path).expect("a file");
        let seconds = |setting: &str| -> u64 {
            let value = text.split_once(setting).expect(setting).1;
            let digits = value.split(|character: char| !character.is_ascii_digit());
            digits.map(str::parse).next().expect("a value").expect("seconds")
        };
        assert!(seconds(limit) > sleep.map_or(0, seconds) + longest, "{file}");
    }
}

/// Content that was skipped must not be taken for the beginning of a head, and the rest of it is not
/// waited for.
#[tokio::test]
async fn a_request_with_content_does_not_delay_the_end() {
    // An incomplete head has a tenth of the drain limit, 2 minutes.
    let limits = ["--drain-timeout", "20m", "--header-timeout", "10m", "--idle-timeout", "10m"];
    let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
    let _connections = ["a=b", "a"].map(|content| {
        let mut connection = Connection::open(site.server.address);
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n";
        connection.send(format!("{head}{content}"));
        assert_eq!(connection.reply().expect("a response").status, 405);
        connection
    });
    let mut client = http2(&site, &[]).await;
    client.send(post(1, &[])).await;
    assert_eq!(client.event().await, Response(1, 405));
    site.server.signal(Signal::TERM);
    // The client answers the PING that follows GOAWAY.
    while timeout(DEADLINE, client.event()).await.expect("the end") != Closed {}
    assert_eq!(site.server.wait().0.code(), Some(0));
}

/// RFC 9112 §9.6.
#[test]
fn every_response_during_the_drain_carries_connection_close() {
    // Clients have a tenth of the drain limit, 30 s, to complete their heads.
    let mut server = Server::start(&["--drain-timeout", "5m", "--header-timeout", "60s"]);
    let mut busy = [(); 64].map(|()| Connection::open(server.address));
    // For the last one, it is the first request.
    for connection in &mut busy[..63] {
        assert_eq!(connection.get("/healthz").field("connection"), None);
    }
    // A connection with a request in progress is not idle.
    busy.iter_mut().for_each(|connection| connection.send("GET /healthz HTTP/1.1\r\n"));
    server.signal(Signal::TERM);
    server.line_with("connections open: 64");
    for (number, mut connection) in busy.into_iter().enumerate() {
        if number == 32 {
            // Longer than the grace period, in which connections may even be idle.
            thread::sleep(Duration::from_millis(500));
        }
        connection.send("Host: a\r\n\r\n");
        let reply = connection.reply().expect("a response");
        assert_eq!((reply.status, reply.field("connection")), (200, Some("close")));
        assert!(connection.ends_here());
    }
    assert_eq!(server.wait().0.code(), Some(0));
}

/// The exit code tells whether a response was cut off. The limits are longer than `wait` waits.
#[tokio::test]
async fn a_second_signal_closes_all_connections_at_once() {
    let (term, int) = (Signal::TERM, Signal::INT);
    let unread = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(400).into_bytes();
    let unread_frames = [begin(&setting(INITIAL_WINDOW_SIZE, 10)), get(1, "/og.png")].concat();
    for (way, sent, first, second, code) in [
        (Plain, &b"GET / HTT"[..], term, term, 0),
        (Handshake, b"\x16\x03\x01\x02", int, term, 0),
        (Plain, &unread, int, int, 1),
        (Tls("http/1.1"), &unread, term, int, 1),
        (Tls("h2"), &unread_frames, term, term, 1),
    ] {
        let limits =
            ["--drain-timeout", "20m", "--write-timeout", "20m", "--header-timeout", "20m"];
        let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
        let mut stream = way.connect(&site).await;
        stream.write_all(sent).await.expect("the server reads");
        stream.flush().await.expect("the server reads");
        let server = &mut site.server;
        server.wait_until_idle();
        server.signal(first);
        server.line_with("draining");
        server.wait_until_idle();
        assert!(server.is_running(), "{way:?}");
        server.signal(second);
        assert_eq!(server.wait().0.code(), Some(code), "{way:?}");
        server.line_with(["every request answered", "connections cut off"][code as usize]);
    }
}

/// This server has no certificate to read again, and no log file to reopen. A stopped process gets all of its signals
/// when it goes on: two at once cut off no request, because none was received.
#[test]
fn sigterm_sigint_and_sigquit_end_an_idle_server_with_exit_code_0_and_other_signals_do_not() {
    let at_once = [Signal::STOP, Signal::INT, Signal::TERM, Signal::CONT];
    let signals = [&[Signal::TERM, Signal::HUP][..], &[Signal::INT], &[Signal::QUIT], &at_once];
    // Which connections a message might miss would depend on the scheduler: hence many, and twice.
    for signals in signals.repeat(2) {
        let mut server = Server::start(&["--drain-timeout", "30m", "--header-timeout", "5m"]);
        let output = Lines::of(server.output());
        let mut idle = [(); 32].map(|()| Connection::open(server.address));
        for connection in &mut idle {
            assert_eq!(connection.get("/privacy").status, 200);
        }
        for ignored in [Signal::HUP, Signal::HUP, Signal::USR1, Signal::USR2, Signal::XFSZ] {
            server.signal(ignored);
            assert_eq!(idle[0].get("/privacy").status, 200, "{ignored:?}");
        }
        for signal in signals {
            server.signal(*signal);
        }
        assert_eq!(server.wait().0.code(), Some(0), "{signals:?}");
        assert!(idle.into_iter().all(Connection::ends_here), "{signals:?}");
        assert_eq!(output.next(), None, "there is no access log");
    }
}

#[test]
fn a_terminal_that_is_closed_ends_the_server() {
    let (terminal, input) = terminal();
    let mut program = Command::new("setsid");
    program.arg("--ctty").arg(command(&[]).get_program()).args(FREE_PORT).stdin(input);
    let mut server = Server::of(program);
    drop(terminal);
    assert_eq!(server.wait().0.code(), Some(0));
}
