//! WIRE-28: signals that end the server, and signals that it ignores.

use std::process::Command;

use rustix::process::Signal;
use tokio::io::AsyncWriteExt;

use crate::certified_key::TlsServer;
use crate::connection::http2;
use crate::executable::{FREE_PORT, Server, command};
use crate::http2_client::{INITIAL_WINDOW_SIZE, get, setting};
use crate::output::terminal;
use crate::wire::Connection;

#[test]
fn sigterm_sigint_and_sigquit_end_an_idle_server_at_once_with_exit_code_0() {
    for signal in [Signal::TERM, Signal::INT, Signal::QUIT] {
        let mut server = Server::start(&["--drain-timeout", "30m"]);
        let mut idle = Connection::open(server.address);
        idle.get("/healthz");
        server.signal(signal);
        assert_eq!(server.wait().0.code(), Some(0), "{signal:?}");
        assert!(idle.ends_here(), "{signal:?}");
    }
}

/// The exit code tells whether a response was cut off. The limits are longer than `wait` waits.
#[tokio::test]
async fn a_second_signal_closes_all_connections_at_once() {
    let (term, int) = (Signal::TERM, Signal::INT);
    for (client, first, second, code) in [
        ("an incomplete head", term, term, 0),
        ("an incomplete handshake", int, term, 0),
        ("HTTP/1.1", term, term, 1),
        ("HTTP/1.1", int, int, 1),
        ("HTTP/1.1 over TLS", term, int, 1),
        ("HTTP/2", term, term, 1),
    ] {
        let limits =
            ["--drain-timeout", "20m", "--write-timeout", "20m", "--header-timeout", "20m"];
        let mut site = TlsServer::start(&[&limits[..], &FREE_PORT].concat());
        let mut plain = Connection::open(site.server.address);
        let (mut handshake, mut tls) = (Connection::open(site.server.tls_address), None);
        let requests = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(400);
        match client {
            "an incomplete head" => plain.send("GET / HTT"),
            "an incomplete handshake" => handshake.send(b"\x16\x03\x01\x02"),
            "HTTP/1.1" => plain.send(requests),
            "HTTP/2" => {
                let mut client = http2(&site, &setting(INITIAL_WINDOW_SIZE, 10)).await;
                client.send(get(1, "/og.png")).await;
                tls = Some(client.stream);
            }
            _ => {
                let mut stream = site.connect(b"http/1.1").await;
                stream.write_all(requests.as_bytes()).await.unwrap();
                tls = Some(stream);
            }
        }
        let server = &mut site.server;
        server.wait_until_idle();
        server.signal(first);
        server.line_with("draining");
        server.wait_until_idle();
        assert!(server.is_running(), "{client}");
        server.signal(second);
        assert_eq!(server.wait().0.code(), Some(code), "{client}");
        let last = ["every request answered", "connections cut off"];
        server.line_with(last[code as usize]);
        drop((plain, handshake, tls));
    }
}

#[test]
fn two_signals_at_once_cut_off_no_request_if_none_was_received() {
    let mut server = Server::start(&[]);
    // A stopped process gets both of them when it goes on.
    for signal in [Signal::STOP, Signal::INT, Signal::TERM, Signal::CONT] {
        server.signal(signal);
    }
    assert_eq!(server.wait().0.code(), Some(0), "{:?}", server.console.rest());
}

/// This server has no certificate to read again, and no log file to reopen.
#[test]
fn a_signal_that_the_server_has_no_use_for_does_not_end_it() {
    let mut server = Server::start(&[]);
    for signal in [Signal::HUP, Signal::HUP, Signal::USR1, Signal::USR2, Signal::XFSZ] {
        server.signal(signal);
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200, "{signal:?}");
    }
    server.signal(Signal::TERM);
    server.signal(Signal::HUP);
    assert_eq!(server.wait().0.code(), Some(0));
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
