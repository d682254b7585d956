//! Binds the listening sockets of all workers, by default for IPv4 and IPv6: a socket on 0.0.0.0
//! rejects IPv6, and `localhost` is ::1 first on many machines.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use rustix::io::Errno;
use socket2::{Domain, Protocol, Socket, Type};

use super::listen_address::{ListenAddress, browsable};
use super::systemd;
use super::unix_socket::UnixSocket;
use super::worker_sockets::WorkerSockets;
use crate::problem::Problem;
use crate::server::scheme::Scheme;

/// Maximum connections that the kernel queues for a socket. The kernel lowers this to its own
/// limit.
const BACKLOG: i32 = 4096;

/// The listening sockets, with their addresses.
#[derive(Debug)]
pub struct BoundSockets {
    /// The sockets of each worker.
    pub workers: Vec<WorkerSockets>,
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
        let (passed, names) = systemd::passed_sockets()?;
        let sockets = (0..workers).map(|_| passed.try_clone()).collect::<io::Result<_>>();
        let sockets =
            sockets.map_err(Problem::of_process("cannot use the sockets of LISTEN_FDS"))?;
        let mut bound = Self { workers: sockets, addresses: names, paths: Vec::new() };
        if bound.addresses.is_empty() {
            bound.bind_all(addresses).await?;
        }
        Ok(bound)
    }

    async fn bind_all(&mut self, addresses: &[(Scheme, ListenAddress)]) -> Result<(), Problem> {
        let mut resolved = Vec::new();
        for address in addresses {
            resolved.push(resolve(&address.1).await.map_err(|error| problem(address, error))?);
        }
        let with_scheme = addresses
            .iter()
            .zip(&resolved)
            .flat_map(|((scheme, _), resolved)| resolved.iter().map(|address| (*scheme, *address)));
        let all: Vec<(Scheme, SocketAddr)> = with_scheme.collect();
        for (address, resolved) in addresses.iter().zip(resolved) {
            let result = match address {
                (scheme, ListenAddress::Tcp(..)) => self.bind_tcp(*scheme, resolved, &all),
                (_, ListenAddress::Unix(path)) => self.bind_unix(path),
            };
            result.map_err(|error| problem(address, error))?;
        }
        Ok(())
    }

    /// Binds every address of a name that this machine has, such as both loopback addresses for
    /// `localhost`. An error if it has none of them. A socket for `all` interfaces serves the other
    /// addresses with its port too.
    fn bind_tcp(
        &mut self,
        scheme: Scheme,
        resolved: impl IntoIterator<Item = SocketAddr>,
        all: &[(Scheme, SocketAddr)],
    ) -> io::Result<()> {
        let mut result = Err(io::ErrorKind::AddrNotAvailable.into());
        let mut chosen_port = 0;
        for mut address in resolved {
            if all.iter().any(|(other, any)| *other == scheme && covers(*any, address)) {
                result = Ok(());
                continue;
            }
            if address.port() == 0 {
                address.set_port(chosen_port);
            }
            match self.bind_address(scheme, address) {
                Ok(bound) => {
                    chosen_port = bound.port();
                    result = Ok(());
                }
                Err(error) if is_missing(&error) => result = result.or(Err(error)),
                Err(error) => return Err(error),
            }
        }
        result
    }

    /// Binds a socket for each worker to `address`. Returns the address with its port. Without IPv6
    /// on this machine, `[::]` means all of IPv4.
    fn bind_address(&mut self, scheme: Scheme, address: SocketAddr) -> io::Result<SocketAddr> {
        let is_all = address.is_ipv6() && address.ip().is_unspecified();
        let first = match listen(address, false) {
            Err(error) if is_all && is_missing(&error) => {
                listen((Ipv4Addr::UNSPECIFIED, address.port()).into(), false)?
            }
            first => first?,
        };
        let bound = first.local_addr()?.as_socket().unwrap_or(address);
        // Linux balances connections over all sockets with SO_REUSEPORT, even of this user's other
        // programs. The first socket listens before it gets the option, so a second instance on the
        // same port is an error.
        if self.workers.len() > 1 {
            first.set_reuse_port(true)?;
        }
        let mut first = Some(first);
        for worker in &mut self.workers {
            let socket = first.take().map_or_else(|| listen(bound, true), Ok)?;
            worker.push(scheme, socket)?;
        }
        self.addresses.extend(browsable(scheme, bound));
        Ok(bound)
    }

    fn bind_unix(&mut self, path: &Path) -> io::Result<()> {
        let (socket, bound) = UnixSocket::bind(path)?;
        self.addresses.push(format!("unix:{}", path.display()));
        self.paths.push(bound);
        for worker in &mut self.workers {
            worker.push(Scheme::Http, socket.try_clone()?.into())?;
        }
        Ok(())
    }
}

fn problem((scheme, address): &(Scheme, ListenAddress), error: io::Error) -> Problem {
    Problem::of(format!("cannot listen on {address}"), error, |error| match address {
        ListenAddress::Unix(_) => of_unix_socket(error).to_owned(),
        ListenAddress::Tcp(_, port) => {
            format!("{} with {}", of_port(*port, error), scheme.options())
        }
    })
}

/// What the operator can do about a Unix socket that cannot be bound.
fn of_unix_socket(error: &io::Error) -> &'static str {
    use io::ErrorKind::*;
    match error.kind() {
        PermissionDenied | ReadOnlyFilesystem => "choose a folder that this user may write to",
        AddrInUse => {
            "stop the process that listens there, remove a file that is not a socket, or choose \
             another path"
        }
        NotFound | NotADirectory => "choose a folder that exists",
        InvalidInput => "choose a path of at most 107 bytes",
        _ => "choose another path",
    }
}

/// What the operator can do about a port that cannot be bound.
fn of_port(port: u16, error: &io::Error) -> &'static str {
    use io::ErrorKind::*;
    match error.kind() {
        NotFound => "choose an address, or a name that this machine can look up,",
        AddrInUse => "stop the process that uses this address, or choose another",
        AddrNotAvailable => "choose an address of this machine",
        _ if Errno::from_io_error(error) == Some(Errno::PERM) => {
            "let the system allow it, such as by SocketBindAllow= in the unit, or choose another \
             address"
        }
        PermissionDenied if (1..1024).contains(&port) => {
            "a port below 1024 needs rights: use sudo or the units of deploy/, or allow it with sudo \
             setcap cap_net_bind_service=+ep FILE; or choose a port above 1023"
        }
        _ => "choose another address",
    }
}

/// The addresses that `address` stands for.
async fn resolve(address: &ListenAddress) -> io::Result<BTreeSet<SocketAddr>> {
    let ListenAddress::Tcp(host, port) = address else { return Ok(BTreeSet::new()) };
    let found = tokio::net::lookup_host((&**host, *port)).await;
    Ok(found.map_err(|error| io::Error::new(io::ErrorKind::NotFound, error))?.collect())
}

/// True if a socket on `any` interface gets the connections to `address`, another address of the
/// same port.
fn covers(any: SocketAddr, address: SocketAddr) -> bool {
    any != address
        && any.ip().is_unspecified()
        && any.port() == address.port()
        && any.port() != 0
        && (any.is_ipv6() || address.is_ipv4())
}

/// True if binding failed because this machine does not have the address, or no IPv6 at all.
fn is_missing(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    matches!(errno, Some(Errno::AFNOSUPPORT)) || error.kind() == io::ErrorKind::AddrNotAvailable
}

/// A socket that listens on `address`. Two sockets may be bound to a port with SO_REUSEADDR as long
/// as neither listens.
fn listen(address: SocketAddr, reuse_port: bool) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        // By default, the system decides whether `[::]` serves IPv4 too.
        socket.set_only_v6(false)?;
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

    #[test]
    fn the_remedy_follows_from_the_error_and_the_address() {
        for (address, errno, expected) in [
            (":80", Errno::ACCESS, "a port below 1024 needs rights"),
            (":80", Errno::PERM, "let the system allow it, such as by SocketBindAllow="),
            // Not for lack of rights to a port: a security module, for example.
            (":8080", Errno::ACCESS, "choose another address with"),
            ("unix:/a", Errno::ACCESS, "choose a folder that this user may"),
            ("unix:/a", Errno::NOENT, "choose a folder that exists"),
        ] {
            let address = (Scheme::Http, address.parse().unwrap());
            let found = problem(&address, errno.into()).to_string();
            assert!(found.split("; ").nth(1).unwrap().starts_with(expected), "{found}");
        }
    }

    fn bind(resolved: &[SocketAddr], all: &[(Scheme, SocketAddr)]) -> io::Result<()> {
        let workers = vec![WorkerSockets::default()];
        let mut bound = BoundSockets { workers, addresses: Vec::new(), paths: Vec::new() };
        bound.bind_tcp(Scheme::Http, resolved.iter().copied(), all)
    }

    #[test]
    fn a_name_is_served_on_all_of_its_addresses_or_on_none() {
        let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = other.local_addr().unwrap();
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        // RFC 5737 and RFC 3849: no machine has an address for documentation.
        let missing = SocketAddr::from(([203, 0, 113, 1], 0));
        let missing_v6 = "[2001:db8::1]:0".parse().unwrap();
        for (resolved, error) in [
            (&[free, taken][..], Some(io::ErrorKind::AddrInUse)),
            (&[taken, free], Some(io::ErrorKind::AddrInUse)),
            (&[free, missing], None),
            (&[missing, free], None),
            (&[missing, missing], Some(io::ErrorKind::AddrNotAvailable)),
            // It does not stand for all of IPv4.
            (&[missing_v6], Some(io::ErrorKind::AddrNotAvailable)),
        ] {
            let result = bind(resolved, &[]);
            assert_eq!(result.err().map(|error| error.kind()), error, "{resolved:?}");
        }
        let any = (Ipv4Addr::UNSPECIFIED, taken.port()).into();
        for (scheme, is_covered) in [(Scheme::Http, true), (Scheme::Https, false)] {
            assert_eq!(bind(&[taken], &[(scheme, any)]).is_ok(), is_covered, "{scheme:?}");
        }
    }

    #[test]
    fn a_port_that_was_just_served_is_free_again() {
        let socket = listen(([127, 0, 0, 1], 0).into(), false).unwrap();
        let address = socket.local_addr().unwrap().as_socket().unwrap();
        let client = std::net::TcpStream::connect(address).unwrap();
        // The side that closes first keeps the port for a minute.
        drop(socket.accept().unwrap());
        drop((client, socket));
        listen(address, false).unwrap();
    }

    #[test]
    fn a_socket_for_all_interfaces_covers_other_addresses_of_its_port() {
        for (any, address, expected) in [
            ("[::]:80", "127.0.0.1:80", true),
            ("0.0.0.0:80", "127.0.0.1:80", true),
            ("0.0.0.0:80", "[::1]:80", false),
            ("0.0.0.0:80", "0.0.0.0:80", false),
            ("[::]:80", "127.0.0.1:8080", false),
            // Each is a free port of its own.
            ("[::]:0", "127.0.0.1:0", false),
        ] {
            let covered = covers(any.parse().unwrap(), address.parse().unwrap());
            assert_eq!(covered, expected, "{any} {address}");
        }
    }
}
