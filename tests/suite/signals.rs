//! WIRE-28: signals that end the server, and those that do not.

use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};

use crate::executable::{FREE_PORT, Server, command};
use crate::wire::Connection;

#[test]
fn sigterm_sigint_and_sigquit_end_an_idle_server_at_once_with_exit_code_0() {
    for signal in [Signal::TERM, Signal::INT, Signal::QUIT] {
        let mut server = Server::start(&["--drain-timeout", "30m"]);
        let mut idle = Connection::open(server.address);
        idle.get("/healthz");
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
        server.wait_until_idle();
        assert!(server.is_running(), "{first:?}");
        server.signal(second);
        let (status, _) = server.wait();
        assert_eq!(status.code(), Some(1), "{first:?}, {second:?}");
        server.line_with("cut off by a second signal");
    }
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

#[test]
fn a_terminal_that_is_closed_ends_the_server_unless_sighup_was_ignored_at_the_start() {
    for (trap, ends) in [("", true), ("trap '' HUP; ", false)] {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a terminal");
        unlockpt(&terminal).expect("a terminal");
        let name = ptsname(&terminal, Vec::new()).expect("a terminal");
        let input = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("a terminal");
        let mut shell = Command::new("/bin/sh");
        let script = format!("{trap}exec setsid --ctty \"$0\" \"$@\"");
        shell.arg("-c").arg(script).arg(command(&[]).get_program()).args(FREE_PORT).stdin(input);
        let mut server = Server::of(shell);
        drop(terminal);
        if ends {
            assert_eq!(server.wait().0.code(), Some(0));
        } else {
            server.wait_until_idle();
            assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
        }
    }
}
