//! Ports that no other process takes between their choice and their use. The kernel picks
//! the ports of port 0 and of outgoing connections from its ephemeral range, so a port of
//! that range can be taken as soon as it is released.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU16, Ordering};

use socket2::{Domain, Socket, Type};

/// A port outside of the ephemeral range on which no socket listens. Every call returns
/// another one.
pub fn free_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let range = ephemeral_range();
    // Ports below 1,024 would need a privilege.
    let ports: Vec<u16> = (10_000..=u16::MAX).filter(|port| !range.contains(port)).collect();
    // Concurrent test runs begin at different ports.
    let first = std::process::id() as usize * 97;
    loop {
        let call = usize::from(CALLS.fetch_add(1, Ordering::Relaxed));
        let port = ports[(first + call) % ports.len()];
        if can_bind((Ipv4Addr::UNSPECIFIED, port).into()) {
            return port;
        }
    }
}

/// Does not listen: a child process that another thread starts has all sockets until it executes
/// its program, and only one that listens would keep the port from its user.
fn can_bind(address: SocketAddr) -> bool {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None);
    socket.is_ok_and(|socket| {
        socket.set_reuse_address(true).expect("a socket");
        socket.bind(&address.into()).is_ok()
    })
}

fn ephemeral_range() -> std::ops::RangeInclusive<u16> {
    let setting = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").expect("Linux");
    let (first, last) = setting.trim().split_once('\t').expect("two ports");
    first.parse().expect("a port")..=last.parse().expect("a port")
}

/// A port of this machine that refuses connections until it is dropped.
pub struct ClosedPort(Socket);

impl ClosedPort {
    pub fn new() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        // Without `listen`, the kernel refuses connections and keeps the port.
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        socket.bind(&any.into()).expect("a free port");
        Self(socket)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("an address").as_socket().expect("an IP address")
    }
}
