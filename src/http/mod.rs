//! The response to a request. The result depends only on the table and the
//! request head.

mod content_coding;
mod host;
mod outcome;
mod precondition;
mod range;
mod respond;
mod response;
mod target;

pub use respond::{respond, respond_insecurely};
