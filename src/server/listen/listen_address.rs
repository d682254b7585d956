//! Addresses to listen on, as they are typed, bound and connected to.

use std::fmt;
use std::fs::{self, DirEntry};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use if_addrs::Interface;

/// The protocol of a listening socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1 in plain text.
    Http,
    /// HTTP/1.1 and HTTP/2 over TLS.
    Https,
}

impl Scheme {
    /// The options that set an address of it.
    pub fn options(self) -> &'static str {
        match self {
            Self::Http => "--listen or --port",
            Self::Https => "--tls-listen",
        }
    }
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
    type Err = &'static str;

    fn from_str(address: &str) -> Result<Self, Self::Err> {
        const INVALID: &str = "expected an address with a port, such as 127.0.0.1:8080, [::]:8080 or \
                               unix:/run/recipelog.sock";
        // Of a list, items may have spaces around them.
        let address = address.trim();
        if let Some(path) = address.strip_prefix("unix:") {
            return if path.is_empty() { Err(INVALID) } else { Ok(Self::Unix(path.into())) };
        }
        match address.rsplit_once(':') {
            // As in other programs, `:8080` means all interfaces.
            Some(("", port)) if port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(format!("[::]:{port}")))
            }
            Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(address.to_owned()))
            }
            _ => Err(INVALID),
        }
    }
}

/// False for what cannot be the name of a host, such as `https://recipelog.example`.
fn is_host(host: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]%".contains(&byte);
    host.bytes().all(is_part)
}

/// The host and the port in `address`, for a look-up: a link-local address may have the name of an interface.
pub(super) fn host_and_port(address: &str) -> (&str, u16) {
    let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
    let ipv6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    (ipv6.unwrap_or(host), port.parse().unwrap_or_default())
}

/// The addresses to connect to for a server that listens on `host:port`: for
/// all interfaces, the loopback addresses. `[::]` may serve both families, and a
/// machine may have only one of them.
pub fn reachable(address: &str) -> io::Result<Vec<SocketAddr>> {
    let (v4, v6) = (Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
    let hosts = |address: SocketAddr| match (address.ip(), address.port()) {
        (ip, _) if !ip.is_unspecified() => vec![address],
        (IpAddr::V4(_), port) => vec![(v4, port).into()],
        (IpAddr::V6(_), port) => vec![(v6, port).into(), (v4, port).into()],
    };
    Ok(host_and_port(address).to_socket_addrs()?.flat_map(hosts).collect())
}

/// The URLs of the server that listens on `local`. On all interfaces, the first URL is for this machine. URLs for
/// other machines follow, and the first of them most likely works for a phone.
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
        let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
        let (preferred, with_v6) = (source_address(), local.is_ipv6());
        let addresses = network_addresses(interfaces, is_internal_bridge, preferred, with_v6);
        hosts.extend(addresses.into_iter().map(|ip| host((ip, 0).into())));
    }
    let url = |host| match local.port() {
        port if port == default_port => format!("{scheme}://{host}"),
        port => format!("{scheme}://{host}:{port}"),
    };
    hosts.into_iter().map(url).collect()
}

/// True for a bridge without a network card. Behind it are containers or virtual machines of this machine.
fn is_internal_bridge(name: &str) -> bool {
    let interfaces = Path::new("/sys/class/net");
    let ports = fs::read_dir(interfaces.join(name).join("brif"));
    let is_card = |port: DirEntry| interfaces.join(port.file_name()).join("device").exists();
    ports.is_ok_and(|ports| !ports.flatten().any(is_card))
}

/// The addresses of `interfaces` that other machines can open, without bridges that are `is_internal`. Tunnels
/// and IPv6 come later; `preferred` comes first of its kind.
fn network_addresses(
    mut interfaces: Vec<Interface>,
    is_internal: fn(&str) -> bool,
    preferred: Option<IpAddr>,
    with_v6: bool,
) -> Vec<IpAddr> {
    interfaces.retain(|interface| interface.is_oper_up() && !is_internal(&interface.name));
    interfaces.sort_by_key(|interface| {
        let ip = interface.ip();
        (interface.is_p2p(), ip.is_ipv6(), interface.is_link_local(), Some(ip) != preferred)
    });
    let addresses = interfaces.iter().filter(|interface| match interface.ip() {
        IpAddr::V4(ip) => !ip.is_loopback(),
        // A URL cannot contain the zone that a link-local address needs (RFC 9844).
        IpAddr::V6(ip) => with_v6 && !ip.is_loopback() && !ip.is_unicast_link_local(),
    });
    addresses.map(Interface::ip).collect()
}

/// The address from which this machine sends by its default route. Connecting a datagram socket sends
/// nothing.
fn source_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // For documentation (RFC 5737).
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use if_addrs::{IfAddr, IfOperStatus, Ifv4Addr, Ifv6Addr};

    use super::*;

    #[test]
    fn all_interfaces_are_reached_by_loopback_addresses() {
        for (address, expected) in [
            ("0.0.0.0:80", &["127.0.0.1:80"][..]),
            ("[::]:80", &["[::1]:80", "127.0.0.1:80"]),
            ("192.0.2.1:80", &["192.0.2.1:80"]),
            // A link-local address needs its zone.
            ("[fe80::1%2]:80", &["[fe80::1%2]:80"]),
            ("[fe80::1%lo]:80", &["[fe80::1%1]:80"]),
        ] {
            let found: Vec<_> =
                reachable(address).unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        }
    }

    /// The other URLs depend on the networks of the machine.
    #[test]
    fn the_first_url_of_all_interfaces_leads_to_this_machine() {
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

    #[test]
    fn the_first_address_for_other_machines_is_the_one_that_a_phone_can_open() {
        let interface = |name: &str, ip: &str| {
            let addr = match ip.parse().unwrap() {
                IpAddr::V4(ip) => IfAddr::V4(Ifv4Addr {
                    ip,
                    netmask: Ipv4Addr::BROADCAST,
                    prefixlen: 32,
                    broadcast: None,
                }),
                IpAddr::V6(ip) => IfAddr::V6(Ifv6Addr {
                    ip,
                    netmask: Ipv6Addr::UNSPECIFIED,
                    prefixlen: 64,
                    broadcast: None,
                }),
            };
            let is_p2p = name.starts_with("tun");
            let oper_status = IfOperStatus::Up;
            Interface { name: name.to_owned(), addr, index: None, oper_status, is_p2p }
        };
        let all = [
            ("lo", "127.0.0.1"),
            ("tun0", "10.8.0.2"),
            ("eth0", "2001:db8::2"),
            ("eth0", "fe80::2"),
            ("eth0", "192.0.2.2"),
            ("bridge", "192.0.2.3"),
            ("wlan0", "169.254.0.2"),
            ("wlan0", "198.51.100.2"),
            ("lo", "::1"),
        ];
        for (preferred, with_v6, expected) in [
            (None, true, "192.0.2.2 198.51.100.2 169.254.0.2 2001:db8::2 10.8.0.2"),
            (Some("198.51.100.2"), false, "198.51.100.2 192.0.2.2 169.254.0.2 10.8.0.2"),
            (Some("10.8.0.2"), false, "192.0.2.2 198.51.100.2 169.254.0.2 10.8.0.2"),
        ] {
            let interfaces = all.map(|(name, ip)| interface(name, ip)).into();
            let preferred = preferred.map(|ip| ip.parse().unwrap());
            let is_internal = |name: &str| name == "bridge";
            let addresses = network_addresses(interfaces, is_internal, preferred, with_v6);
            let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
            assert_eq!(addresses.join(" "), expected);
        }
    }
}
