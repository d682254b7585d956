//! The response to a request. It depends only on the site and the request head, for redirects to the origin
//! also on the origin and on whether it has a certificate, and over TLS on the name in the handshake.

mod content_coding;
mod host;
mod outcome;
mod precondition;
mod range;
mod request_fields;
mod respond;
mod response;

pub use respond::{
    redirect_names, redirect_to_https, reject_misdirected, reject_plain_http, respond,
    respond_without_tls,
};
