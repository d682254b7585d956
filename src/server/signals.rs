//! Shutdown requests from the operating system, and signals that must not end the process.

use std::fs::{self, File};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustix::process::Signal as Number;
use rustix::termios::tcgetpgrp;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM, SIGINT and SIGQUIT. A process with the id 1, as in a container, has to handle them:
/// the kernel ignores them otherwise. SIGQUIT is how nginx and its image are ended.
#[derive(Debug)]
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    hangup: Signal,
    /// Becomes true at each SIGHUP that does not end the process: certificate files are to be read again.
    pub reload: Arc<AtomicBool>,
    /// The terminal whose end ends the process; `None` without one, or if SIGHUP was ignored at the
    /// start, as by nohup(1).
    terminal: Option<File>,
    /// Their handlers do nothing.
    _ignored: Vec<Signal>,
}

/// Signals that would end the process by default (WIRE-28). Scripts for other servers send SIGUSR1
/// to reopen logs, and SIGUSR2 to update. SIGXFSZ comes with the error of a write to a file that has reached a
/// limit on its size (WIRE-29).
const IGNORED: [Number; 3] = [Number::USR1, Number::USR2, Number::XFSZ];

impl Signals {
    /// Installs the handlers.
    pub fn new() -> io::Result<Self> {
        let terminal = if ignores_hangup() { None } else { File::open("/dev/tty").ok() };
        let ignored = IGNORED.into_iter().map(|number| SignalKind::from_raw(number.as_raw()));
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hangup: signal(SignalKind::hangup())?,
            reload: Arc::default(),
            terminal,
            _ignored: ignored.map(signal).collect::<io::Result<_>>()?,
        })
    }

    /// Waits for the next signal, or for the end of the terminal.
    pub async fn recv(&mut self) {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.quit.recv() => return,
                _ = self.hangup.recv() => {
                    if self.terminal.as_ref().is_some_and(|terminal| tcgetpgrp(terminal).is_err()) {
                        return;
                    }
                    self.reload.store(true, Relaxed);
                }
            }
        }
    }
}

/// True if the signal mask of ignored signals contains SIGHUP (proc_pid_status(5)).
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 << (Number::HUP.as_raw() - 1) != 0)
}
