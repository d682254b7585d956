//! Shutdown requests from the operating system, and signals that must not end the process.

use std::future::poll_fn;
use std::io::{self, IsTerminal};
use std::task::Poll;

use rustix::process::Signal as Number;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A process with the id 1, such as in a container, has to handle these: the kernel ignores them
/// otherwise. nginx and its image end at SIGQUIT.
const SHUTDOWN: [Number; 3] = [Number::TERM, Number::INT, Number::QUIT];

/// Signals that would end the process by default (WIRE-28). Scripts for other servers send SIGUSR1
/// to reopen logs, and SIGUSR2 to update. SIGXFSZ comes with the error of a write to a file that
/// has reached a limit on its size (WIRE-29).
const IGNORED: [Number; 3] = [Number::USR1, Number::USR2, Number::XFSZ];

/// The handlers of signals.
#[derive(Debug)]
pub struct Signals {
    shutdown: Vec<Signal>,
    /// Their handlers do nothing.
    _ignored: Vec<Signal>,
}

impl Signals {
    /// Installs the handlers. SIGHUP is a shutdown request where standard input is a terminal,
    /// whose end sends it; elsewhere it is ignored, because scripts send it to reload a
    /// configuration.
    pub fn new() -> io::Result<Self> {
        let handle = |number: Number| signal(SignalKind::from_raw(number.as_raw()));
        let handle_all = |numbers: [Number; 3]| {
            numbers.into_iter().map(handle).collect::<io::Result<Vec<Signal>>>()
        };
        let (mut shutdown, mut ignored) = (handle_all(SHUTDOWN)?, handle_all(IGNORED)?);
        let of_hangup = if io::stdin().is_terminal() { &mut shutdown } else { &mut ignored };
        of_hangup.push(handle(Number::HUP)?);
        Ok(Self { shutdown, _ignored: ignored })
    }

    /// Waits for the next shutdown request.
    pub async fn recv(&mut self) {
        poll_fn(|context| {
            let has_arrived = |signal: &mut Signal| signal.poll_recv(context).is_ready();
            if self.shutdown.iter_mut().any(has_arrived) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}
