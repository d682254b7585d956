//! Where connections come in: addresses as they are typed, and the sockets
//! that are bound to them.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::net::{TcpListener, TcpSocket};

/// Connections that the kernel keeps ready for us; it lowers this to its own
/// limit.
const BACKLOG: u32 = 4096;

/// An address to listen on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// An address and a port: `127.0.0.1:8080`, `[::]:80`, `localhost:3000`.
    Tcp(String),
    /// The path of a Unix-domain socket: `unix:/run/recipelog.sock`.
    Unix(PathBuf),
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => formatter.write_str(address),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(address: &str) -> Result<Self, String> {
        let refused = || {
            "not an address with a port, for example 127.0.0.1:8080, [::]:8080 or \
             unix:/run/recipelog.sock"
                .to_owned()
        };
        // People put a space behind the comma of a list.
        let address = address.trim();
        if let Some(path) = address.strip_prefix("unix:") {
            let is_path = cfg!(unix) && !path.is_empty();
            return if is_path { Ok(Self::Unix(path.into())) } else { Err(refused()) };
        }
        match address.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(address.to_owned()))
            }
            _ => Err(refused()),
        }
    }
}

/// The addresses that `host:port` stands for, as something to connect to:
/// nobody connects to "any interface".
pub fn reachable(address: &str) -> io::Result<Vec<SocketAddr>> {
    let loopback = |address: SocketAddr| match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (Ipv6Addr::LOCALHOST, address.port()).into(),
        _ => address,
    };
    Ok(address.to_socket_addrs()?.map(loopback).collect())
}

/// A bound address as something to open in a browser.
pub fn browsable(local: SocketAddr) -> String {
    if local.ip().is_unspecified() {
        format!("http://localhost:{}", local.port())
    } else {
        format!("http://{local}")
    }
}

/// Listens on the first address that `host:port` stands for and that can be
/// had.
pub fn listen_tcp(address: &str) -> io::Result<TcpListener> {
    let mut result = Err(io::Error::from(io::ErrorKind::AddrNotAvailable));
    for address in address.to_socket_addrs()? {
        result = bind(address);
        if result.is_ok() {
            break;
        }
    }
    result
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv6() { TcpSocket::new_v6()? } else { TcpSocket::new_v4()? };
    // A restart must not wait for the old connections' TIME_WAIT. On Windows
    // the option means that anyone may take the port away.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Listens on a Unix-domain socket. One that nobody listens on any more, left
/// behind by a process that could not clean up, is replaced.
#[cfg(unix)]
pub fn listen_unix(path: &Path) -> io::Result<UnixListener> {
    match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_abandoned(path) => {
            std::fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        result => result,
    }
}

#[cfg(unix)]
fn is_abandoned(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = std::os::unix::net::UnixStream::connect(path)
        .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
    is_socket && refused
}
