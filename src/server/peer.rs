//! The other end of a connection, and how connections are counted by client.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

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

/// The unit in which connections are counted for admission (WIRE-26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Client {
    V4(Ipv4Addr),
    /// The first 64 bits: one subscriber holds all addresses of a /64.
    V6Network([u8; 8]),
    Unix,
}

impl From<Peer> for Client {
    fn from(peer: Peer) -> Self {
        match peer {
            // A socket for both families reports IPv4 clients as IPv4-mapped.
            Peer::Tcp(address) => match address.ip().to_canonical() {
                IpAddr::V4(address) => Self::V4(address),
                IpAddr::V6(address) => {
                    let [a, b, c, d, e, f, g, h, ..] = address.octets();
                    Self::V6Network([a, b, c, d, e, f, g, h])
                }
            },
            Peer::Unix => Self::Unix,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Peer::Tcp(address.parse().unwrap()).into()
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
