//! Shutdown requests from the operating system, and signals that must not end the process.

use std::io;

/// SIGTERM, SIGINT and SIGQUIT; Ctrl-C on other platforms. A process with the id 1, as
/// in a container, has to handle them: the kernel ignores them otherwise. SIGQUIT is how
/// nginx and its image are ended.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    quit: tokio::signal::unix::Signal,
    /// Their handlers do nothing.
    #[cfg(unix)]
    _ignored: Vec<tokio::signal::unix::Signal>,
}

/// Signals that would end the process by default (HTTP-28). SIGHUP has certificate files
/// read again, if there are any. Scripts for other servers send SIGUSR1 to reopen logs, and
/// SIGUSR2 to update. SIGXFSZ comes with the error of a write to a file that has reached a
/// limit on its size (HTTP-29).
#[cfg(unix)]
const IGNORED: [rustix::process::Signal; 4] = {
    use rustix::process::Signal;
    [Signal::HUP, Signal::USR1, Signal::USR2, Signal::XFSZ]
};

impl Signals {
    /// Installs the handlers.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            _ignored: IGNORED
                .into_iter()
                .map(|ignored| signal(SignalKind::from_raw(ignored.as_raw())))
                .collect::<io::Result<_>>()?,
        })
    }

    /// Installs the handlers.
    #[cfg(not(unix))]
    pub fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
        }
    }

    /// Waits for the next signal.
    #[cfg(not(unix))]
    pub async fn recv(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
