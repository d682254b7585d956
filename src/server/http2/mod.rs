//! Connections with HTTP/2 (RFC 9113, HTTP-35, DECISION-56).

mod client_settings;
mod closing;
mod connection;
mod error_code;
mod exchange;
mod frame;
mod hpack;
mod input;
mod output;
mod partial_head;
mod pending_responses;
mod protocol;
mod receive;
mod request_head;
mod respond;
mod settings;
mod shared_space;
mod streams;
mod upload;
mod waits;
mod window;

pub(super) use connection::serve;
