//! HTTP-28: signals that end the server, and those that do not.

use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::certified_key::TlsServer;
use crate::child_process::DEADLINE;
use crate::executable::{FREE_PORT, Server, allow_open_files};
use crate::http2_client::{
    Client, HEADERS, INITIAL_WINDOW_SIZE, PREFACE, SETTINGS, frame, get, read_frames, setting,
    window_update,
};
use crate::wire::Connection;

#[test]
fn sigterm_sigint_and_sigquit_end_an_idle_server_at_once_with_exit_code_0() {
    for signal in [Signal::TERM, Signal::INT, Signal::QUIT] {
        let mut server = Server::start(&["--drain-timeout", "30m"]);
        let mut idle = Connection::open(server.address);
        idle.get("/healthz");
        let _silent = Connection::open(server.address);
        server.signal(signal);
        let (status, _) = server.wait();
        assert_eq!(status.code(), Some(0), "{signal:?}");
        assert!(idle.ends_here(), "{signal:?}");
    }
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let (term, int) = (Signal::TERM, Signal::INT);
    for (first, second) in [(term, term), (int, int), (term, int)] {
        let mut server = Server::start(&["--drain-timeout", "10m", "--write-timeout", "10m"]);
        let mut connection = Connection::open(server.address);
        connection.send("GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(400));
        connection.reply().expect("a response");
        server.wait_until_idle();
        server.signal(first);
        server.line_with("draining");
        thread::sleep(Duration::from_millis(200));
        assert!(server.is_running(), "{first:?}");
        server.signal(second);
        let (status, _) = server.wait();
        assert_eq!(status.code(), Some(1), "{first:?}, {second:?}");
        server.line_with("cut off by a second signal");
    }
}

/// The clients wait for windows, or for space in a socket, or do not close. A busy machine may need
/// more time.
#[tokio::test]
async fn after_a_second_signal_no_client_is_waited_for() {
    let mut fastest = DEADLINE;
    for _ in 0..5 {
        let limits = ["--drain-timeout", "20m", "--write-timeout", "20m"];
        let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
        let mut plain = Connection::open(site.server.address);
        let requests = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(400);
        plain.send(&requests);
        plain.head().expect("a response");
        let mut http1 = site.connect(b"http/1.1").await;
        http1.write_all(requests.as_bytes()).await.expect("a socket");
        http1.read_u8().await.expect("a response");
        let mut clients = Vec::new();
        for (window, path, count) in [(10, "/og.png", 1), (1 << 30, "/og.png", 100), (0, "/", 0)] {
            let mut client = Client { stream: site.connect(b"h2").await };
            client.begin(&setting(INITIAL_WINDOW_SIZE, window)).await;
            client.send(window_update(0, 1 << 30)).await;
            for number in 0..count {
                client.send(get(number * 2 + 1, path)).await;
            }
            client.frame_of(if count > 0 { HEADERS } else { SETTINGS }).await.expect("a frame");
            clients.push(client);
        }
        site.server.wait_until_idle();
        site.server.signal(Signal::TERM);
        site.server.line_with("draining");
        let begun = Instant::now();
        site.server.signal(Signal::TERM);
        assert_eq!(site.server.wait().0.code(), Some(1));
        fastest = fastest.min(begun.elapsed());
        if fastest < Duration::from_secs(1) {
            return;
        }
    }
    panic!("{fastest:?}");
}

#[test]
fn a_second_signal_cuts_off_no_request_if_none_was_received() {
    // An incomplete head has a tenth of the drain limit, 30 s.
    let mut server = Server::start(&["--drain-timeout", "5m", "--header-timeout", "60s"]);
    let mut head = Connection::open(server.address);
    head.get("/healthz");
    head.send("GET / HTT");
    server.signal(Signal::TERM);
    server.line_with("draining");
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(0));
    server.line_with("every request answered");
}

/// A terminal and a program that forwards signals can send both at once.
#[test]
fn two_signals_at_once_cut_off_no_request_if_none_was_received() {
    for _ in 0..5 {
        let mut server = Server::start(&[]);
        server.signal(Signal::INT);
        server.signal(Signal::TERM);
        assert_eq!(server.wait().0.code(), Some(0), "{:?}", server.last_lines());
    }
}

/// Connections wait in the backlog, or the server has read a part of what their clients sent.
#[test]
fn exit_code_0_after_two_signals_at_once_means_that_all_requests_were_answered() {
    allow_open_files(10_000);
    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    let first = [PREFACE, &frame(SETTINGS, 0, 0, &[]), &get(1, "/healthz")].concat();
    // The server waits for 1.5 s. A busy machine may need more time, so one of four servers has to
    // answer a single waiting request.
    for count in [300, 1, 1, 1, 1] {
        let mut site = TlsServer::start(&FREE_PORT);
        let mut amid_handshake = site.begin_handshake(b"http/1.1");
        let mut before_preface = site.begin_handshake(b"h2");
        read_frames(&mut before_preface, SETTINGS).expect("the server's settings");
        let mut amid_head = Connection::open(site.server.address);
        amid_head.get("/healthz");
        site.server.signal(Signal::STOP);
        amid_head.send("GET / HTT");
        amid_handshake.write_all(request.as_bytes()).expect("a socket");
        before_preface.write_all(&first).expect("a socket");
        let mut waiting = Connection::open_waiting(site.server.address, count);
        for client in &mut waiting {
            client.send(request);
        }
        site.server.signal(Signal::INT);
        site.server.signal(Signal::TERM);
        site.server.signal(Signal::CONT);

        let code = site.server.wait().0.code();
        let lines = site.server.last_lines();
        if code == Some(0) {
            let lost = waiting.iter_mut().filter_map(|client| client.reply().err()).count();
            assert_eq!(lost, 0, "of {count}; {lines:?}");
            amid_handshake.read_exact(&mut [0; 12]).expect("a response");
            read_frames(&mut before_preface, HEADERS).expect("a response");
            if count == 1 {
                return;
            }
        } else {
            assert_eq!(code, Some(1), "{lines:?}");
        }
    }
    panic!("no server answered the waiting request");
}

/// This server has no certificate to read again, and no log file to reopen.
#[test]
fn a_signal_that_the_server_has_no_use_for_does_not_end_it() {
    let mut server = Server::start(&[]);
    let (hup, file_size) = (Signal::HUP, Signal::XFSZ);
    for signal in [hup, hup, Signal::USR1, Signal::USR2, file_size] {
        server.signal(signal);
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200, "{signal:?}");
    }
    assert!(server.is_running());
    server.signal(Signal::TERM);
    server.signal(Signal::HUP);
    assert_eq!(server.wait().0.code(), Some(0));
}
