//! How responses are carried: sockets, time limits, admission, worker threads
//! and the drain.

mod acceptor;
mod access_log;
mod admission;
mod body;
mod client;
mod connection;
mod date;
mod http2;
mod limits;
mod listen;
#[cfg(all(debug_assertions, not(fuzzing)))]
mod panic_injection;
mod rejection;
mod run;
mod service;
mod signals;
mod time_limits;
mod transport;
mod write_coalescing;

pub use access_log::{AccessLog, Format};
pub use admission::Capacity;
pub use client::Peer;
pub use limits::Limits;
pub use listen::{
    BindError, BoundSockets, ListenAddress, Listener, Scheme, UnixSocket, bind_tcp, browsable,
    reachable, systemd,
};
pub use run::{END_TIMEOUT, Ended, run, serve_connection, serve_http2_connection};
pub use service::{HttpsService, Service, Services};
pub use signals::Signals;
pub use transport::Transport;
