//! How responses are carried: sockets, time limits, admission, worker threads and the drain.

mod access_log;
mod activity;
mod admission;
mod body;
mod connection;
mod date;
mod frames;
mod limits;
mod listen;
mod peer;
mod run;
mod service;
mod signals;
mod socket;
mod watchdog;

pub use access_log::{AccessLog, Format};
pub use limits::{END_TIMEOUT, Limits};
pub use listen::{
    BoundSockets, ListenAddress, Listener, Scheme, UnixSocket, browsable, reachable, systemd,
};
pub use peer::Peer;
pub use run::{run, serve_connection, serve_http2_connection};
pub use service::{Service, Tls};
pub use signals::Signals;
pub use socket::Transport;
