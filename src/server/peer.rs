//! The other end of a connection, and how connections are counted by client.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A client at this address, or a proxy that forwards its requests.
    Tcp(SocketAddr),
    /// A process on this machine.
    Unix,
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.ip().to_canonical().fmt(formatter),
            Self::Unix => formatter.write_str("unix:"),
        }
    }
}

/// The unit in which connections are counted for admission (WIRE-26): an address of IPv4, a network
/// of IPv6, or (`None`) the processes of this machine.
pub(super) type ClientKey = Option<IpAddr>;

impl Peer {
    pub(super) fn client(self) -> ClientKey {
        let Self::Tcp(address) = self else { return None };
        // A socket for both families reports IPv4 clients as IPv4-mapped.
        Some(match address.ip().to_canonical() {
            // One subscriber holds all addresses of a /64.
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (!0 << 64)).into(),
            address => address,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> ClientKey {
        Peer::Tcp(address.parse().unwrap()).client()
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_network_of_64_bits() {
        for (one, other, same) in [
            ("192.0.2.1:1", "192.0.2.1:2", true),
            ("192.0.2.1:1", "192.0.2.2:1", false),
            ("192.0.2.1:1", "[::ffff:192.0.2.1]:1", true),
            ("[::ffff:192.0.2.1]:1", "[::ffff:192.0.2.2]:1", false),
            ("[2001:db8::1]:1", "[2001:db8::ffff:1]:1", true),
            ("[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false),
        ] {
            assert_eq!(client(one) == client(other), same, "{one} {other}");
        }
    }
}
