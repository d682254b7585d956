//! How responses are carried: sockets, time limits, admission, worker threads and the drain.

mod access_log;
mod admission;
mod connection;
mod limits;
mod listen;
mod peer;
mod run;
mod signals;

pub use access_log::{AccessLog, Format};
pub use connection::{Service, Tls, Transport};
pub use limits::{END_TIMEOUT, Limits};
pub use listen::{
    BoundSockets, ListenAddress, Scheme, UnixSocket, WorkerSockets, browsable, reachable, systemd,
};
pub use peer::Peer;
pub use run::{run, serve_connection};
pub use signals::Signals;
