//! A stream of HTTP/1.1 that ends a connection whose client exceeds the time
//! limit of a head or the idle limit (HTTP-25).
//!
//! hyper's `header_read_timeout` starts one timer per request. Here a connection
//! has one timer for both limits. It is reset only when it fires or when a
//! shorter limit begins, so a request that arrives and is answered without a
//! pause needs no timer operation.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::deadline::DeadlineTimer;
use super::linger::Linger;
use crate::server::admission::{Command, ConnectionState, Phase};
use crate::server::limits::Limits;
use crate::server::listen::Scheme;
use crate::server::transport::Transport;

/// `inner` with time limits on reading. A wait that exceeds its limit fails with
/// [`io::ErrorKind::TimedOut`].
#[derive(Debug)]
pub(in crate::server) struct TimeoutStream<S> {
    inner: S,
    limits: Limits,
    state: Arc<ConnectionState>,
    timer: DeadlineTimer,
    /// The last two bytes received.
    tail: [u8; 2],
    /// True if the data received last does not end with the end of a head, or none has been
    /// received yet after a handshake.
    is_amid_head: bool,
    /// True if all data received since the last response was read.
    is_drained: bool,
    has_timed_out: bool,
}

impl<S> TimeoutStream<S> {
    pub(in crate::server) fn new(
        inner: S,
        scheme: Scheme,
        limits: Limits,
        state: Arc<ConnectionState>,
    ) -> Self {
        let (_, since) = state.phase();
        Self {
            inner,
            limits,
            state,
            timer: DeadlineTimer::new(since + limits.header_timeout),
            tail: [0; 2],
            // After a handshake, the first request may be on its way (HTTP-28).
            is_amid_head: scheme == Scheme::Https,
            is_drained: true,
            has_timed_out: false,
        }
    }

    fn timed_out(&mut self) -> io::Error {
        self.has_timed_out = true;
        io::ErrorKind::TimedOut.into()
    }

    fn after_read(&mut self, data: &[u8]) {
        if self.state.phase().0 == Phase::Idle {
            // RFC 9112 §2.2: empty lines before a request are ignored.
            if data.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
                return;
            }
            self.state.enter(Phase::Head, Instant::now());
        }
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
    }

    fn after_write(&mut self, count: usize) {
        if count > 0 {
            self.is_drained = false;
            if self.state.take_content() {
                self.is_amid_head = false;
            }
            self.wait_for_client();
        }
    }

    /// Part of a head that was pipelined behind the request has the limit of a
    /// head.
    fn wait_for_client(&self) {
        let next = if self.is_amid_head { Phase::Head } else { Phase::Idle };
        self.state.enter(next, Instant::now());
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
            Command::Yield | Command::Settle | Command::Abort => true,
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
        self.timer.poll(since + limit, context).map(|()| Err(self.timed_out()))
    }

    /// Closes the connection, and waits for the client's close if it may still be
    /// sending.
    pub(in crate::server) async fn close(mut self) {
        if self.has_timed_out {
            return;
        }
        let shutdown = poll_fn(|context| Pin::new(&mut self.inner).poll_shutdown(context)).await;
        if shutdown.is_err() || self.is_drained {
            return;
        }
        self.state.enter(Phase::Close, Instant::now());
        let mut linger = Linger::new();
        poll_fn(|context| linger.poll_discard(&mut self.inner, context)).await;
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
        let count = ready!(Pin::new(&mut self.inner).poll_write(context, content))?;
        self.after_write(count);
        Poll::Ready(Ok(count))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.inner).poll_write_vectored(context, contents))?;
        self.after_write(count);
        Poll::Ready(Ok(count))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.inner).poll_flush(context))?;
        // TLS may take more than the kernel does. Then the flush waited, not the write.
        if self.state.phase().0 == Phase::Write {
            self.wait_for_client();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::server::admission::Connections;
    use crate::server::client::Peer;

    /// A stream whose client sends nothing. Writes succeed, and the first flush is pending once.
    struct WaitingFlush {
        state: Arc<ConnectionState>,
        has_waited: bool,
    }

    impl Transport for WaitingFlush {
        fn has_unread_data(&self) -> bool {
            false
        }
    }

    impl AsyncRead for WaitingFlush {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Poll::Pending
        }
    }

    impl AsyncWrite for WaitingFlush {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            content: &[u8],
        ) -> Poll<io::Result<usize>> {
            Poll::Ready(Ok(content.len()))
        }

        fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            if std::mem::replace(&mut self.has_waited, true) {
                return Poll::Ready(Ok(()));
            }
            self.state.enter(Phase::Write, Instant::now());
            context.waker().wake_by_ref();
            Poll::Pending
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_idle_limit_begins_after_a_flush_that_waited() {
        let limits = Limits::default();
        let state = Arc::clone(&Connections::new(&limits).admit_beyond_cap(Peer::Unix).state);
        let inner = WaitingFlush { state: Arc::clone(&state), has_waited: false };
        let mut stream = TimeoutStream::new(inner, Scheme::Http, limits, Arc::clone(&state));
        stream.write_all(b"response").await.unwrap();
        stream.flush().await.unwrap();
        assert_eq!(state.phase().0, Phase::Idle);

        let begun = Instant::now();
        let error = stream.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let elapsed = begun.elapsed();
        assert!(elapsed.abs_diff(limits.idle_timeout).as_secs() < 1, "{elapsed:?}");
    }
}
