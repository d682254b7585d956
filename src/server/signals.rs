//! Shutdown requests from the operating system, and its signals to ignore.

use std::io;

/// SIGTERM and SIGINT; Ctrl-C on other platforms. A process with the id 1, as
/// in a container, has to handle them: the kernel ignores them otherwise.
///
/// SIGHUP, which has certificate files read again, would end the process without them:
/// its handler does nothing.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    _hangup: tokio::signal::unix::Signal,
}

impl Signals {
    /// Installs the handlers.
    #[cfg(unix)]
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            _hangup: signal(SignalKind::hangup())?,
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
