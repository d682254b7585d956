//! Byte streams that HTTP is spoken over.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio_rustls::server::TlsStream;

use super::write_coalescing;

/// A byte stream that a connection can be served on.
pub trait Transport: AsyncRead + AsyncWrite + Unpin {
    /// True if data has arrived that was not read yet.
    fn has_unread_data(&self) -> bool;

    /// True if a write may succeed although the last one had to wait. False where the kernel
    /// is not asked: for a stream in memory, and on platforms other than Unix, where the end of
    /// the server may cut off a response that could go on.
    fn has_free_space(&self) -> bool {
        false
    }
}

/// An accepted connection.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Transport for Stream {
    // Asks the kernel: the runtime's own record of readiness may be older.
    fn has_unread_data(&self) -> bool {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        let peeked = match self {
            Self::Tcp(stream) => SockRef::from(stream).peek(&mut byte),
            #[cfg(unix)]
            Self::Unix(stream) => SockRef::from(stream).peek(&mut byte),
        };
        matches!(peeked, Ok(1))
    }

    // Asks the kernel likewise.
    #[cfg(unix)]
    fn has_free_space(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut descriptors = [match self {
            Self::Tcp(stream) => PollFd::new(stream, PollFlags::OUT),
            Self::Unix(stream) => PollFd::new(stream, PollFlags::OUT),
        }];
        let immediately = Timespec { tv_sec: 0, tv_nsec: 0 };
        // POLLERR and POLLHUP are left to the write.
        poll(&mut descriptors, Some(&immediately)).is_ok_and(|ready| ready > 0)
    }
}

impl<S: Transport> Transport for TlsStream<S> {
    // Bytes that were read from the socket are decrypted at once, so only the socket can have
    // unread data.
    fn has_unread_data(&self) -> bool {
        self.get_ref().0.has_unread_data()
    }

    fn has_free_space(&self) -> bool {
        self.get_ref().0.has_free_space()
    }
}

impl<S: Transport> Transport for Box<S> {
    fn has_unread_data(&self) -> bool {
        S::has_unread_data(self)
    }

    fn has_free_space(&self) -> bool {
        S::has_free_space(self)
    }
}

/// Calls the same method of either stream.
macro_rules! delegate {
    ($self:expr, $stream:ident => $call:expr) => {
        match $self.get_mut() {
            Stream::Tcp($stream) => $call,
            #[cfg(unix)]
            Stream::Unix($stream) => $call,
        }
    };
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        delegate!(self, stream => Pin::new(stream).poll_read(context, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, stream => Pin::new(stream).poll_write(context, content))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, stream => write_coalescing::poll_write(Pin::new(stream), context, contents))
    }

    fn is_write_vectored(&self) -> bool {
        // Both kinds are.
        true
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, stream => Pin::new(stream).poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        delegate!(self, stream => Pin::new(stream).poll_shutdown(context))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    impl Stream {
        /// A client, and the server's side of its connection.
        pub(in crate::server) fn with_client() -> (std::os::unix::net::UnixStream, Self) {
            let (client, server) = std::os::unix::net::UnixStream::pair().unwrap();
            server.set_nonblocking(true).unwrap();
            (client, Self::Unix(UnixStream::from_std(server).unwrap()))
        }
    }
}
