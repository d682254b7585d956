//! Which connections are open, and which one is closed for a new one when the cap is
//! reached (WIRE-26).

mod connections;
mod open_files;

pub(super) use connections::{Connections, OpenConnection};
pub use open_files::Capacity;
