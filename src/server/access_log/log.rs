//! The access log of a running server.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use http::{Request, StatusCode};

use super::buffer::Buffer;
use super::entry::Entry;
use super::sink::{Format, Sink};
use super::writer::write_lines;
use crate::blocking_output::BlockingOutput;
use crate::server::client::Peer;

/// The access log.
#[derive(Debug)]
pub struct AccessLog {
    sink: Arc<Sink>,
    writer_ended: Mutex<Receiver<()>>,
}

impl AccessLog {
    /// Maximum time that the end of the process waits for the remaining lines.
    pub const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(1);

    /// Starts the thread that writes to standard output. With
    /// `trusted_proxies` above zero, a client's address is the one that the
    /// outermost of that many proxies added to X-Forwarded-For.
    pub fn start(format: Format, trusted_proxies: usize) -> io::Result<Self> {
        let sink = Arc::new(Sink { format, trusted_proxies, buffer: Buffer::default() });
        let (ended, writer_ended) = mpsc::channel();
        let of_writer = Arc::clone(&sink);
        let output = standard_output()?;
        thread::Builder::new().name("access-log".to_owned()).spawn(move || {
            write_lines(&of_writer.buffer, BlockingOutput(output));
            // The receiver may have stopped waiting.
            let _ = ended.send(());
        })?;
        Ok(Self { sink, writer_ended: Mutex::new(writer_ended) })
    }

    /// Begins the entry of a request that arrived at `begun`.
    pub(in crate::server) fn entry<B>(
        &self,
        request: &Request<B>,
        status: StatusCode,
        peer: Peer,
        begun: Instant,
    ) -> Box<Entry> {
        let sink = Arc::clone(&self.sink);
        Box::new(Entry::of_request(sink, request, status, peer, begun))
    }

    /// Writes the remaining lines, for at most a second. Later lines are ignored.
    pub fn finish(&self) {
        self.sink.buffer.close();
        let writer_ended = self.writer_ended.lock().unwrap_or_else(PoisonError::into_inner);
        if writer_ended.recv_timeout(Self::LAST_LINES_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            // The reader has stalled, and the writer with it.
            self.sink.buffer.abandon();
        }
    }

    /// Records a request that was rejected before it was parsed.
    pub(in crate::server) fn record_rejection(&self, status: StatusCode, peer: Peer) {
        drop(Entry::of_rejection(Arc::clone(&self.sink), status, peer));
    }
}

/// Standard output without the buffer of `io::stdout`, which would keep a part
/// of what could not be written.
#[cfg(unix)]
fn standard_output() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}
