//! Ports that no other process takes between their choice and their use. The kernel picks
//! the ports of port 0 and of outgoing connections from its ephemeral range, so a port of
//! that range can be taken as soon as it is released.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU16, Ordering};

use socket2::{Domain, Socket, Type};

/// A port outside the ephemeral range on which no socket listens. Every call returns
/// a new one.
pub fn free_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let setting = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").expect("Linux");
    let range = setting.trim().split_once('\t').expect("two ports");
    let [first, last] = [range.0, range.1].map(|port| port.parse::<u16>().expect("a port"));
    // Ports below 1,024 would need a privilege.
    let all = 10_000..=u16::MAX;
    let mut ports: Vec<u16> = all.clone().filter(|port| !(first..=last).contains(port)).collect();
    // On a machine whose range has them all, a port may be taken in rare cases.
    if ports.is_empty() {
        ports.extend(all);
    }
    // Concurrent test runs begin at different ports.
    let first = std::process::id() as usize * 97;
    loop {
        let call = usize::from(CALLS.fetch_add(1, Ordering::Relaxed));
        let port = ports[(first + call) % ports.len()];
        // Does not listen: a child process that another thread starts has all sockets until it
        // executes its program, and a listening socket would keep the port from its user.
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.set_reuse_address(true).expect("a socket");
        if socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into()).is_ok() {
            return port;
        }
    }
}

/// An address that refuses connections: no socket can listen on port 0.
pub const CLOSED: &str = "127.0.0.1:0";
