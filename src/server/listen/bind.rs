//! Binds the listening sockets of all workers, by default for IPv4 and IPv6: a
//! socket on 0.0.0.0 rejects IPv6, and `localhost` is ::1 first on many machines.

use std::collections::HashSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use socket2::{Domain, Protocol, Socket, Type};

use super::listen_address::{ListenAddress, Scheme, browsable, host_and_port};
use super::listener::Listener;
use super::systemd;
use super::unix_socket::UnixSocket;
use crate::problem::{Problem, Subject};

/// Maximum connections that the kernel queues for a socket. The kernel lowers
/// this to its own limit.
const BACKLOG: i32 = 4096;

/// The listening sockets, with their addresses.
#[derive(Debug)]
pub struct BoundSockets {
    /// One listener per worker.
    pub listeners: Vec<Listener>,
    /// Where the site is found: URLs, and `unix:/path`.
    pub addresses: Vec<String>,
    /// The paths of Unix-domain sockets, which are removed with this value.
    pub paths: Vec<UnixSocket>,
}

impl BoundSockets {
    /// The sockets that systemd passed, or sockets bound to `addresses`, for `workers` workers.
    pub async fn bind(
        addresses: &[(Scheme, ListenAddress)],
        workers: usize,
    ) -> Result<Self, Problem> {
        let mut bound = Self {
            listeners: (0..workers).map(|_| Listener::default()).collect(),
            addresses: Vec::new(),
            paths: Vec::new(),
        };
        let mut shared = Listener::default();
        systemd::take_sockets(&mut shared, &mut bound.addresses)?;
        if bound.addresses.is_empty() {
            bound.bind_all(addresses).await?;
        } else {
            let listeners: io::Result<_> = (0..workers).map(|_| shared.try_clone()).collect();
            bound.listeners =
                listeners.map_err(Problem::of_process("cannot use the sockets of LISTEN_FDS"))?;
        }
        Ok(bound)
    }

    async fn bind_all(&mut self, addresses: &[(Scheme, ListenAddress)]) -> Result<(), Problem> {
        let mut resolved = Vec::new();
        for address in addresses {
            resolved.push(resolve(&address.1).await.map_err(|error| problem(address, error))?);
        }
        let all: Vec<(Scheme, SocketAddr)> = addresses
            .iter()
            .zip(&resolved)
            .flat_map(|((scheme, _), resolved)| resolved.iter().map(|one| (*scheme, *one)))
            .collect();
        let mut tried_ports = HashSet::new();
        for (address, resolved) in addresses.iter().zip(resolved) {
            // One can cover the other, as localhost or all interfaces cover 127.0.0.1.
            let overlaps = resolved.iter().any(|one| tried_ports.contains(&one.port()));
            let result = match address {
                (scheme, ListenAddress::Tcp(_)) => self.bind_tcp(*scheme, &resolved, &all),
                (_, ListenAddress::Unix(path)) => self.bind_unix(path),
            };
            let result = result.map_err(|error| match error.kind() {
                io::ErrorKind::AddrInUse if overlaps => {
                    let problem = "it overlaps with another address";
                    io::Error::new(io::ErrorKind::AlreadyExists, problem)
                }
                _ => error,
            });
            result.map_err(|error| problem(address, error))?;
            tried_ports.extend(resolved.iter().map(SocketAddr::port));
        }
        Ok(())
    }

    /// Binds every address of a name that this machine has, such as both loopback addresses for `localhost`. An
    /// error if it has none of them.
    fn bind_tcp(
        &mut self,
        scheme: Scheme,
        resolved: &[SocketAddr],
        all: &[(Scheme, SocketAddr)],
    ) -> io::Result<()> {
        let mut result = Err(io::ErrorKind::AddrNotAvailable.into());
        let mut chosen_port = 0;
        for &address in resolved {
            let mut address = address;
            if address.port() == 0 {
                address.set_port(chosen_port);
            }
            let only_v6 = only_v6(scheme, address, all);
            match bind_for_workers(address, only_v6, self.listeners.len()) {
                Ok((bound, sockets)) => {
                    chosen_port = bound.port();
                    for url in browsable(scheme, bound) {
                        if !self.addresses.contains(&url) {
                            self.addresses.push(url);
                        }
                    }
                    for (listener, socket) in self.listeners.iter_mut().zip(sockets) {
                        listener.push(scheme, socket)?;
                    }
                    result = Ok(());
                }
                Err(error) if !is_missing(address, &error) => return Err(error),
                // The socket for all of IPv4 serves every address that this machine has.
                Err(_) if only_v6 => result = Ok(()),
                Err(error) if result.is_err() => result = Err(error),
                Err(_) => {}
            }
        }
        result
    }

    fn bind_unix(&mut self, path: &Path) -> io::Result<()> {
        let (socket, path) = UnixSocket::bind(path)?;
        self.addresses.push(path.to_string());
        self.paths.push(path);
        for listener in &mut self.listeners {
            listener.push(Scheme::Http, socket.try_clone()?.into())?;
        }
        Ok(())
    }
}

fn problem((scheme, address): &(Scheme, ListenAddress), error: io::Error) -> Problem {
    let subject = match address {
        ListenAddress::Unix(_) => Subject::UnixSocket,
        ListenAddress::Tcp(address) => Subject::Port(host_and_port(address).1, scheme.options()),
    };
    Problem::of(format!("cannot listen on {address}"), subject, error)
}

/// The addresses that `address` stands for, without repetitions.
async fn resolve(address: &ListenAddress) -> io::Result<Vec<SocketAddr>> {
    let ListenAddress::Tcp(address) = address else { return Ok(Vec::new()) };
    let found = tokio::net::lookup_host(host_and_port(address)).await;
    let found = found.map_err(|error| io::Error::new(io::ErrorKind::NotFound, error))?;
    let mut addresses = Vec::new();
    for address in found {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

/// True if a socket on `[::]` leaves IPv4 to the socket for all of IPv4, which is in `all`.
/// Otherwise it serves both families.
fn only_v6(scheme: Scheme, address: SocketAddr, all: &[(Scheme, SocketAddr)]) -> bool {
    let any_v4 = (Ipv4Addr::UNSPECIFIED, address.port()).into();
    is_any_v6(address) && address.port() != 0 && all.contains(&(scheme, any_v4))
}

fn is_any_v6(address: SocketAddr) -> bool {
    address.is_ipv6() && address.ip().is_unspecified()
}

/// Sockets for `workers` workers that are bound to `address`, and the address
/// with its port. Without IPv6 on this machine, `[::]` means all of IPv4.
fn bind_for_workers(
    address: SocketAddr,
    only_v6: bool,
    workers: usize,
) -> io::Result<(SocketAddr, Vec<Socket>)> {
    let first = match listen(address, only_v6, false) {
        Err(error) if !only_v6 && is_any_v6(address) && is_missing(address, &error) => {
            listen((Ipv4Addr::UNSPECIFIED, address.port()).into(), false, false)?
        }
        first => first?,
    };
    let bound = first.local_addr()?.as_socket().unwrap_or(address);
    // Linux balances connections over all sockets with SO_REUSEPORT, even of this user's other programs. The first
    // socket listens before it gets the option, so a second instance on the same port is an error.
    if workers > 1 {
        first.set_reuse_port(true)?;
    }
    let mut sockets = vec![first];
    for _ in 1..workers {
        sockets.push(listen(bound, only_v6, true)?);
    }
    Ok((bound, sockets))
}

/// True if binding failed because this machine does not have `address`, or no IPv6 at all.
fn is_missing(address: SocketAddr, error: &io::Error) -> bool {
    let has_no_ipv6 = || Socket::new(Domain::IPV6, Type::STREAM, Some(Protocol::TCP)).is_err();
    error.kind() == io::ErrorKind::AddrNotAvailable || address.is_ipv6() && has_no_ipv6()
}

/// A socket that listens on `address`. Two sockets may be bound to a port with SO_REUSEADDR as long as
/// neither listens.
fn listen(address: SocketAddr, only_v6: bool, reuse_port: bool) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(only_v6)?;
    }
    // A restart does not wait for TIME_WAIT of old connections.
    socket.set_reuse_address(true)?;
    socket.set_reuse_port(reuse_port)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(resolved: &[SocketAddr]) -> io::Result<()> {
        let listeners = vec![Listener::default()];
        let mut bound = BoundSockets { listeners, addresses: Vec::new(), paths: Vec::new() };
        bound.bind_tcp(Scheme::Http, resolved, &[])
    }

    #[test]
    fn a_name_is_served_on_all_of_its_addresses_or_on_none() {
        let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = other.local_addr().unwrap();
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        // RFC 5737: no machine has an address of TEST-NET-3.
        let missing = SocketAddr::from(([203, 0, 113, 1], 0));
        for (resolved, error) in [
            ([free, taken], Some(io::ErrorKind::AddrInUse)),
            ([taken, free], Some(io::ErrorKind::AddrInUse)),
            ([free, missing], None),
            ([missing, free], None),
            ([missing, missing], Some(io::ErrorKind::AddrNotAvailable)),
        ] {
            let result = bind(&resolved);
            assert_eq!(result.err().map(|error| error.kind()), error, "{resolved:?}");
        }
    }

    #[test]
    fn an_address_of_ipv6_that_is_missing_does_not_stand_for_all_of_ipv4() {
        // RFC 3849: for documentation.
        let missing = "[2001:db8::1]:0".parse().unwrap();
        assert!(bind(&[missing]).is_err());
    }
}
