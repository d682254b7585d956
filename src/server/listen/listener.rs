//! The listening sockets of one worker.

use std::io;
use std::net::TcpListener as StdTcpListener;
use std::os::unix::net::UnixListener as StdUnixListener;
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::net::{TcpListener, UnixListener};

use super::listen_address::Scheme;
use crate::server::peer::Peer;
use crate::server::socket::Transport;

/// Bytes of a connection that the kernel holds and has not sent yet, at which it takes no further write. They
/// bound the memory for clients that do not read. The kernel reports space once half of them are left, so
/// that a client that reads slowly makes progress within the default write limit (WIRE-25).
const UNSENT_MAX_BYTES: u32 = 14 * 1024;

/// Bytes of a connection that the kernel holds and that were not read yet; Linux doubles this for its
/// bookkeeping. They bound the memory for clients that send more while they do not read. By itself, the kernel
/// takes up to some megabytes.
const UNREAD_MAX_BYTES: usize = 24 * 1024;

/// One or more listening sockets that are served alike.
#[derive(Debug, Default)]
pub struct Listener {
    sockets: Vec<ListeningSocket>,
}

#[derive(Debug)]
enum ListeningSocket {
    Tcp(Scheme, StdTcpListener),
    Unix(StdUnixListener),
}

/// A connection, its client, and the protocol that is expected on it.
type Accepted = (Box<dyn Transport>, Peer, Scheme);

impl Listener {
    /// Adds a non-blocking TCP socket. Its connections inherit the options that
    /// are set here.
    pub fn push_tcp(&mut self, scheme: Scheme, socket: StdTcpListener) {
        // Errors are ignored: connections are then only slower or take more memory.
        // Responses are written at once: Nagle's algorithm would only delay them.
        let _ = SockRef::from(&socket).set_tcp_nodelay(true);
        let _ = SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT_MAX_BYTES);
        let _ = SockRef::from(&socket).set_recv_buffer_size(UNREAD_MAX_BYTES);
        self.sockets.push(ListeningSocket::Tcp(scheme, socket));
    }

    /// Adds a non-blocking Unix-domain socket.
    pub fn push_unix(&mut self, socket: StdUnixListener) {
        self.sockets.push(ListeningSocket::Unix(socket));
    }

    /// True if a socket is for `scheme`.
    pub fn serves(&self, expected: Scheme) -> bool {
        self.sockets.iter().any(|socket| match socket {
            ListeningSocket::Tcp(scheme, _) => *scheme == expected,
            ListeningSocket::Unix(_) => expected == Scheme::Http,
        })
    }

    /// A listener for another worker, which shares the queues of these sockets.
    pub fn try_clone(&self) -> io::Result<Self> {
        let clone = |socket: &ListeningSocket| {
            Ok(match socket {
                ListeningSocket::Tcp(scheme, socket) => {
                    ListeningSocket::Tcp(*scheme, socket.try_clone()?)
                }
                ListeningSocket::Unix(socket) => ListeningSocket::Unix(socket.try_clone()?),
            })
        };
        Ok(Self { sockets: self.sockets.iter().map(clone).collect::<io::Result<_>>()? })
    }

    /// Registers the sockets with the runtime of the current thread.
    pub(in crate::server) fn register(self) -> io::Result<RegisteredListener> {
        let register = |socket| {
            Ok(match socket {
                ListeningSocket::Tcp(scheme, socket) => {
                    RegisteredSocket::Tcp(scheme, TcpListener::from_std(socket)?)
                }
                ListeningSocket::Unix(socket) => {
                    RegisteredSocket::Unix(UnixListener::from_std(socket)?)
                }
            })
        };
        let sockets = self.sockets.into_iter().map(register).collect::<io::Result<_>>()?;
        Ok(RegisteredListener { sockets, next: 0 })
    }
}

/// A listener that is registered with a runtime.
#[derive(Debug)]
pub(in crate::server) struct RegisteredListener {
    sockets: Vec<RegisteredSocket>,
    /// Index of the socket to accept from first, so that none starves another.
    next: usize,
}

#[derive(Debug)]
enum RegisteredSocket {
    Tcp(Scheme, TcpListener),
    Unix(UnixListener),
}

impl RegisteredListener {
    /// The next connection on any of the sockets.
    pub(in crate::server) async fn accept(&mut self) -> io::Result<Accepted> {
        std::future::poll_fn(|context| self.poll_accept(context)).await
    }

    fn poll_accept(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Accepted>> {
        for _ in 0..self.sockets.len() {
            let socket = &self.sockets[self.next % self.sockets.len()];
            self.next = self.next.wrapping_add(1);
            let accepted = match socket {
                RegisteredSocket::Tcp(scheme, socket) => {
                    socket.poll_accept(context).map_ok(|(stream, address)| {
                        (Box::new(stream) as Box<dyn Transport>, Peer::Tcp(address), *scheme)
                    })
                }
                RegisteredSocket::Unix(socket) => {
                    socket.poll_accept(context).map_ok(|(stream, _)| {
                        (Box::new(stream) as Box<dyn Transport>, Peer::Unix, Scheme::Http)
                    })
                }
            };
            if accepted.is_ready() {
                return accepted;
            }
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_has_no_delay_and_limits_on_what_the_kernel_holds() {
        let socket = StdTcpListener::bind("127.0.0.1:0").unwrap();
        Listener::default().push_tcp(Scheme::Http, socket.try_clone().unwrap());
        let _client = std::net::TcpStream::connect(socket.local_addr().unwrap()).unwrap();
        let (stream, _) = socket.accept().unwrap();
        assert!(stream.nodelay().unwrap());
        let stream = SockRef::from(&stream);
        assert_eq!(stream.tcp_notsent_lowat().unwrap(), UNSENT_MAX_BYTES);
        assert_eq!(stream.recv_buffer_size().unwrap(), UNREAD_MAX_BYTES * 2);
    }
}
