//! Addresses to listen on, as they are typed, bound and connected to.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::str::FromStr;

/// The protocol of a listening socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1 in plain text.
    Http,
    /// HTTP/1.1 and HTTP/2 over TLS.
    Https,
}

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
        let error = || {
            "not an address with a port, for example 127.0.0.1:8080, [::]:8080 or \
             unix:/run/recipelog.sock"
                .to_owned()
        };
        if let Some(path) = address.strip_prefix("unix:") {
            return if path.is_empty() { Err(error()) } else { Ok(Self::Unix(path.into())) };
        }
        match address.rsplit_once(':') {
            Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(address.to_owned()))
            // As in other programs, `:8080` means all interfaces.
            Some(("", port)) if port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(format!("[::]:{port}")))
            }
            }
            _ => Err(error()),
        }
    }
}

/// False for what cannot be the name of a host, such as `https://recipelog.example`.
fn is_host(host: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]%".contains(&byte);
    host.bytes().all(is_part)
}

/// The addresses to connect to for a server that listens on `host:port`: for
/// all interfaces, the loopback addresses. `[::]` may serve both families, and a
/// machine may have only one of them.
pub fn reachable(address: &str) -> io::Result<Vec<SocketAddr>> {
    let mut reachable = Vec::new();
    for address in address.to_socket_addrs()? {
        let port = address.port();
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => {
                reachable.push((Ipv4Addr::LOCALHOST, port).into());
            }
            IpAddr::V6(ip) if ip.is_unspecified() => {
                reachable.push((Ipv6Addr::LOCALHOST, port).into());
                reachable.push((Ipv4Addr::LOCALHOST, port).into());
            }
            _ => reachable.push(address),
        }
    }
    Ok(reachable)
}

/// The URL of the server that listens on `local`.
pub fn browsable(scheme: Scheme, local: SocketAddr) -> String {
    let (scheme, default_port) = match scheme {
        Scheme::Http => ("http", 80),
        Scheme::Https => ("https", 443),
    };
    let host = match local.ip().to_canonical() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        _ => {
            local.to_string().rsplit_once(':').map_or_else(String::new, |(host, _)| host.to_owned())
        }
    };
    match local.port() {
        port if port == default_port => format!("{scheme}://{host}"),
        port => format!("{scheme}://{host}:{port}"),
    }
}
