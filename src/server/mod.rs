//! How responses are carried: sockets, time limits, admission, worker threads and the drain.

mod access_log;
mod admission;
mod connection;
mod limits;
mod listen;
mod peer;
mod run;
mod scheme;
mod signals;

pub use access_log::{AccessLog, Format};
pub use connection::{ByteStream, Service, Tls};
pub use limits::{END_TIMEOUT, Limits};
pub use listen::{
    BoundSockets, ListenAddress, UnixSocket, WorkerSockets, browsable, reachable, systemd,
};
pub use peer::Peer;
pub use run::{run, serve_connection};
pub use scheme::Scheme;
pub use signals::Signals;
