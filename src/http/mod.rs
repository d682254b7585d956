//! The response to a request. It depends only on the site, the request head and,
//! where requests are redirected to the origin, on it and on whether it is ready.

mod content_coding;
mod host;
mod outcome;
mod precondition;
mod range;
mod request_fields;
mod respond;
mod response;
mod target;

pub use respond::{respond, respond_insecurely, respond_securely, respond_to_plain_on_https};
