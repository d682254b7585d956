//! The sockets that connections come in by.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use super::gathered;

/// One or several listening sockets, which are served alike.
#[derive(Debug, Default)]
pub struct Listener {
    sockets: Vec<Socket>,
    /// Where the next look begins, so that no socket starves another.
    next: usize,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener),
}

impl Listener {
    /// Adds a TCP socket. Answers are written in one go: there is nothing that
    /// Nagle's algorithm could wait for. Connections inherit that.
    pub fn push_tcp(&mut self, socket: TcpListener) {
        // A socket that refuses is merely slower.
        let _ = SockRef::from(&socket).set_tcp_nodelay(true);
        self.sockets.push(Socket::Tcp(socket));
    }

    /// Adds a Unix-domain socket.
    #[cfg(unix)]
    pub fn push_unix(&mut self, socket: UnixListener) {
        self.sockets.push(Socket::Unix(socket));
    }

    /// The next connection on any of the sockets.
    pub(super) async fn accept(&mut self) -> io::Result<(Stream, Peer)> {
        std::future::poll_fn(|context| self.poll_accept(context)).await
    }

    /// A connection that has come in already, without waiting for one.
    pub(super) fn accept_waiting(&mut self) -> Option<(Stream, Peer)> {
        match self.poll_accept(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(accepted)) => Some(accepted),
            Poll::Ready(Err(_)) | Poll::Pending => None,
        }
    }

    fn poll_accept(&mut self, context: &mut Context<'_>) -> Poll<io::Result<(Stream, Peer)>> {
        for _ in 0..self.sockets.len() {
            let socket = &self.sockets[self.next % self.sockets.len()];
            self.next = self.next.wrapping_add(1);
            let accepted = match socket {
                Socket::Tcp(socket) => socket
                    .poll_accept(context)
                    .map_ok(|(stream, address)| (Stream::Tcp(stream), Peer::Tcp(address))),
                #[cfg(unix)]
                Socket::Unix(socket) => socket
                    .poll_accept(context)
                    .map_ok(|(stream, _)| (Stream::Unix(stream), Peer::Unix)),
            };
            if accepted.is_ready() {
                return accepted;
            }
        }
        Poll::Pending
    }
}

impl From<TcpListener> for Listener {
    fn from(socket: TcpListener) -> Self {
        let mut listener = Self::default();
        listener.push_tcp(socket);
        listener
    }
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A client, or the proxy before it, at this address.
    Tcp(SocketAddr),
    /// A program of this machine.
    #[cfg(unix)]
    Unix,
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.ip().to_canonical().fmt(formatter),
            #[cfg(unix)]
            Self::Unix => formatter.write_str("unix:"),
        }
    }
}

/// An accepted connection.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// Calls the same method of whichever stream it is.
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
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        delegate!(self, stream => gathered::poll_write(Pin::new(stream), context, contents))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_waits_for_no_acknowledgement() {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let mut listener = Listener::from(socket);
        let _client = TcpStream::connect(address).await.unwrap();
        let (Stream::Tcp(stream), _) = listener.accept().await.unwrap() else {
            panic!("not what was listened on");
        };
        assert!(stream.nodelay().unwrap());
    }
}
