//! The access log of a running server: a thread of its own writes it, so that it never
//! delays a request (WIRE-29).

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::output::LineQueue;
use crate::output::report;

/// Maximum bytes of waiting lines. The writer holds as many again.
const WAITING_MAX_BYTES: usize = 4 * 1024 * 1024;

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache's combined log format, followed by the duration in seconds.
    Combined,
    /// One JSON object (RFC 8259).
    Json,
}

/// The access log.
#[derive(Debug)]
pub struct AccessLog {
    pub(super) format: Format,
    pub(super) trusted_proxies: usize,
    pub(super) queue: Arc<LineQueue>,
}

impl AccessLog {
    /// Maximum time that the end of the process waits for the remaining lines.
    pub const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(1);

    /// Starts the thread that writes to standard output. With
    /// `trusted_proxies` above zero, a client's address is the one that the
    /// outermost of that many proxies added to X-Forwarded-For.
    pub fn start(format: Format, trusted_proxies: usize) -> io::Result<Self> {
        let queue = Arc::new(LineQueue::new(WAITING_MAX_BYTES, |count, reason| match count {
            Some(count) => {
                report(format_args!("{count} access log lines lost: standard output: {reason}"));
            }
            None => report(format_args!("the access log ends: standard output: {reason}")),
        }));
        // Without the buffer of `io::stdout`, which would keep a part of what could not be written.
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let writer = Arc::clone(&queue);
        thread::Builder::new()
            .name("access-log".to_owned())
            .spawn(move || writer.write_to(output))?;
        Ok(Self { format, trusted_proxies, queue })
    }

    /// Writes the remaining lines, for at most a second. Later lines are ignored.
    pub fn finish(&self) {
        self.queue.finish(Self::LAST_LINES_TIMEOUT);
    }
}
