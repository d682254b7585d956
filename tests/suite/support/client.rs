//! A client that sends raw bytes and returns responses as they were received.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use memchr::memmem;
use recipelog_site::server::ByteStream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::support::process::DEADLINE;
use crate::support::site::field;
use crate::support::tls::TlsServer;

/// Sends `request`. Returns everything that is received until the connection ends.
pub async fn exchange(
    stream: &mut (impl AsyncReadExt + AsyncWriteExt + Unpin),
    request: &[u8],
) -> String {
    stream.write_all(request).await.expect("the server reads");
    stream.flush().await.expect("the server reads");
    let mut response = Vec::new();
    let read = timeout(DEADLINE, stream.read_to_end(&mut response)).await;
    read.expect("the end of the connection").expect("an orderly end");
    String::from_utf8_lossy(&response).into_owned()
}

/// The bytes that a server sends in response to `request` until it closes the connection.
pub fn exchange_over_unix(path: &Path, request: &str) -> Vec<u8> {
    let mut connection = Connection::over(UnixStream::connect(path).expect("a connection"));
    connection.send(request);
    connection.rest().expect("the server closes")
}

/// How a client connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Plain,
    /// To the port of HTTPS, without a handshake.
    Handshake,
    /// After a handshake that agrees on this protocol.
    Tls(&'static str),
}

impl Way {
    pub async fn connect(self, site: &TlsServer) -> Box<dyn ByteStream + Send> {
        let connect = tokio::net::TcpStream::connect;
        match self {
            Self::Plain => Box::new(connect(site.server.address).await.expect("a connection")),
            Self::Handshake => {
                Box::new(connect(site.server.tls_address).await.expect("a connection"))
            }
            Self::Tls(protocol) => Box::new(site.connect(protocol.as_bytes()).await),
        }
    }
}

/// One connection to the server.
pub struct Connection<S = TcpStream> {
    pub stream: S,
    /// What arrived after the last response.
    received: Vec<u8>,
}

/// One response as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub version: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub content: Vec<u8>,
}

impl Reply {
    /// The value of a field; `None` if it is missing. Panics if it is repeated.
    pub fn field(&self, name: &str) -> Option<&str> {
        field(&self.headers, name)
    }
}

impl Connection {
    pub fn open(address: SocketAddr) -> Self {
        Self::of(TcpStream::connect(address).expect("a connection"))
    }

    /// Connects from another address of this machine. `receive_buffer` sets the size
    /// of the socket's receive buffer in bytes. A drop resets the connection.
    pub fn open_from(source: [u8; 4], address: SocketAddr, receive_buffer: Option<usize>) -> Self {
        use socket2::{Domain, Socket, Type};
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        if let Some(size) = receive_buffer {
            socket.set_recv_buffer_size(size).expect("a size");
        }
        // A closed connection would keep its port for a minute. After thousands of them, the
        // kernel takes a long time to find a free port, and finally finds none.
        socket.set_linger(Some(Duration::ZERO)).expect("a time");
        socket.bind(&SocketAddr::from((source, 0)).into()).expect("a loopback address");
        socket.connect(&address.into()).expect("a connection");
        Self::of(socket.into())
    }

    fn of(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(DEADLINE)).expect("a time above zero");
        stream.set_write_timeout(Some(DEADLINE)).expect("a time above zero");
        stream.set_nodelay(true).expect("a TCP stream");
        Self::over(stream)
    }

    /// True if the server has not closed the connection, and has sent nothing
    /// that was not read.
    pub fn is_open(&mut self) -> bool {
        self.stream.set_nonblocking(true).expect("a socket");
        let peeked = self.stream.peek(&mut [0]);
        self.stream.set_nonblocking(false).expect("a socket");
        peeked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    pub fn count_open(connections: &mut [Self]) -> usize {
        connections.iter_mut().map(Self::is_open).filter(|&is_open| is_open).count()
    }
}

impl<S: Read + Write> Connection<S> {
    pub fn over(stream: S) -> Self {
        Self { stream, received: Vec::new() }
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the server reads");
    }

    /// The response to `GET path`.
    pub fn get(&mut self, path: &str) -> Reply {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: a.example\r\n\r\n"));
        self.reply().unwrap_or_else(|error| panic!("GET {path}: {error}"))
    }

    /// The next response, with its content. Not for a response to HEAD.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let mut reply = self.head()?;
        let length = reply.field("content-length").map_or(0, |length| length.parse().unwrap());
        while self.received.len() < length {
            self.receive()?;
        }
        reply.content = self.received.drain(..length).collect();
        Ok(reply)
    }

    /// The head of the next response.
    pub fn head(&mut self) -> io::Result<Reply> {
        let end = loop {
            match memmem::find(&self.received, b"\r\n\r\n") {
                Some(end) => break end,
                None => self.receive()?,
            }
        };
        let head: Vec<u8> = self.received.drain(..end + 4).collect();
        parse(&head[..end]).ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidData, String::from_utf8_lossy(&head).into_owned())
        })
    }

    fn receive(&mut self) -> io::Result<()> {
        let mut chunk = [0; 65_536];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.received.extend_from_slice(&chunk[..count]);
                Ok(())
            }
            // A machine that pauses this process ends a read with a time limit (signal(7)).
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// All bytes until the server closes the connection. An error if the server
    /// does not close it in time, or resets it.
    pub fn rest(mut self) -> io::Result<Vec<u8>> {
        loop {
            match self.receive() {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(self.received),
                received => received?,
            }
        }
    }

    /// True if the server closes the connection without sending another byte.
    pub fn ends_here(self) -> bool {
        matches!(self.rest(), Ok(rest) if rest.is_empty())
    }
}

fn parse(head: &[u8]) -> Option<Reply> {
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let mut status_line = lines.next()?.splitn(3, ' ');
    let version = status_line.next()?.to_owned();
    let status = status_line.next()?.parse().ok()?;
    // RFC 9112 §4: the second space is present even if the reason phrase is empty.
    status_line.next()?;
    let fields = lines.map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse::<HeaderName>().ok()?, value.trim().parse::<HeaderValue>().ok()?))
    });
    Some(Reply { version, status, headers: fields.collect::<Option<_>>()?, content: Vec::new() })
}
