//! One connection, from its first byte to its last.

mod activity;
mod body;
mod frames;
mod http2;
mod serve;
mod service;
mod socket;
mod watchdog;

pub(super) use serve::serve;
pub use service::{Service, Tls};
pub use socket::ByteStream;
