//! A stream that gives up on a peer that keeps it waiting.
//!
//! hyper has no time limit on writing, and its `header_read_timeout` sets one
//! timer a request. Here each connection has one timer for all its limits, and
//! it is moved only when it fires or a shorter limit begins: a request that
//! comes and goes without a pause costs a look at the clock.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use tokio::time::{Instant, Sleep};

use super::Limits;

/// How long a peer is listened to after the last answer, so that it gets to
/// read it.
const LINGER_MAX: Duration = Duration::from_secs(2);

/// What the peer owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaiting {
    /// The rest of a request's head.
    Head,
    /// Another request, or none.
    NextRequest,
    /// Room to write into.
    Room,
    /// The end of the connection from its side.
    Close,
}

/// `inner`, each of whose waits ends at its limit with
/// [`io::ErrorKind::TimedOut`].
#[derive(Debug)]
pub(super) struct Patient<S> {
    inner: S,
    limits: Limits,
    awaiting: Awaiting,
    since: Instant,
    timer: Pin<Box<Sleep>>,
    /// Nothing that the peer sent stood unread after the last answer.
    is_idle: bool,
}

impl<S> Patient<S> {
    pub(super) fn new(inner: S, limits: Limits) -> Self {
        let since = Instant::now();
        Self {
            inner,
            limits,
            // A connection is opened in order to ask.
            awaiting: Awaiting::Head,
            since,
            timer: Box::pin(tokio::time::sleep_until(since + limits.header_timeout)),
            is_idle: true,
        }
    }

    fn now_awaiting(&mut self, awaiting: Awaiting) {
        self.awaiting = awaiting;
        self.since = Instant::now();
    }

    fn limit(&self) -> Duration {
        match self.awaiting {
            Awaiting::Head => self.limits.header_timeout,
            Awaiting::NextRequest => self.limits.idle_timeout,
            Awaiting::Room => self.limits.write_timeout,
            Awaiting::Close => LINGER_MAX,
        }
    }

    /// Ready, with the error to return, once the wait has lasted too long. The
    /// timer may stand too early, never too late.
    fn poll_out_of_patience(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let deadline = self.since + self.limit();
        if deadline < self.timer.deadline() {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                return Poll::Ready(io::Error::from(io::ErrorKind::TimedOut));
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(count)) if count > 0 => {
                self.is_idle = false;
                self.now_awaiting(Awaiting::NextRequest);
                written
            }
            Poll::Pending => {
                if self.awaiting != Awaiting::Room {
                    self.now_awaiting(Awaiting::Room);
                }
                self.poll_out_of_patience(context).map(Err)
            }
            Poll::Ready(_) => written,
        }
    }
}

impl<S: Read + Unpin> Read for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        match (&read, self.awaiting) {
            (Poll::Ready(_), Awaiting::NextRequest) => self.now_awaiting(Awaiting::Head),
            // hyper also reads while it writes, to learn of a peer that left.
            (Poll::Pending, Awaiting::Head | Awaiting::NextRequest) => {
                self.is_idle = true;
                return self.poll_out_of_patience(context).map(Err);
            }
            _ => {}
        }
        read
    }
}

impl<S: Read + Unpin> Patient<S> {
    /// Reads and forgets what still comes, until the peer closes too. RFC 9112
    /// §9.6: closing on unread bytes resets the connection, and the reset can
    /// overtake the answer.
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut space = [0; 4096];
        loop {
            if self.poll_out_of_patience(context).is_ready() {
                return Poll::Ready(());
            }
            let mut unread = ReadBuf::new(&mut space);
            let read = ready!(Pin::new(&mut self.inner).poll_read(context, unread.unfilled()));
            if read.is_err() || unread.filled().is_empty() {
                return Poll::Ready(());
            }
        }
    }
}

impl<S: Read + Write + Unpin> Write for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        self.after_write(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, contents);
        self.after_write(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.awaiting != Awaiting::Close {
            ready!(Pin::new(&mut self.inner).poll_shutdown(context))?;
            if self.is_idle {
                return Poll::Ready(Ok(()));
            }
            self.now_awaiting(Awaiting::Close);
        }
        self.poll_linger(context).map(Ok)
    }
}
