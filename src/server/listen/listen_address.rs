//! Addresses to listen on, as they are typed, bound and connected to.

use std::fmt;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::str::FromStr;

use if_addrs::Interface;

use crate::host_name::{port, split_port, without_brackets};
use crate::server::scheme::Scheme;

/// An address to listen on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// A host and a port: `127.0.0.1:8080`, `[::]:80`, `localhost:3000`. An IPv6 address has no
    /// brackets here.
    Tcp(String, u16),
    /// The path of a Unix-domain socket: `unix:/run/recipelog.sock`.
    Unix(PathBuf),
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host, port) if host.contains(':') => write!(formatter, "[{host}]:{port}"),
            Self::Tcp(host, port) => write!(formatter, "{host}:{port}"),
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
        let (host, digits) = split_port(address);
        // As in other programs, `:8080` means all interfaces.
        let host = if host.is_empty() { "::" } else { without_brackets(host) };
        match digits.and_then(port) {
            Some(port) if is_host(host) => Ok(Self::Tcp(host.to_owned(), port)),
            _ => Err(INVALID),
        }
    }
}

/// False for what cannot be the name or the address of a host, such as `https://recipes.example` or
/// `[::1`. A link-local address may end with the name of an interface.
fn is_host(host: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:%".contains(&byte);
    !host.is_empty() && host.bytes().all(is_part)
}

/// The addresses to connect to for a server that listens on `host:port`: for all interfaces, the
/// loopback addresses. `[::]` may serve both families, and a machine may have only one of them.
pub fn reachable(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let (v4, v6) = (Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
    let hosts = |address: SocketAddr| match (address.ip(), address.port()) {
        (ip, _) if !ip.is_unspecified() => vec![address],
        (IpAddr::V4(_), port) => vec![(v4, port).into()],
        (IpAddr::V6(_), port) => vec![(v6, port).into(), (v4, port).into()],
    };
    Ok((host, port).to_socket_addrs()?.flat_map(hosts).collect())
}

/// The URLs of the server that listens on `local`. On all interfaces, the first URL is for this
/// machine, and the second for a phone in the same network.
pub fn browsable(scheme: Scheme, local: SocketAddr) -> Vec<String> {
    let (scheme, default_port) = match scheme {
        Scheme::Http => ("http", ":80"),
        Scheme::Https => ("https", ":443"),
    };
    let mut addresses = vec![local.to_string()];
    if local.ip().to_canonical().is_unspecified() {
        let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
        let routes = fs::read_to_string("/proc/net/route").unwrap_or_default();
        let of_network = network_address(interfaces, &routes);
        let hosts = [Some("localhost".to_owned()), of_network.map(|ip| ip.to_string())];
        let with_port = |host| format!("{host}:{}", local.port());
        addresses = hosts.into_iter().flatten().map(with_port).collect();
    }
    let shown = |address: &str| address.strip_suffix(default_port).unwrap_or(address).to_owned();
    addresses.iter().map(|address| format!("{scheme}://{}", shown(address))).collect()
}

/// The IPv4 address in `interfaces` that a phone most likely can open: of the default route in `routes`, and a tunnel's only
/// without another. Containers and virtual machines have interfaces of their own.
fn network_address(interfaces: Vec<Interface>, routes: &str) -> Option<IpAddr> {
    let default = default_interface(routes);
    let is_open = |it: &Interface| it.is_oper_up() && it.ip().is_ipv4() && !it.is_loopback();
    let open = interfaces.into_iter().filter(is_open);
    let key = |it: &Interface| (it.is_p2p(), Some(&*it.name) != default, it.is_link_local());
    open.min_by_key(key).map(|it| it.ip())
}

/// The interface of the default route with the lowest metric, of the table in `/proc/net/route` (proc(5)).
fn default_interface(routes: &str) -> Option<&str> {
    let routes = routes.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [name, "00000000", _, _, _, _, metric, "00000000", ..] = fields[..] else {
            return None;
        };
        Some((metric.parse::<u32>().ok()?, name))
    });
    routes.min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use if_addrs::{IfAddr, IfOperStatus, Ifv4Addr};

    use super::*;

    #[test]
    fn all_interfaces_are_reached_by_loopback_addresses() {
        // A link-local address needs its zone.
        for (host, expected) in [("::", "[::1]:80 127.0.0.1:80"), ("fe80::1%lo", "[fe80::1%1]:80")]
        {
            let found = reachable(host, 80).unwrap().into_iter().map(|it| it.to_string());
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected);
        }
    }

    /// The other URLs depend on the networks of the machine.
    #[test]
    fn the_first_url_of_all_interfaces_leads_to_this_machine() {
        for (scheme, address, expected) in [
            (Scheme::Http, "0.0.0.0:80", "http://localhost"),
            (Scheme::Https, "[::]:8443", "https://localhost:8443"),
            (Scheme::Https, "[::ffff:0.0.0.0]:443", "https://localhost"),
            (Scheme::Http, "[::1]:443", "http://[::1]:443"),
        ] {
            let urls = browsable(scheme, address.parse().unwrap());
            assert_eq!(urls.first().map(String::as_str), Some(expected));
        }
    }

    #[test]
    fn the_address_for_other_machines_is_the_one_that_a_phone_can_open() {
        let interface = |(name, ip): (&str, &str)| Interface {
            name: name.to_owned(),
            addr: IfAddr::V4(Ifv4Addr {
                ip: ip.parse().unwrap(),
                netmask: Ipv4Addr::BROADCAST,
                prefixlen: 32,
                broadcast: None,
            }),
            index: None,
            oper_status: if name == "down" { IfOperStatus::Down } else { IfOperStatus::Up },
            is_p2p: name.starts_with("tun"),
        };
        // The second default route has the lower metric, and the first is a tunnel's part of the network.
        let routes = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n\
                      tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n\
                      down\t00000000\t010011AC\t0003\t0\t0\t600\t00000000\t0\t0\t0\n\
                      eth1\t00000000\t010011AC\t0003\t0\t0\t100\t00000000\t0\t0\t0\n\
                      docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n";
        let all = [
            ("lo", "127.0.0.1"),
            ("down", "203.0.113.2"),
            ("tun0", "10.8.0.2"),
            ("wlan0", "169.254.0.2"),
            ("docker0", "172.17.0.1"),
            ("eth1", "192.0.2.2"),
        ];
        for (count, routes, expected) in [
            (2, routes, None),
            (3, routes, Some("10.8.0.2")),
            (4, routes, Some("169.254.0.2")),
            (6, routes, Some("192.0.2.2")),
            (6, "", Some("172.17.0.1")),
        ] {
            let interfaces = all[..count].iter().map(|one| interface(*one)).collect();
            let found = network_address(interfaces, routes).map(|ip| ip.to_string());
            assert_eq!(found.as_deref(), expected, "{count}");
        }
    }
}
