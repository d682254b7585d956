//! The listening sockets of one worker.

use std::io;

use socket2::{Domain, Socket};
use tokio::net::{TcpListener, UnixListener};

use crate::server::connection::ByteStream;
use crate::server::peer::Peer;
use crate::server::scheme::Scheme;

/// Unsent bytes of a connection in the kernel beyond which it takes no more writes. They bound the
/// memory for clients that do not read. The kernel reports space once half of them are left, so a
/// client that reads slowly makes progress within the default write limit (WIRE-25).
const UNSENT_MAX_BYTES: u32 = 14 * 1024;

/// Unread bytes of a connection in the kernel; Linux doubles this for its bookkeeping. They bound
/// the memory for clients that send more while they do not read. By itself, the kernel takes up to
/// some megabytes.
const UNREAD_MAX_BYTES: usize = 16 * 1024;

/// The listening sockets of one worker, each with the protocol of its connections.
#[derive(Debug, Default)]
pub struct WorkerSockets {
    pub(in crate::server) sockets: Vec<(Scheme, Socket)>,
}

impl WorkerSockets {
    /// Adds a socket for TCP, or for a Unix domain. Connections of TCP inherit the options that are
    /// set here.
    pub(super) fn push(&mut self, scheme: Scheme, socket: Socket) -> io::Result<()> {
        socket.set_nonblocking(true)?;
        // Errors are ignored: connections are then only slower or take more memory. Unix sockets
        // have only one of the options.
        let _ = socket.set_tcp_notsent_lowat(UNSENT_MAX_BYTES);
        let _ = socket.set_recv_buffer_size(UNREAD_MAX_BYTES);
        // Responses are written at once: Nagle's algorithm would only delay them.
        let _ = socket.set_tcp_nodelay(true);
        self.sockets.push((scheme, socket));
        Ok(())
    }

    /// True if a socket is for `scheme`.
    pub fn serves(&self, scheme: Scheme) -> bool {
        self.sockets.iter().any(|(other, _)| *other == scheme)
    }

    /// The sockets of another worker, which share the queues of these.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        let clone = |(scheme, socket): &(_, Socket)| Ok((*scheme, socket.try_clone()?));
        Ok(Self { sockets: self.sockets.iter().map(clone).collect::<io::Result<_>>()? })
    }
}

/// A socket that accepts connections on the runtime of the current thread.
#[derive(Debug)]
pub(in crate::server) enum Acceptor {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Acceptor {
    /// Registers `socket` with the runtime.
    pub(in crate::server) fn new(socket: Socket) -> io::Result<Self> {
        Ok(if socket.domain()? == Domain::UNIX {
            Self::Unix(UnixListener::from_std(socket.into())?)
        } else {
            Self::Tcp(TcpListener::from_std(socket.into())?)
        })
    }

    /// The next connection, and its client.
    pub(in crate::server) async fn accept(&self) -> io::Result<(Box<dyn ByteStream>, Peer)> {
        Ok(match self {
            Self::Tcp(socket) => {
                let (stream, address) = socket.accept().await?;
                (Box::new(stream), Peer::Tcp(address))
            }
            Self::Unix(socket) => (Box::new(socket.accept().await?.0), Peer::Unix),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_has_no_delay_and_limits_on_what_the_kernel_holds() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let shared = socket.try_clone().unwrap();
        WorkerSockets::default().push(Scheme::Http, shared.into()).unwrap();
        socket.set_nonblocking(false).unwrap();
        let _client = std::net::TcpStream::connect(socket.local_addr().unwrap()).unwrap();
        let (stream, _) = socket.accept().unwrap();
        assert!(stream.nodelay().unwrap());
        let stream = socket2::SockRef::from(&stream);
        assert_eq!(stream.tcp_notsent_lowat().unwrap(), UNSENT_MAX_BYTES);
        assert_eq!(stream.recv_buffer_size().unwrap(), UNREAD_MAX_BYTES * 2);
    }
}
