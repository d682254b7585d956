//! The access log of a running server: a thread of its own writes it, so that it never
//! delays a request (WIRE-29).

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use http::{Request, StatusCode};

use super::entry::Entry;
use crate::diagnostics::report;
use crate::line_queue::LineQueue;
use crate::server::client::Peer;

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

    /// Begins the entry of a request that arrived at `begun`.
    pub(in crate::server) fn entry<B>(
        self: &Arc<Self>,
        request: &Request<B>,
        status: StatusCode,
        peer: Peer,
        begun: Instant,
    ) -> Box<Entry> {
        Box::new(Entry::of_request(Arc::clone(self), request, status, peer, begun))
    }

    /// Writes the remaining lines, for at most a second. Later lines are ignored.
    pub fn finish(&self) {
        self.queue.finish(Self::LAST_LINES_TIMEOUT);
    }

    /// Records a request that was rejected before it was parsed.
    pub(in crate::server) fn record_rejection(self: &Arc<Self>, status: StatusCode, peer: Peer) {
        drop(Entry::of_rejection(Arc::clone(self), status, peer));
    }
}
