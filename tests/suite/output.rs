//! WIRE-27: a panic ends one connection, and outputs that cannot be written
//! change nothing.

use std::env;
use std::fs::OpenOptions;
use std::io::Result;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::task::{Context, Poll};

use recipelog_site::output::{LastLines, install_panic_hook};
use recipelog_site::server::{Limits, Transport, serve_connection};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::ioctl_fionbio;
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use crate::child_process::{Running, assert_rejected, wait_until};
use crate::executable::{command, signal};
use crate::fixture::PEER;
use crate::http2::large_site;
use crate::unix_socket::{exchange, socket_path};

/// A new terminal: the end that reads what programs write to it, and their end.
pub fn terminal() -> (OwnedFd, OwnedFd) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let reader = openpt(flags).expect("a terminal");
    unlockpt(&reader).expect("a terminal");
    let name = ptsname(&reader, Vec::new()).expect("a terminal");
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    (reader, open(name, flags, Mode::empty()).expect("a terminal"))
}

/// A text from elsewhere, such as an authority's, must not change what the operator reads.
#[test]
fn characters_that_are_invisible_or_reverse_the_text_are_escaped_in_every_line() {
    for (text, shown) in [
        ("\u{202e}", r"\u{202e}"),
        ("\u{2066}", r"\u{2066}"),
        ("\u{200b}", r"\u{200b}"),
        ("\u{feff}", r"\u{feff}"),
        ("\u{ad}", r"\u{ad}"),
        ("\u{2028}", r"\u{2028}"),
        ("\u{e0041}", r"\u{e0041}"),
        ("a\u{301}", r"a\u{301}"),
        ("\u{1b}[31m\n", r"\u{1b}[31m\n"),
        ("\u{85}", r"\u{85}"),
        ("é 🥚 'a' \"b\" \\", "é 🥚 'a' \"b\" \\"),
    ] {
        let address = format!("unix:/none/{text}/x");
        let shown = format!("recipelog-site: no response from unix:/none/{shown}/x: ");
        assert_rejected(command(&["healthcheck", "--listen", &address]), 1, &[&shown]);
    }
}

/// A standard output or standard error that cannot be written.
#[derive(Clone, Copy, Debug)]
enum Output {
    /// A pipe whose reader is gone.
    Closed,
    /// A disk without space.
    Full,
    /// A pipe whose reader has stalled.
    Stalled,
    /// A terminal that is not read, for example after Ctrl-S.
    Terminal,
}

impl Output {
    /// The output, and its other end, which the caller keeps open.
    fn open(self) -> (Stdio, Option<OwnedFd>) {
        let (writer, reader): (OwnedFd, Option<OwnedFd>) = match self {
            Self::Full => {
                let full = OpenOptions::new().write(true).open("/dev/full").expect("a device");
                (full.into(), None)
            }
            Self::Closed => (UnixStream::pair().expect("a pair").0.into(), None),
            Self::Stalled => {
                let (writer, reader) = UnixStream::pair().expect("a pair");
                (writer.into(), Some(reader.into()))
            }
            Self::Terminal => {
                let (reader, writer) = terminal();
                (writer, Some(reader))
            }
        };
        if reader.is_some() {
            ioctl_fionbio(&writer, true).expect("an output");
            while rustix::io::write(&writer, &[b'x'; 4096]).is_ok() {}
            ioctl_fionbio(&writer, false).expect("an output");
        }
        (writer.into(), reader)
    }
}

const OUTPUTS: [Output; 4] = [Output::Closed, Output::Full, Output::Stalled, Output::Terminal];

#[test]
fn no_argument_controls_the_terminal() {
    for (arguments, code) in [
        (&["\u{1b}[31mred"][..], 2),
        (&["export", "/proc/\u{1b}[31mred\n"], 1),
        (&["--tls-cert", "/\u{1b}[31mred", "--tls-key", "/"], 1),
        (&["--listen", "\u{1b}[31mred"], 2),
    ] {
        // It checks the characters of the line.
        assert_rejected(command(arguments), code, &[r"\u{1b}[31mred"]);
    }
    let reversed = command(&["export", "/proc/it's \"\u{202e}\u{2066}\u{2028}\\\""]);
    assert_rejected(reversed, 1, &[r#"/proc/it's "\u{202e}\u{2066}\u{2028}\": "#]);
}

#[test]
fn the_site_is_served_if_neither_output_can_be_written() {
    let request = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    for output in OUTPUTS {
        let (_folder, path, listen) = socket_path();
        let mut command: Command = command(&["--listen", &listen, "--access-log", "combined"]);
        let (stdout, _stdout_reader) = output.open();
        let (stderr, _stderr_reader) = output.open();
        let child = command.stdout(stdout).stderr(stderr).spawn().expect("the executable starts");
        let mut server = Running(child);
        wait_until("a connection", || UnixStream::connect(&path).is_ok());
        for _ in 0..50 {
            assert!(exchange(&path, request).starts_with(b"HTTP/1.1 200 OK\r\n"), "{output:?}");
        }
        signal(&server.0, Signal::TERM);
        assert_eq!(server.wait().code(), Some(0), "{output:?}");
    }
}

#[test]
fn an_error_that_cannot_be_reported_still_has_its_exit_code() {
    for output in OUTPUTS {
        for (options, code) in [(&["--nope"][..], 2), (&["--listen", "203.0.113.1:80"], 1)] {
            let (stderr, _reader) = output.open();
            let mut process = Running(command(options).stderr(stderr).spawn().expect("a process"));
            assert_eq!(process.wait().code(), Some(code), "{output:?} {options:?}");
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

impl AsyncWrite for Panicking {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<Result<usize>> {
        panic!("a defect")
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The test runs itself again as a process of its own, whose standard error it reads.
#[tokio::test]
async fn a_panic_is_reported_in_one_line_and_ends_its_own_connection_only() {
    const NAME: &str = "output::a_panic_is_reported_in_one_line_and_ends_its_own_connection_only";
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
    let serve = |transport: Box<dyn Transport>| {
        tokio::spawn(serve_connection(transport, PEER, large_site(), Limits::DEFAULT))
    };
    assert!(serve(Box::new(Panicking)).await.is_err_and(|error| error.is_panic()));
    let (mut client, server) = tokio::io::duplex(4096);
    let served = serve(Box::new(server));
    client
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await
        .unwrap();
    let mut response = String::new();
    client.read_to_string(&mut response).await.unwrap();
    assert!(response.ends_with("ok\n"), "{response}");
    served.await.unwrap();
}
