//! Addresses to listen on, as they are typed, bound and connected to.

use std::fmt;
use std::fs;
use std::io;
use std::iter;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
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
            // As in other programs, `:8080` means all interfaces.
            Some(("", port)) if port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(format!("[::]:{port}")))
            }
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

/// The URLs of the server that listens on `local`. For all interfaces: one for this machine, and one
/// for others in its network.
pub fn browsable(scheme: Scheme, local: SocketAddr) -> Vec<String> {
    let (scheme, default_port) = match scheme {
        Scheme::Http => ("http", 80),
        Scheme::Https => ("https", 443),
    };
    let host = |address: SocketAddr| {
        address.to_string().rsplit_once(':').map_or_else(String::new, |(host, _)| host.to_owned())
    };
    let mut hosts = vec![host(local)];
    if local.ip().to_canonical().is_unspecified() {
        hosts = vec!["localhost".to_owned()];
        hosts.extend(network_address(local.is_ipv6()).map(|ip| host((ip, 0).into())));
    }
    let url = |host| match local.port() {
        port if port == default_port => format!("{scheme}://{host}"),
        port => format!("{scheme}://{host}:{port}"),
    };
    hosts.into_iter().map(url).collect()
}

/// The address of this machine in its network: of IPv4, else, if `or_v6`, of IPv6.
fn network_address(or_v6: bool) -> Option<IpAddr> {
    // For documentation (RFC 5737, RFC 3849), so the default route leads to them.
    let elsewhere = iter::once(Ipv4Addr::new(192, 0, 2, 1)).chain(neighbours()).map(IpAddr::V4);
    let elsewhere_v6 = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
    elsewhere.chain(or_v6.then_some(elsewhere_v6.into())).find_map(source_address)
}

/// The address from which this machine would send to `target`. Connecting a datagram socket sends
/// nothing.
fn source_address(target: IpAddr) -> Option<IpAddr> {
    let socket = UdpSocket::bind(if target.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" }).ok()?;
    socket.connect((target, 9)).ok()?;
    let source = socket.local_addr().ok()?.ip();
    let is_link_local = matches!(source, IpAddr::V6(ip) if ip.is_unicast_link_local());
    Some(source).filter(|source| !source.is_loopback() && !is_link_local)
}

/// An address in each network of this machine (proc_net(5)), for one that is not connected to others
/// and has no default route.
fn neighbours() -> Vec<Ipv4Addr> {
    let table = fs::read_to_string("/proc/net/route").unwrap_or_default();
    let network = |line: &str| u32::from_str_radix(line.split_whitespace().nth(1)?, 16).ok();
    let networks = table.lines().filter_map(network);
    networks.map(|network| Ipv4Addr::from(u32::from_be(network) | 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_interfaces_are_reached_by_loopback_addresses() {
        let v4: SocketAddr = "127.0.0.1:80".parse().unwrap();
        let v6 = "[::1]:80".parse().unwrap();
        let other = "192.0.2.1:80".parse().unwrap();
        for (address, expected) in
            [("0.0.0.0:80", vec![v4]), ("[::]:80", vec![v6, v4]), ("192.0.2.1:80", vec![other])]
        {
            assert_eq!(reachable(address).unwrap(), expected);
        }
    }

    /// The other URLs depend on the networks of the machine.
    #[test]
    fn the_first_url_of_all_interfaces_is_that_of_this_machine() {
        for (scheme, address, expected) in [
            (Scheme::Http, "0.0.0.0:80", "http://localhost"),
            (Scheme::Http, "[::]:8080", "http://localhost:8080"),
            (Scheme::Https, "[::]:443", "https://localhost"),
            (Scheme::Https, "[::ffff:0.0.0.0]:80", "https://localhost:80"),
            (Scheme::Http, "[::1]:80", "http://[::1]"),
            (Scheme::Http, "127.0.0.1:443", "http://127.0.0.1:443"),
        ] {
            let urls = browsable(scheme, address.parse().unwrap());
            assert_eq!(urls.first().map(String::as_str), Some(expected));
        }
    }
}
