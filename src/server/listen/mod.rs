//! Listening sockets: their addresses, and how each is opened or inherited.

mod bind;
mod listen_address;
pub mod systemd;
mod unix_socket;
mod worker_sockets;

pub use bind::BoundSockets;
pub use listen_address::{ListenAddress, browsable, reachable};
pub use unix_socket::UnixSocket;
pub(super) use worker_sockets::Acceptor;
pub use worker_sockets::WorkerSockets;
