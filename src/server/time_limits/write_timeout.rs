//! A stream that fails once its client reads too slowly (HTTP-25). It is the
//! innermost stream, because only there is it known what the kernel takes: TLS and
//! HTTP/2 buffer data of their own.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::deadline::DeadlineTimer;
use super::write_rate::WriteRate;
use crate::server::admission::{Command, ConnectionState, Phase};
use crate::server::limits::Limits;
use crate::server::transport::Transport;

/// `inner` with a time limit on writing. A write that exceeds it fails with
/// [`io::ErrorKind::TimedOut`], and so does each later one.
#[derive(Debug)]
pub(in crate::server) struct WriteTimeoutStream<S> {
    inner: S,
    state: Arc<ConnectionState>,
    rate: WriteRate,
    /// `None` until the client makes the server wait, which most never do.
    timer: Option<DeadlineTimer>,
    has_timed_out: bool,
    has_received: bool,
}

impl<S: Transport> WriteTimeoutStream<S> {
    /// True if the client has not sent a byte.
    pub(in crate::server) fn is_silent(&self) -> bool {
        !self.has_received && !self.inner.has_unread_data()
    }

    fn after_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(count)) if count > 0 => {
                if self.rate.record(count, Instant::now()).is_err() {
                    return Poll::Ready(Err(self.timed_out()));
                }
                written
            }
            Poll::Ready(_) => written,
            Poll::Pending => {
                let now = Instant::now();
                let mut deadline = self.rate.block(now);
                let (since, bytes) = self.rate.progress(now);
                self.state.enter(Phase::Write, since);
                self.state.set_bytes_sent(bytes);
                // The client may have read what the runtime does not know of yet.
                if self.state.command() == Command::Settle && !self.inner.has_free_space() {
                    self.state.settle();
                }
                loop {
                    ready!(self.poll_deadline(deadline, context));
                    if self.rate.check().is_err() {
                        return Poll::Ready(Err(self.timed_out()));
                    }
                    deadline = self.rate.block(now);
                }
            }
        }
    }
}

impl<S> WriteTimeoutStream<S> {
    pub(in crate::server) fn new(inner: S, limits: &Limits, state: Arc<ConnectionState>) -> Self {
        let rate = WriteRate::new(limits.write_timeout);
        Self { inner, state, rate, timer: None, has_timed_out: false, has_received: false }
    }

    fn poll_deadline(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        let timer = self.timer.get_or_insert_with(|| DeadlineTimer::new(deadline));
        timer.poll(deadline, context)
    }

    fn timed_out(&mut self) -> io::Error {
        self.has_timed_out = true;
        io::ErrorKind::TimedOut.into()
    }
}

impl<S: Transport> Transport for WriteTimeoutStream<S> {
    fn has_unread_data(&self) -> bool {
        self.inner.has_unread_data()
    }

    fn has_free_space(&self) -> bool {
        self.inner.has_free_space()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        self.has_received |= buffer.filled().len() > filled;
        read
    }
}

impl<S: Transport> AsyncWrite for WriteTimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.has_timed_out {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        self.after_write(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.has_timed_out {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
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
        if self.has_timed_out {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Read;
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

    use super::*;
    use crate::server::admission::Connections;
    use crate::server::client::Peer;
    use crate::server::transport::Stream;

    impl Transport for DuplexStream {
        fn has_unread_data(&self) -> bool {
            false
        }
    }

    /// Admission closes the slowest reader (HTTP-26).
    #[tokio::test(start_paused = true)]
    async fn admission_knows_how_much_a_client_reads() {
        let limits = Limits::default();
        let state = Arc::clone(&Connections::new(&limits).admit_beyond_cap(Peer::Unix).state);
        let (mut client, server) = tokio::io::duplex(1_000);
        let mut stream = WriteTimeoutStream::new(server, &limits, Arc::clone(&state));
        let begun = Instant::now();
        let reading = async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            tokio::io::copy(&mut (&mut client).take(1_000), &mut tokio::io::sink()).await.unwrap();
            tokio::time::sleep(Duration::from_secs(1)).await;
        };
        tokio::select! {
            _ = stream.write_all(&[0; 10_000]) => panic!("the client has not read everything"),
            () = reading => {}
        }
        assert_eq!(state.phase(), (Phase::Write, begun));
        assert_eq!(state.bytes_sent(), 1_000);
    }

    /// At the end of the server, after a time in which the process was stopped (HTTP-25).
    #[cfg(unix)]
    #[tokio::test]
    async fn the_end_cuts_off_no_client_that_has_read_what_the_runtime_does_not_know_of_yet() {
        for has_read in [true, false] {
            let limits = Limits::default();
            let connections = Connections::new(&limits);
            let connection = connections.admit_beyond_cap(Peer::Unix);
            let state = &connection.state;
            let (mut client, server) = Stream::with_client();
            let mut stream = WriteTimeoutStream::new(server, &limits, Arc::clone(state));
            let mut count = 0;
            while let Ok(Ok(written)) =
                tokio::time::timeout(Duration::from_millis(50), stream.write(&[0; 10_000])).await
            {
                count += written;
            }
            assert_eq!((state.phase().0, state.is_settled()), (Phase::Write, false));
            if has_read {
                client.read_exact(&mut vec![0; count]).unwrap();
            }

            connections.give_all(Command::Settle);
            let written = poll_fn(|context| {
                Poll::Ready(Pin::new(&mut stream).poll_write(context, b"a").is_ready())
            });
            assert!(!written.await, "the runtime has asked the kernel");
            assert_eq!(state.is_settled(), !has_read);
        }
    }
}
