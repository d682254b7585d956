//! A stream that ends a connection whose client exceeds a time limit (HTTP-25).
//!
//! hyper has no time limit on writing, and its `header_read_timeout` starts one
//! timer per request. Here a connection has one timer for all its limits. It is
//! reset only when it fires or when a shorter limit begins, so a request that
//! arrives and is answered without a pause costs one look at the clock.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::connection_state::{Command, ConnectionState, Phase};
use super::limits::Limits;
use super::transport::Transport;
use super::write_rate::WriteRate;

/// Maximum time in which data of the client is discarded after the last
/// response, so that the client can read that response.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// `inner` with time limits. A wait that exceeds its limit fails with
/// [`io::ErrorKind::TimedOut`].
#[derive(Debug)]
pub(super) struct TimeoutStream<S> {
    inner: S,
    limits: Limits,
    state: Arc<ConnectionState>,
    timer: Pin<Box<Sleep>>,
    write_rate: WriteRate,
    /// The last two bytes received.
    tail: [u8; 2],
    /// True if the data received last does not end with the end of a head.
    is_amid_head: bool,
    /// True if all data received since the last response was read.
    is_drained: bool,
    has_timed_out: bool,
}

impl<S> TimeoutStream<S> {
    pub(super) fn new(inner: S, limits: Limits, state: Arc<ConnectionState>) -> Self {
        let (_, since) = state.phase();
        Self {
            inner,
            limits,
            state,
            timer: Box::pin(tokio::time::sleep_until(since + limits.header_timeout)),
            write_rate: WriteRate::new(limits.write_timeout),
            tail: [0; 2],
            is_amid_head: false,
            is_drained: true,
            has_timed_out: false,
        }
    }

    /// Ready once `deadline` has passed. The timer may be set too early, never
    /// too late.
    fn poll_deadline(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        if deadline < self.timer.deadline() {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    fn timed_out(&mut self) -> io::Error {
        self.has_timed_out = true;
        io::ErrorKind::TimedOut.into()
    }

    fn after_read(&mut self, data: &[u8]) {
        let [first, second] = self.tail;
        let end = match *data {
            [] => return,
            [last] => [first, second, last],
            [before, last] => [second, before, last],
            [.., before, middle, last] => [before, middle, last],
        };
        self.tail = [end[1], end[2]];
        // RFC 9112 §2.2: a line may also end with a bare LF.
        self.is_amid_head = !matches!(end, [_, b'\n', b'\n'] | [b'\n', b'\r', b'\n']);
        if self.state.phase().0 == Phase::Idle {
            self.state.enter(Phase::Head, Instant::now());
        }
    }

    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(count)) if count > 0 => {
                self.is_drained = false;
                let now = Instant::now();
                if self.write_rate.record(count, now).is_err() {
                    return Poll::Ready(Err(self.timed_out()));
                }
                if self.state.take_content() {
                    self.is_amid_head = false;
                }
                // Part of a head that was pipelined behind the request has the
                // limit of a head.
                let next = if self.is_amid_head { Phase::Head } else { Phase::Idle };
                self.state.enter(next, now);
                written
            }
            Poll::Pending => {
                let now = Instant::now();
                let mut deadline = self.write_rate.block(now);
                let (since, bytes) = self.write_rate.progress(now);
                self.state.enter(Phase::Write, since);
                self.state.set_bytes_sent(bytes);
                loop {
                    ready!(self.poll_deadline(deadline, context));
                    if self.write_rate.check().is_err() {
                        return Poll::Ready(Err(self.timed_out()));
                    }
                    deadline = self.write_rate.block(now);
                }
            }
            Poll::Ready(_) => written,
        }
    }
}

impl<S: Transport> TimeoutStream<S> {
    fn poll_wait_for_data(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let (phase, since) = self.state.phase();
        let limit = match phase {
            Phase::Write | Phase::Close => return Poll::Pending,
            Phase::Head => self.limits.header_timeout,
            Phase::Idle => self.limits.idle_timeout,
        };
        self.is_drained = true;
        let is_ending = match self.state.command() {
            Command::Serve => false,
            Command::Finish => !self.is_amid_head,
            Command::Yield | Command::Abort => true,
        };
        if is_ending {
            if self.inner.has_unread_data() {
                // Data has arrived that the runtime does not know of yet.
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            // `Ok` without data is the end of the stream: hyper closes the idle
            // connection.
            let end = if self.is_amid_head { Err(self.timed_out()) } else { Ok(()) };
            return Poll::Ready(end);
        }
        self.poll_deadline(since + limit, context).map(|()| Err(self.timed_out()))
    }

    /// Closes the connection. Data that the client still sends is read and
    /// discarded until the client closes too: closing on unread data resets the
    /// connection, and the reset can overtake the response (RFC 9112 §9.6).
    pub(super) async fn close(mut self) {
        if self.has_timed_out {
            return;
        }
        let shutdown = poll_fn(|context| Pin::new(&mut self.inner).poll_shutdown(context)).await;
        if shutdown.is_err() || self.is_drained {
            return;
        }
        let begun = Instant::now();
        self.state.enter(Phase::Close, begun);
        poll_fn(|context| self.poll_discard(begun + LINGER_TIMEOUT, context)).await;
    }

    fn poll_discard(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        let mut space = [0; 4096];
        loop {
            if self.poll_deadline(deadline, context).is_ready() {
                return Poll::Ready(());
            }
            let mut unread = ReadBuf::new(&mut space);
            let read = ready!(Pin::new(&mut self.inner).poll_read(context, &mut unread));
            if read.is_err() || unread.filled().is_empty() {
                return Poll::Ready(());
            }
        }
    }
}

impl<S: Transport> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        match &read {
            Poll::Ready(Ok(())) => self.after_read(&buffer.filled()[filled..]),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => return self.poll_wait_for_data(context),
        }
        read
    }
}

impl<S: Transport> AsyncWrite for TimeoutStream<S> {
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
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
