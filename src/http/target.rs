//! Request targets that mean a resource without naming it as the table does.

use std::borrow::Cow;

use http::{HeaderValue, Uri};

use crate::site::Site;

/// The bytes of `uri`, its authority included.
pub(super) fn length(uri: &Uri) -> usize {
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    let query = uri.query().map_or(0, |query| query.len() + 1);
    authority + uri.path().len() + query
}

/// Where a request for `uri` is sent on to: the canonical path out of the
/// table, the query kept as it came. The target never begins with anything
/// that the client wrote, so that no redirect leaves the site.
pub(super) fn redirect(site: &Site, uri: &Uri) -> Option<HeaderValue> {
    let decoded = percent_decode(uri.path())?;
    let canonical = site.canonical(&decoded)?;
    match uri.query() {
        Some(query) => HeaderValue::try_from(format!("{canonical}?{}", in_ascii(query))).ok(),
        None => HeaderValue::from_str(canonical).ok(),
    }
}

/// A query with what is not ASCII percent-encoded: clients send such bytes, but
/// Location holds a URI (RFC 9110 §10.2.2).
fn in_ascii(query: &str) -> String {
    let mut encoded = String::with_capacity(query.len());
    for byte in query.bytes() {
        if byte.is_ascii() {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// RFC 3986 §2.1; `None` where a `%` is not followed by two hexadecimal
/// digits, or the bytes are not UTF-8.
fn percent_decode(path: &str) -> Option<Cow<'_, str>> {
    if !path.contains('%') {
        return Some(Cow::Borrowed(path));
    }
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail) {
            (b'%', [high, low, tail @ ..]) => {
                decoded.push(hexadecimal(*high)? << 4 | hexadecimal(*low)?);
                tail
            }
            (b'%', _) => return None,
            _ => {
                decoded.push(*byte);
                tail
            }
        };
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
