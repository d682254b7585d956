//! Host (RFC 9110 §7.2).

use http::header::{HOST, HeaderMap};
use http::{HeaderValue, Version};

/// Whether the request says which host it means, as RFC 9112 §3.2 asks for:
/// exactly one field with a valid value; HTTP/1.0 may go without.
pub(super) fn is_valid(headers: &HeaderMap, version: Version) -> bool {
    let mut lines = headers.get_all(HOST).iter();
    match (lines.next(), lines.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => version == Version::HTTP_10,
        _ => false,
    }
}

/// `uri-host [ ":" port ]`; an empty host is one (RFC 3986 §3.2.2).
fn is_host(value: &HeaderValue) -> bool {
    let value = value.as_bytes();
    let is_port = |port: &[u8]| port.iter().all(u8::is_ascii_digit);
    if let [b'[', literal @ ..] = value {
        let Some(end) = literal.iter().position(|&byte| byte == b']') else { return false };
        let is_address = literal[..end].iter().all(|&byte| is_unreserved(byte) || byte == b':');
        return is_address
            && match &literal[end + 1..] {
                [] => true,
                [b':', port @ ..] => is_port(port),
                _ => false,
            };
    }
    let (name, port) = match value.iter().position(|&byte| byte == b':') {
        Some(colon) => (&value[..colon], &value[colon + 1..]),
        None => (value, &[][..]),
    };
    is_port(port) && name.iter().all(|&byte| is_unreserved(byte) || is_part_of_name(byte))
}

/// RFC 3986 §2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// What a `reg-name` has besides: the percent sign and the sub-delims of
/// RFC 3986 §2.2.
fn is_part_of_name(byte: u8) -> bool {
    matches!(
        byte,
        b'%' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
    )
}
