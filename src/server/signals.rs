//! Shutdown requests from the operating system, and signals that must not end the process.

use std::io;

use rustix::process::Signal as Number;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM, SIGINT and SIGQUIT. A process with the id 1, as in a container, has to handle them:
/// the kernel ignores them otherwise. SIGQUIT is how nginx and its image are ended.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    /// Their handlers do nothing.
    _ignored: Vec<Signal>,
}

/// Signals that would end the process by default (WIRE-28). SIGHUP has certificate files
/// read again, if there are any. Scripts for other servers send SIGUSR1 to reopen logs, and
/// SIGUSR2 to update. SIGXFSZ comes with the error of a write to a file that has reached a
/// limit on its size (WIRE-29).
const IGNORED: [Number; 4] = [Number::HUP, Number::USR1, Number::USR2, Number::XFSZ];

impl Signals {
    /// Installs the handlers.
    pub fn new() -> io::Result<Self> {
        let ignored = IGNORED.into_iter().map(|number| SignalKind::from_raw(number.as_raw()));
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            _ignored: ignored.map(signal).collect::<io::Result<_>>()?,
        })
    }

    /// Waits for the next signal.
    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}
