//! One line per request on standard output (WIRE-29).

mod entry;
mod forwarded;
mod log;

pub(super) use entry::Entry;
pub use log::{AccessLog, Format};
