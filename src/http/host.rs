//! The Host field (RFC 9110 §7.2, HTTP-19).

use std::net::Ipv6Addr;

use http::{Request, Version};

use super::request_fields::Lines;
use crate::site::percent_encoding::{is_sub_delimiter, is_unreserved};

/// True if the request names its host once and validly (RFC 9112 §3.2). `host` is its Host
/// field, which HTTP/1.0 may omit. HTTP/2 has a pseudo-header field for it, which a Host field
/// has to agree with (RFC 9113 §8.3.1).
pub(super) fn is_valid<B>(request: &Request<B>, host: &Lines<'_>) -> bool {
    let authority = match request.version() {
        Version::HTTP_2 => request.uri().authority(),
        _ => None,
    };
    match (host, authority) {
        (Lines::One(host), None) => is_host(host.as_bytes()),
        (Lines::None, Some(authority)) => is_host(authority.as_str().as_bytes()),
        (Lines::One(host), Some(authority)) => {
            let authority = authority.as_str().as_bytes();
            is_host(authority) && host.as_bytes().eq_ignore_ascii_case(authority)
        }
        (Lines::None, None) => request.version() == Version::HTTP_10,
        (Lines::Several(_), _) => false,
    }
}

/// `uri-host [ ":" port ]`. The host and the port may be empty (RFC 3986 §3.2.2, §3.2.3).
fn is_host(value: &[u8]) -> bool {
    let rest = match value {
        [b'[', rest @ ..] => after_literal(rest),
        _ => Some(after_name(value)),
    };
    match rest {
        Some([]) => true,
        Some([b':', port @ ..]) => is_port(port),
        _ => false,
    }
}

/// The rest of `value` after an `IP-literal`, whose opening bracket is already removed; `None` if
/// the literal is not valid.
fn after_literal(value: &[u8]) -> Option<&[u8]> {
    let end = value.iter().position(|&byte| byte == b']')?;
    let (literal, rest) = (std::str::from_utf8(&value[..end]).ok()?, &value[end + 1..]);
    let is_valid = match literal.strip_prefix(['v', 'V']) {
        Some(future) => is_future_address(future),
        None => literal.parse::<Ipv6Addr>().is_ok(),
    };
    is_valid.then_some(rest)
}

/// An `IPvFuture` without the letter at its beginning.
fn is_future_address(text: &str) -> bool {
    let is_address = |byte: u8| byte == b':' || NAME_CHARACTERS[usize::from(byte)];
    text.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && address.bytes().all(is_address)
    })
}

/// The rest of `value` after its `reg-name`.
fn after_name(value: &[u8]) -> &[u8] {
    let mut rest = value;
    loop {
        let end = rest.iter().position(|&byte| !NAME_CHARACTERS[usize::from(byte)]);
        rest = match &rest[end.unwrap_or(rest.len())..] {
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            rest => return rest,
        };
    }
}

/// Digits of a number that a port can have.
fn is_port(digits: &[u8]) -> bool {
    let add = |port: u16, digit: &u8| match digit {
        b'0'..=b'9' => port.checked_mul(10)?.checked_add((digit - b'0').into()),
        _ => None,
    };
    digits.iter().try_fold(0, add).is_some()
}

/// The literal characters of a `reg-name` (RFC 3986 §3.2.2). A table, because every request
/// has a Host.
static NAME_CHARACTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte as usize] = is_unreserved(byte) || is_sub_delimiter(byte);
        byte += 1;
    }
    table
};
