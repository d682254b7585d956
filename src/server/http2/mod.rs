//! One connection with HTTP/2 (RFC 9113, HTTP-35).

mod collected_frames;
mod connection;
mod frame_boundary;
mod frames;
mod incoming;
mod ready_responses;
mod requests;
mod trailers;
mod waits;

pub(super) use connection::serve;
