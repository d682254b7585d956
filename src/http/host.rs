//! The Host field (RFC 9110 §7.2, HTTP-19).

use http::header::{HOST, HeaderMap};
use http::{HeaderValue, Version};

/// True if the request has exactly one Host field with a valid value (RFC 9112
/// §3.2). HTTP/1.0 may omit the field.
pub(super) fn is_valid(headers: &HeaderMap, version: Version) -> bool {
    let mut lines = headers.get_all(HOST).iter();
    match (lines.next(), lines.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => version == Version::HTTP_10,
        _ => false,
    }
}

/// `uri-host [ ":" port ]`. The host may be empty (RFC 3986 §3.2.2).
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
    is_port(port) && name.iter().all(|&byte| is_unreserved(byte) || is_name_character(byte))
}

/// RFC 3986 §2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Further characters of a `reg-name`: the percent sign and the sub-delims (RFC
/// 3986 §2.2).
fn is_name_character(byte: u8) -> bool {
    matches!(
        byte,
        b'%' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
    )
}
