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
    let rest = if let [b'[', literal @ ..] = value {
        let is_address = |byte: &u8| is_unreserved(*byte) || *byte == b':';
        let end = literal.iter().position(|byte| !is_address(byte));
        match &literal[end.unwrap_or(literal.len())..] {
            [b']', rest @ ..] => rest,
            _ => return false,
        }
    } else {
        let end = value.iter().position(|&byte| !NAME_CHARACTERS[usize::from(byte)]);
        &value[end.unwrap_or(value.len())..]
    };
    match rest {
        [] => true,
        [b':', port @ ..] => port.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// The characters of a `reg-name` (RFC 3986 §3.2.2). A table, because every request
/// has a Host.
static NAME_CHARACTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte as usize] = is_unreserved(byte) || is_name_character(byte);
        byte += 1;
    }
    table
};

/// RFC 3986 §2.3.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Further characters of a `reg-name`: the percent sign and the sub-delims (RFC
/// 3986 §2.2).
const fn is_name_character(byte: u8) -> bool {
    matches!(
        byte,
        b'%' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
    )
}
