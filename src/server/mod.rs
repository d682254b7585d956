//! How responses are carried: sockets, time limits, admission, worker threads
//! and the drain.

mod acceptor;
mod access_log;
mod admission;
mod answers;
mod bind;
mod body;
mod claim;
mod client;
mod collected_frames;
mod connection;
mod connection_state;
mod connection_table;
mod date;
mod deadline;
mod frame_boundary;
mod frames;
mod head_limits;
mod http2;
mod incoming;
mod limits;
mod linger;
mod listen_address;
mod listener;
mod open_files;
#[cfg(debug_assertions)]
mod panic_injection;
mod pending_responses;
mod rejection;
mod run;
mod service;
mod signals;
pub mod systemd;
mod timeout_stream;
mod trailers;
mod transport;
#[cfg(unix)]
mod unix_socket;
mod write_coalescing;
mod write_rate;
mod write_timeout;

pub use access_log::{AccessLog, Format};
pub use bind::{BindError, BoundSockets, UnixSocket, bind_tcp};
pub use client::Peer;
pub use limits::Limits;
pub use listen_address::{ListenAddress, Scheme, browsable, reachable};
pub use listener::Listener;
pub use open_files::Capacity;
pub use run::{Ended, run, serve_connection, serve_http2_connection};
pub use service::{HttpsService, Service, Services};
pub use signals::Signals;
pub use transport::Transport;
