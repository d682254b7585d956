//! How responses are carried: sockets, time limits, admission, worker threads
//! and the drain.

mod acceptor;
mod access_log;
mod admission;
mod bind;
mod body;
mod claim;
mod client;
mod connection;
mod connection_state;
mod connection_table;
mod limits;
mod listen_address;
mod listener;
mod open_files;
#[cfg(debug_assertions)]
mod panic_injection;
mod rejection;
mod run;
mod service;
mod signals;
pub mod systemd;
mod timeout_stream;
mod transport;
#[cfg(unix)]
mod unix_socket;
mod write_coalescing;
mod write_rate;

pub use access_log::{AccessLog, Format};
pub use bind::{BindError, BoundSockets, bind_tcp};
pub use client::Peer;
pub use limits::Limits;
pub use listen_address::{ListenAddress, browsable, reachable};
pub use listener::Listener;
pub use open_files::Capacity;
pub use run::{Ended, run, serve_connection};
pub use service::Service;
pub use signals::Signals;
pub use transport::Transport;
