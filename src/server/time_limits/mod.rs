//! How long a connection may take to send a request, to send the next one, and to read a
//! response (HTTP-25).

mod deadline;
mod linger;
mod timeout_stream;
mod write_rate;
mod write_timeout;

pub(super) use deadline::DeadlineTimer;
pub(super) use linger::Linger;
pub(super) use timeout_stream::TimeoutStream;
pub(super) use write_timeout::WriteTimeoutStream;
