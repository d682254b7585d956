//! One line per request on standard output (HTTP-29).

mod buffer;
mod entry;
mod escape;
mod forwarded;
mod log;
mod sink;
mod timestamp;
mod writer;

pub(super) use entry::Entry;
pub use log::AccessLog;
pub use sink::Format;
