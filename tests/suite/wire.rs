//! A client that sends the bytes that it is given and hides nothing of what
//! comes back.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use crate::executable::DEADLINE;

/// One connection.
pub struct Connection {
    pub stream: TcpStream,
    received: Vec<u8>,
}

/// One response as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub version: String,
    pub status: u16,
    pub fields: Vec<(String, String)>,
    pub content: Vec<u8>,
}

impl Reply {
    /// The value of a field that stands once.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.fields.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
        let line = lines.next()?;
        assert!(lines.next().is_none(), "{name} stands twice in {self:?}");
        Some(&line.1)
    }
}

impl Connection {
    pub fn open(address: SocketAddr) -> Self {
        Self::of(TcpStream::connect(address).expect("a connection"))
    }

    /// From another address of this machine. With `receive_buffer`, the client
    /// takes about so many bytes before the server has to wait.
    #[cfg(target_os = "linux")]
    pub fn open_from(source: [u8; 4], address: SocketAddr, receive_buffer: Option<usize>) -> Self {
        use socket2::{Domain, Socket, Type};
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        if let Some(size) = receive_buffer {
            socket.set_recv_buffer_size(size).expect("a size");
        }
        socket.bind(&SocketAddr::from((source, 0)).into()).expect("a loopback address");
        socket.connect(&address.into()).expect("a connection");
        Self::of(socket.into())
    }

    fn of(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(DEADLINE)).expect("a time above zero");
        stream.set_write_timeout(Some(DEADLINE)).expect("a time above zero");
        stream.set_nodelay(true).expect("a TCP stream");
        Self { stream, received: Vec::new() }
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).expect("the server reads");
    }

    /// `GET path`, as every client sends it.
    pub fn get(&mut self, path: &str) -> Reply {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: a.example\r\n\r\n"));
        self.reply().unwrap_or_else(|error| panic!("GET {path}: {error}"))
    }

    /// Half-closes: no byte comes from here any more.
    pub fn send_no_more(&mut self) {
        self.stream.shutdown(Shutdown::Write).expect("an open connection");
    }

    /// The next response to a request that was not HEAD.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let mut reply = self.head()?;
        let length = reply.field("content-length").map_or(0, |length| length.parse().unwrap());
        while self.received.len() < length {
            self.receive()?;
        }
        reply.content = self.received.drain(..length).collect();
        Ok(reply)
    }

    /// The next response's head, which is all that HEAD gets.
    pub fn head(&mut self) -> io::Result<Reply> {
        let end = loop {
            let end = self.received.windows(4).position(|window| window == b"\r\n\r\n");
            match end {
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
        loop {
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    self.received.extend_from_slice(&chunk[..count]);
                    return Ok(());
                }
                // signal(7): a read with a time limit ends so when the process
                // is stopped and continued, as by a machine that is frozen.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// True if the server has not closed the connection, and has sent nothing
    /// that was not read.
    pub fn is_open(&mut self) -> bool {
        self.stream.set_nonblocking(true).expect("a socket");
        let peeked = self.stream.peek(&mut [0]);
        self.stream.set_nonblocking(false).expect("a socket");
        peeked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    /// Whether no byte of a next answer has come.
    pub fn received_nothing(&self) -> bool {
        self.received.is_empty()
    }

    /// Whatever comes until the server closes; an error where it does not, or
    /// where it resets the connection.
    pub fn rest(mut self) -> io::Result<Vec<u8>> {
        loop {
            match self.receive() {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(self.received),
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the server closes now, without another byte.
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
    // RFC 9112 §4: the space stands there also before an empty reason.
    status_line.next()?;
    let fields = lines.map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_owned(), value.trim().to_owned()))
    });
    Some(Reply { version, status, fields: fields.collect::<Option<_>>()?, content: Vec::new() })
}
