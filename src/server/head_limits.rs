//! The limits on the head of a request with HTTP/2 (HTTP-19). With HTTP/1.1, hyper
//! enforces limits of its own.

use http::Request;
use http::uri::{Authority, PathAndQuery};

/// Maximum size in bytes, as RFC 9113 §6.5.2 counts it.
pub(super) const BYTES_MAX: usize = 16 * 1024;

/// Maximum number of header fields; hyper has the same.
const FIELDS_MAX: usize = 100;

/// Bytes that RFC 9113 §6.5.2 adds for each field.
const FIELD_OVERHEAD_BYTES: usize = 32;

/// True if the head of `request` exceeds a limit.
pub(super) fn is_too_large<B>(request: &Request<B>) -> bool {
    request.headers().len() > FIELDS_MAX || size(request) > BYTES_MAX
}

fn size<B>(request: &Request<B>) -> usize {
    let uri = request.uri();
    let pseudo = [
        (":method", Some(request.method().as_str())),
        (":scheme", uri.scheme_str()),
        (":authority", uri.authority().map(Authority::as_str)),
        (":path", uri.path_and_query().map(PathAndQuery::as_str)),
    ];
    let pseudo = pseudo.iter().filter_map(|(name, value)| Some(name.len() + (*value)?.len()));
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    pseudo.chain(fields).map(|length| length + FIELD_OVERHEAD_BYTES).sum()
}
