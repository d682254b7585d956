//! What a request gets. `respond` is pure and total: a table and a request
//! head in, a response out; no input makes it panic, no input makes it wait.

mod content_coding;
mod host;
mod outcome;
mod precondition;
mod range;
mod response;
mod target;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;

use crate::site::Site;

/// The longest target that is looked at, in bytes; the longest that the site
/// has is a hundredth of it. RFC 9110 §4.1 asks for at least 8,000.
const TARGET_MAX_BYTES: usize = 8192;

/// Answers `request` out of `site`. The request's body is not looked at.
pub fn respond<B>(site: &Site, request: &Request<B>) -> Response<Full<Bytes>> {
    response::build(site, request.method(), outcome::decide(site, request))
}
