//! From a request to its response.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;

use super::{outcome, response};
use crate::site::Site;

/// Responds to `request` from `site`. Ignores the content of the request. Never
/// waits and never panics.
pub fn respond<B>(site: &Site, request: &Request<B>) -> Response<Full<Bytes>> {
    response::build(site, request.method(), outcome::decide(site, request))
}
