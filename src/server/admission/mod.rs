//! Which connections are open, and which one is closed for a new one when the cap is
//! reached (HTTP-26).

mod claim;
mod connection_state;
mod connection_table;
mod connections;
mod open_files;

pub(super) use connection_state::{Command, ConnectionState, Phase};
pub(super) use connections::{AcceptorGuard, Connections, OpenConnection};
pub use open_files::Capacity;
