//! The stream between the network and TLS, hyper or h2.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use super::activity::Activity;
use crate::server::limits::{LINGER_TIMEOUT, READ_TURN_BYTES, WRITE_MAX_BYTES};

/// A byte stream that a connection can be served on: TCP, Unix, or in memory.
pub trait ByteStream: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> ByteStream for T {}

/// A connection without TLS, or with it. Parts that only TLS needs are boxed, so a plain
/// connection does not pay for them.
pub(super) type MaybeTls = Either<ClientSocket, Box<TlsStream<ClientSocket>>>;

/// A socket that records what its client does. It is below TLS, because only the socket shows how
/// much the client takes.
pub(super) struct ClientSocket {
    inner: Box<dyn ByteStream>,
    activity: Rc<Activity>,
    /// The byte that was read by [`Self::peek`], and is read again next.
    peeked: Option<u8>,
    /// Bytes that were read in a row.
    read: usize,
    /// Runs once the sending side is closed.
    linger: Option<Pin<Box<Sleep>>>,
}

impl ClientSocket {
    pub(super) fn new(inner: Box<dyn ByteStream>, activity: Rc<Activity>) -> Self {
        Self { inner, activity, peeked: None, read: 0, linger: None }
    }

    /// The next byte, which stays unread. An error at the end of the stream.
    pub(super) async fn peek(&mut self) -> io::Result<u8> {
        let byte = self.read_u8().await?;
        self.peeked = Some(byte);
        Ok(byte)
    }

    /// Reads, but gives others a turn after [`READ_TURN_BYTES`].
    fn poll_read_in_turn(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read >= READ_TURN_BYTES {
            self.read = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        self.read = if read.is_ready() { self.read + buffer.filled().len() - filled } else { 0 };
        read
    }

    /// Discards input up to its end, or an error, which means that the client has left.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [MaybeUninit::uninit(); READ_TURN_BYTES];
        loop {
            let mut buffer = ReadBuf::uninit(&mut bytes);
            let read = ready!(self.poll_read_in_turn(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(());
            }
        }
    }

    fn after_write(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let activity = &self.activity;
        match &written {
            Poll::Ready(Ok(_)) => activity.record_sent(),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => activity.record_full(),
        }
        written
    }
}

impl AsyncRead for ClientSocket {
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
        let read = self.poll_read_in_turn(context, buffer);
        if buffer.filled().len() > filled {
            self.activity.record_received();
        }
        read
    }
}

impl AsyncWrite for ClientSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let content = &content[..content.len().min(WRITE_MAX_BYTES)];
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        self.after_write(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut length = 0;
        let fits = |content: &&IoSlice<'_>| {
            length += content.len();
            length <= WRITE_MAX_BYTES
        };
        let count = contents.iter().take_while(fits).count();
        if count == 0 {
            return self.poll_write(context, contents.first().map_or(&[], |content| content));
        }
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, &contents[..count]);
        self.after_write(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    /// Closes the sending side, and waits until the client closes its own, too.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.inner).poll_shutdown(context))?;
            self.linger = Some(Box::pin(sleep(LINGER_TIMEOUT)));
        }
        let is_over =
            self.linger.as_mut().is_some_and(|timer| timer.as_mut().poll(context).is_ready());
        if !is_over {
            ready!(self.poll_discard(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;
    use crate::server::admission::Connections;
    use crate::server::limits::Limits;
    use crate::server::peer::Peer;

    #[tokio::test]
    async fn a_client_that_always_sends_gives_way_to_others() {
        let (mut client, server) = duplex(1024 * 1024);
        client.write_all(&[b'a'; 100 * 1024]).await.unwrap();
        let permit = Connections::new(&Limits::DEFAULT, false).admit_beyond_cap(Peer::Unix);
        let mut socket = ClientSocket::new(Box::new(server), Activity::new(permit).into());
        let mut received = [0; 4096];
        let read = poll_fn(|context| {
            let mut count = 0;
            loop {
                let mut buffer = ReadBuf::new(&mut received);
                match Pin::new(&mut socket).poll_read(context, &mut buffer) {
                    Poll::Ready(read) => count += read.map(|()| buffer.filled().len()).unwrap(),
                    Poll::Pending => return Poll::Ready(count),
                }
            }
        });
        assert_eq!(read.await, READ_TURN_BYTES);
        let mut rest = vec![0; 100 * 1024 - READ_TURN_BYTES];
        socket.read_exact(&mut rest).await.unwrap();
    }
}
