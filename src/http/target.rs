//! Request targets: their length, and redirects to the canonical path (WIRE-20).

use http::{HeaderValue, Uri};

use crate::site::{Site, percent_encoding};

/// Maximum length of a request target in bytes (WIRE-19). RFC 9110 §4.1 requires
/// at least 8,000. The longest path of the site is a hundredth as long.
const MAX_BYTES: usize = 8192;

/// Maximum length of a query in a Location in bytes. A client of HTTP/2 can have the server
/// hold the responses to 32 requests (WIRE-35).
const KEPT_QUERY_MAX_BYTES: usize = 512;

/// True if `uri` is longer than the maximum, including its scheme and authority.
pub(super) fn is_too_long(uri: &Uri) -> bool {
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    let path_and_query = uri.path_and_query().map_or(0, |target| target.as_str().len());
    scheme + authority + path_and_query > MAX_BYTES
}

/// The Location for another spelling of a path: the canonical path from the
/// table with the query of `uri`, unless that is too long. `None` if there is no such path.
/// Location never starts with client input, so no redirect can leave the site (WIRE-20).
pub(super) fn redirect(site: &Site, uri: &Uri) -> Option<HeaderValue> {
    let canonical = site.canonical(uri.path())?;
    match uri.query().map(percent_encoding::encode_target) {
        Some(query) if query.len() <= KEPT_QUERY_MAX_BYTES => {
            HeaderValue::try_from(format!("{canonical}?{query}")).ok()
        }
        _ => HeaderValue::from_str(canonical).ok(),
    }
}

/// The Location for the path and the query of `uri` at `origin`.
pub(super) fn at_origin(origin: &str, uri: &Uri) -> Option<HeaderValue> {
    // The path of `http://host?query` is "/". `path_and_query` would leave it out.
    let mut location = format!("{origin}{}", percent_encoding::encode_target(uri.path()));
    if let Some(query) = uri.query() {
        location.push('?');
        location.push_str(&percent_encoding::encode_target(query));
    }
    HeaderValue::try_from(location).ok()
}
