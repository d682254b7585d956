//! The Host field (RFC 9110 §7.2, HTTP-19).

use http::header::HOST;
use http::{Request, Version};

/// True if the request names its host once and validly (RFC 9112 §3.2). HTTP/1.0
/// may omit the field. HTTP/2 has a pseudo-header field for it, which a Host field
/// has to agree with (RFC 9113 §8.3.1).
pub(super) fn is_valid<B>(request: &Request<B>) -> bool {
    let mut lines = request.headers().get_all(HOST).iter();
    let authority = match request.version() {
        Version::HTTP_2 => request.uri().authority(),
        _ => None,
    };
    match (lines.next(), lines.next(), authority) {
        (Some(host), None, None) => is_host(host.as_bytes()),
        (None, _, Some(authority)) => is_host(authority.as_str().as_bytes()),
        (Some(host), None, Some(authority)) => {
            let authority = authority.as_str().as_bytes();
            is_host(authority) && host.as_bytes().eq_ignore_ascii_case(authority)
        }
        (None, _, None) => request.version() == Version::HTTP_10,
        _ => false,
    }
}

/// `uri-host [ ":" port ]`. The host may be empty (RFC 3986 §3.2.2).
fn is_host(value: &[u8]) -> bool {
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
