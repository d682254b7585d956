//! Fields of a request by their number of lines.

use http::header::{HeaderMap, HeaderName, HeaderValue};

/// The value of a field that a request may have once; `None` without it or if it is repeated
/// (RFC 9110 §13.1.3, §13.1.4, §14.2).
pub(super) fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut lines = headers.get_all(name).iter();
    lines.next().filter(|_| lines.next().is_none())
}

/// The bytes of each line of a field.
pub(super) fn lines<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a [u8]> {
    headers.get_all(name).iter().map(HeaderValue::as_bytes)
}
