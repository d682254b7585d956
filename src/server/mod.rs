//! How responses are carried: sockets, time limits, admission, worker threads
//! and the drain.

mod accept;
mod access_log;
mod activity;
mod admission;
mod body;
mod client;
mod connection;
mod limits;
mod listen;
#[cfg(all(debug_assertions, not(fuzzing)))]
mod panic_injection;
mod run;
mod service;
mod signals;
mod socket;
mod watchdog;

pub use access_log::{AccessLog, Format};
pub use admission::Capacity;
pub use client::Peer;
pub use limits::Limits;
pub use listen::{
    BindError, BoundSockets, ListenAddress, Listener, Scheme, UnixSocket, browsable, reachable,
    systemd,
};
pub use run::{END_TIMEOUT, Ended, run, serve_connection, serve_http2_connection};
pub use service::{HttpsService, Service, Services};
pub use signals::Signals;
pub use socket::Transport;
