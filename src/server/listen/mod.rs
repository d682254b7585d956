//! Listening sockets: their addresses, and how each is opened or inherited.

mod bind;
mod listen_address;
mod listener;
pub mod systemd;
mod unix_socket;

pub use bind::BoundSockets;
pub use listen_address::{ListenAddress, Scheme, browsable, reachable};
pub(super) use listener::Acceptor;
pub use listener::Listener;
pub use unix_socket::UnixSocket;
