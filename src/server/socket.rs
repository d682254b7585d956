//! The streams between the network and hyper: a socket that records what its client does, and the
//! stream that hyper writes to.

use std::cell::Cell;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use super::activity::{Activity, Wait};

/// A byte stream that a connection can be served on: TCP, Unix, TLS, or in memory.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// Maximum bytes of a write, before and after the socket was full. The kernel takes a whole write as soon
/// as there is any space, and reports space again once most of it was sent. With larger writes, a client
/// that reads slowly but fast enough would seem to make no progress for the write limit (WIRE-25).
const WRITE_MAX_BYTES: usize = 15 * 1024;
const SLOW_WRITE_MAX_BYTES: usize = 1536;

/// A socket. It is below TLS, because only the socket shows how much the client takes.
pub(super) struct Socket {
    inner: Box<dyn Transport>,
    activity: Arc<Activity>,
    was_full: bool,
    /// The byte that was read by [`Self::peek`], and is read again next.
    peeked: Option<u8>,
}

impl Socket {
    pub(super) fn new(inner: Box<dyn Transport>, activity: Arc<Activity>) -> Self {
        Self { inner, activity, was_full: false, peeked: None }
    }

    /// The next byte, which stays unread. An error at the end of the stream.
    pub(super) async fn peek(&mut self) -> io::Result<u8> {
        let byte = self.read_u8().await?;
        self.peeked = Some(byte);
        Ok(byte)
    }

    fn write_max(&self) -> usize {
        if self.was_full { SLOW_WRITE_MAX_BYTES } else { WRITE_MAX_BYTES }
    }

    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(count)) => self.activity.record_sent(*count),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                self.was_full = true;
                self.activity.record_full();
            }
        }
        written
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buffer.remaining() > 0
            && let Some(byte) = self.peeked.take()
        {
            buffer.put_slice(&[byte]);
            return Poll::Ready(Ok(()));
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if buffer.filled().len() > filled {
            self.activity.record_received();
            // The next response may be read faster.
            self.was_full &= self.activity.wait() == Wait::Reader;
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let content = &content[..content.len().min(self.write_max())];
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        self.after_write(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if contents.iter().map(|content| content.len()).sum::<usize>() > self.write_max() {
            let first = contents.iter().find(|content| !content.is_empty());
            return self.poll_write(context, first.map_or(&[], |content| content));
        }
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, contents);
        self.after_write(written)
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

/// Maximum bytes that are collected. A frame of HTTP/2 with its head fits, and every compressed page.
const COLLECTED_MAX_BYTES: usize = 32 * 1024;

thread_local! {
    /// A buffer that no connection uses now, so that an idle connection takes no memory for one.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Bytes in a row after which the next read waits for another turn. Otherwise a client that floods would
/// keep the others of its worker waiting, because h2 reads as long as there is something to read.
const READ_TURN_BYTES: usize = 4 * 1024;

/// A stream that collects what hyper writes, until [`Self::poll_send`] sends it: one handle is hyper's,
/// the other that of the connection's task, which sends once in each of its turns. h2 flushes
/// each frame alone, and the kernel needs more time for two slices than for their copy. It also
/// limits what hyper reads in a row.
#[derive(Clone)]
pub(super) struct CollectingStream(Arc<Mutex<Collecting>>);

struct Collecting {
    inner: Box<dyn Transport>,
    collected: Vec<u8>,
    /// The part of `collected` that was sent.
    sent: usize,
    /// Bytes that were read in a row.
    read: usize,
}

impl CollectingStream {
    pub(super) fn new(inner: Box<dyn Transport>) -> Self {
        let stream = Collecting { inner, collected: Vec::new(), sent: 0, read: 0 };
        Self(Arc::new(Mutex::new(stream)))
    }

    /// Sends what was collected.
    pub(super) fn poll_send(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.lock().poll_send(context)
    }

    fn lock(&self) -> MutexGuard<'_, Collecting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collecting {
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let rest @ [_, ..] = &self.collected[self.sent..] {
            match ready!(Pin::new(&mut self.inner).poll_write(context, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.sent += count,
            }
        }
        if self.sent > 0 {
            self.collected.clear();
            self.sent = 0;
            SPARE.set(std::mem::take(&mut self.collected));
        }
        Pin::new(&mut self.inner).poll_flush(context)
    }
}

impl AsyncRead for CollectingStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut stream = self.lock();
        if stream.read >= READ_TURN_BYTES {
            stream.read = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut stream.inner).poll_read(context, buffer);
        stream.read =
            if read.is_ready() { stream.read + buffer.filled().len() - filled } else { 0 };
        read
    }
}

impl AsyncWrite for CollectingStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(content)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut stream = self.lock();
        let length = contents.iter().map(|content| content.len()).sum::<usize>();
        if stream.collected.len() + length > COLLECTED_MAX_BYTES {
            ready!(stream.poll_send(context))?;
            if length > COLLECTED_MAX_BYTES {
                return Pin::new(&mut stream.inner).poll_write_vectored(context, contents);
            }
        }
        if stream.collected.is_empty() {
            stream.collected = SPARE.take();
        }
        for content in contents {
            stream.collected.extend_from_slice(content);
        }
        Poll::Ready(Ok(length))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Does nothing: the connection's task sends at the end of its turn.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut stream = self.lock();
        ready!(stream.poll_send(context))?;
        Pin::new(&mut stream.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_client_that_always_sends_gives_way_to_others() {
        let (mut client, server) = duplex(1024 * 1024);
        client.write_all(&[b'a'; 100 * 1024]).await.unwrap();
        let mut stream = CollectingStream::new(Box::new(server));
        let mut received = [0; 4096];
        let read = poll_fn(|context| {
            let mut count = 0;
            loop {
                let mut buffer = ReadBuf::new(&mut received);
                match Pin::new(&mut stream).poll_read(context, &mut buffer) {
                    Poll::Ready(read) => count += read.map(|()| buffer.filled().len()).unwrap(),
                    Poll::Pending => return Poll::Ready(count),
                }
            }
        });
        assert_eq!(read.await, READ_TURN_BYTES);
        let mut rest = vec![0; 100 * 1024 - READ_TURN_BYTES];
        stream.read_exact(&mut rest).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn what_hyper_writes_leaves_together_and_in_order() {
        let (mut client, server) = duplex(1024 * 1024);
        let mut stream = CollectingStream::new(Box::new(server));
        let large = [b'c'; COLLECTED_MAX_BYTES + 1];
        for part in [&b"a"[..], b"b"] {
            stream.write_all(part).await.unwrap();
            stream.flush().await.unwrap();
        }
        let early = tokio::time::timeout(Duration::from_secs(1), client.read_u8());
        assert!(early.await.is_err(), "sent before the end of the turn");
        stream.write_all(&large).await.unwrap();
        stream.write_all(b"d").await.unwrap();
        poll_fn(|context| stream.poll_send(context)).await.unwrap();
        drop(stream);
        let mut received = Vec::new();
        client.read_to_end(&mut received).await.unwrap();
        assert_eq!(received, [b"ab", &large[..], b"d"].concat());
    }
}
