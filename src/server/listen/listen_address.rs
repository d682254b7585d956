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

impl ListenAddress {
    /// True if the kernel picks a free port.
    pub fn is_any_port(&self) -> bool {
        matches!(self, Self::Tcp(address) if address.ends_with(":0"))
    }

    /// True if the kernel cannot distinguish the connections to both: they have the same
    /// port, and one has the address of the other or stands for all. A name is compared as
    /// it is typed.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (Self::Tcp(one), Self::Tcp(two)) = (self, other) else { return self == other };
        let (Some((one, port)), Some((two, other_port))) =
            (one.rsplit_once(':'), two.rsplit_once(':'))
        else {
            return false;
        };
        let port_of = |port: &str| port.parse::<u16>().ok().filter(|&port| port != 0);
        let ip = |host: &str| host.trim_matches(['[', ']']).parse::<IpAddr>().ok();
        let (one_ip, two_ip) = (ip(one), ip(two));
        let is_within = |host: Option<IpAddr>, all: Option<IpAddr>| match all {
            Some(all) if all.is_unspecified() => {
                all.is_ipv6() || host.is_none_or(|host| host.is_ipv4() || host.is_unspecified())
            }
            _ => false,
        };
        port_of(port).is_some_and(|port| port_of(other_port) == Some(port))
            && (one.eq_ignore_ascii_case(two)
                || one_ip.is_some() && one_ip == two_ip
                || is_within(one_ip, two_ip)
                || is_within(two_ip, one_ip))
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
            let is_path = cfg!(unix) && !path.is_empty();
            return if is_path { Ok(Self::Unix(path.into())) } else { Err(error()) };
        }
        match address.rsplit_once(':') {
            Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(address.to_owned()))
            }
            _ => Err(error()),
        }
    }
}

/// False for what cannot be the name of a host, such as `https://recipelog.example`.
fn is_host(host: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]%".contains(&byte);
    !host.is_empty() && host.bytes().all(is_part)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_overlap_if_a_connection_could_be_to_both() {
        for (one, two, overlap) in [
            ("127.0.0.1:1", "127.0.0.1:1", true),
            ("127.0.0.1:1", "127.0.0.1:2", false),
            ("127.0.0.1:1", "127.0.0.2:1", false),
            ("127.0.0.1:1", "0.0.0.0:1", true),
            ("[::1]:1", "0.0.0.0:1", false),
            ("[::1]:1", "127.0.0.1:1", false),
            ("[::1]:1", "[0:0::1]:1", true),
            ("[::1]:1", "[::]:1", true),
            // `[::]` serves both families.
            ("127.0.0.1:1", "[::]:1", true),
            ("0.0.0.0:1", "[::]:1", true),
            ("localhost:1", "LOCALHOST:1", true),
            ("localhost:1", "[::]:1", true),
            ("localhost:1", "0.0.0.0:1", true),
            ("a.example:1", "b.example:1", false),
            // The kernel picks two ports.
            ("127.0.0.1:0", "127.0.0.1:0", false),
            ("unix:/a", "unix:/a", true),
            ("unix:/a", "unix:/b", false),
            ("unix:/a", "[::]:1", false),
        ] {
            let [first, second] =
                [one, two].map(|address| ListenAddress::from_str(address).unwrap());
            assert_eq!(first.overlaps(&second), overlap, "{one} {two}");
            assert_eq!(second.overlaps(&first), overlap, "{two} {one}");
        }
    }
}
