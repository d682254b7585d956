//! One connection, from its first byte to its last.

mod activity;
mod body;
mod frames;
mod http2;
mod serve;
mod service;
mod socket;
mod watchdog;

pub(super) use activity::Activity;
pub(super) use http2::serve_http2;
pub(super) use serve::{Stream, serve};
pub use service::{Service, Tls};
pub(super) use socket::Socket;
pub use socket::Transport;
pub(super) use watchdog::Watchdog;
