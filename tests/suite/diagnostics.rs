//! WIRE-27: a panic ends one connection, and outputs that cannot be written
//! change nothing.

use std::env;
use std::fs::OpenOptions;
use std::io::Result;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::Version;
use recipelog_site::output::{LastLines, install_panic_hook};
use recipelog_site::server::{Limits, serve_connection};
use rustix::io::ioctl_fionbio;
use rustix::process::Signal;
use tokio::io::{AsyncRead, ReadBuf};

use crate::support::client::{exchange, exchange_over_unix};
use crate::support::clock::assert_takes;
use crate::support::files::{socket_path, terminal};
use crate::support::process::{Running, assert_rejected, command, signal, wait_until};
use crate::support::site::{PEER, connect_in_memory, large_site};

/// A text from elsewhere, such as an authority's, must not change what the operator reads.
#[test]
fn characters_that_are_invisible_or_reverse_the_text_are_escaped_in_every_line() {
    for (text, shown) in [
        ("\u{202e}\u{2066}\u{200b}\u{feff}", r"\u{202e}\u{2066}\u{200b}\u{feff}"),
        ("\u{ad}\u{2028}\u{e0041}a\u{301}", r"\u{ad}\u{2028}\u{e0041}a\u{301}"),
        ("\u{1b}[31m\n\u{85}", r"\u{1b}[31m\n\u{85}"),
        ("é 🥚 'a' \"b\" \\", "é 🥚 'a' \"b\" \\"),
    ] {
        let address = format!("unix:/none/{text}/x");
        let shown = format!("recipelog-site: no response from unix:/none/{shown}/x: ");
        assert_rejected(command(&["healthcheck", "--listen", &address]), 1, &[&shown]);
    }
}

/// Outputs that cannot be written, with the other end of those that are open.
fn outputs() -> [(&'static str, Stdio, Option<OwnedFd>); 4] {
    let closed = UnixStream::pair().expect("a pair").0;
    let full_disk = OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let (stalled, reader) = UnixStream::pair().expect("a pair");
    // As after Ctrl-S.
    let (terminal_reader, terminal) = terminal();
    let (stalled, reader) = (OwnedFd::from(stalled), OwnedFd::from(reader));
    for output in [&stalled, &terminal] {
        ioctl_fionbio(output, true).expect("an output");
        while rustix::io::write(output, &[b'x'; 4096]).is_ok() {}
        ioctl_fionbio(output, false).expect("an output");
    }
    [
        ("closed", OwnedFd::from(closed).into(), None),
        ("full", full_disk.into(), None),
        ("stalled", stalled.into(), Some(reader)),
        ("terminal", terminal.into(), Some(terminal_reader)),
    ]
}

/// A server with these outputs that answers at the path of a Unix socket.
fn serving(path: &Path, [stdout, stderr]: [Stdio; 2], format: &str) -> Running {
    let listen = format!("unix:{}", path.display());
    let mut command = command(&["--listen", &listen, "--access-log", format]);
    // Idle connections may send requests for half of the drain limit.
    command.args(["--drain-timeout", "20ms"]).stdout(stdout).stderr(stderr);
    let server = Running(command.spawn().expect("the executable starts"));
    wait_until("a socket", || UnixStream::connect(path).is_ok());
    server
}

const REQUEST: &str = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

#[test]
fn the_site_is_served_if_neither_output_can_be_written() {
    for ((name, stdout, _stdout), (_, stderr, _stderr)) in outputs().into_iter().zip(outputs()) {
        let (_folder, path, _) = socket_path();
        let mut server = serving(&path, [stdout, stderr], "combined");
        for _ in 0..50 {
            let response = exchange_over_unix(&path, REQUEST);
            assert!(response.starts_with(b"HTTP/1.1 200 OK\r\n"), "{name}");
        }
        signal(&server.0, Signal::TERM);
        assert_eq!(server.wait().code(), Some(0), "{name}");
    }
}

/// WIRE-28: a second for the access log, and another one for the diagnostics.
#[test]
fn the_end_waits_a_second_for_each_output_that_is_stalled() {
    for (format, limit) in [("off", 1), ("json", 2)] {
        assert_takes(format, Duration::from_secs(limit), || {
            let (_folder, path, _) = socket_path();
            let [[.., (_, stdout, _stdout), _], [.., (_, stderr, _stderr), _]] =
                [outputs(), outputs()];
            let mut server = serving(&path, [stdout, stderr], format);
            exchange_over_unix(&path, REQUEST);
            signal(&server.0, Signal::TERM);
            let begun = Instant::now();
            assert_eq!(server.wait().code(), Some(0));
            begun.elapsed()
        });
    }
}

#[test]
fn an_error_that_cannot_be_reported_still_has_its_exit_code() {
    for (options, code) in [(&["--nope"][..], 2), (&["--listen", "203.0.113.1:80"], 1)] {
        for (name, stderr, _reader) in outputs() {
            let mut process = Running(command(options).stderr(stderr).spawn().expect("a process"));
            assert_eq!(process.wait().code(), Some(code), "{name} {options:?}");
        }
    }
}

/// A client whose connection panics.
struct Panicking;

impl AsyncRead for Panicking {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        panic!("a defect")
    }
}

/// The test runs itself again as a process of its own, whose standard error it reads.
#[tokio::test(flavor = "local")]
async fn a_panic_is_reported_in_one_line_and_ends_its_own_connection_only() {
    const NAME: &str =
        "diagnostics::a_panic_is_reported_in_one_line_and_ends_its_own_connection_only";
    const IS_CHILD: &str = "TEST_PANICS";
    if env::var_os(IS_CHILD).is_none() {
        let mut child = Command::new(env::current_exe().unwrap());
        let output = child.args(["--exact", NAME, "--nocapture"]).env(IS_CHILD, "1").output();
        let output = output.expect("the test starts");
        let lines = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{lines}");
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert!(lines.contains(": a defect; the server goes on"), "{lines}");
        return;
    }
    let _last_lines = LastLines;
    install_panic_hook();
    let panicking = tokio::io::join(Panicking, tokio::io::sink());
    let (limits, version) = (Limits::DEFAULT, Version::HTTP_11);
    let served = serve_connection(panicking, PEER, large_site(), limits, version);
    assert!(tokio::task::spawn_local(served).await.is_err_and(|error| error.is_panic()));
    let (mut client, served) = connect_in_memory();
    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let response = exchange(&mut client, request.as_bytes()).await;
    assert!(response.ends_with("ok\n"), "{response}");
    served.await.unwrap();
}
