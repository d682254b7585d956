//! The response to a request. It depends only on the site and where the public finds it, on the
//! head of the request and how it arrived, and on whether the origin has a certificate.

mod assemble;
mod content_coding;
mod host;
mod outcome;
mod precondition;
mod range;
mod request_fields;
mod respond;

pub use respond::{Arrival, Front, respond};
