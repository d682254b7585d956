//! The Host field (RFC 9110 §7.2, WIRE-19).

use std::net::{Ipv4Addr, Ipv6Addr};

use http::header::HOST;
use http::uri::Authority;
use http::{Request, Version};

use super::request_fields::lines;

/// True if the request names its host once and validly (RFC 9112 §3.2). HTTP/1.0 may omit it.
/// HTTP/2 has a pseudo-header field for it, which a Host field has to agree with (RFC 9113
/// §8.3.1).
pub(super) fn is_valid<B>(request: &Request<B>) -> bool {
    let authority = match request.version() {
        Version::HTTP_2 => request.uri().authority().map(|authority| authority.as_str().as_bytes()),
        _ => None,
    };
    let mut lines = lines(request.headers(), &HOST);
    match (lines.next(), lines.next(), authority) {
        (None, _, None) => request.version() == Version::HTTP_10,
        (Some(host), None, None) | (None, _, Some(host)) => is_host(host),
        (Some(host), None, Some(authority)) => {
            is_host(authority) && host.eq_ignore_ascii_case(authority)
        }
        (Some(_), Some(_), _) => false,
    }
}

/// The host and port that the request is for: of its target (RFC 9112 §3.2.2, RFC 9113 §8.3.1), else of
/// the Host field.
pub(super) fn authority<B>(request: &Request<B>) -> Option<&str> {
    let field = || request.headers().get(HOST)?.to_str().ok();
    request.uri().authority().map(Authority::as_str).or_else(field)
}

/// The host that the request is for, without the dot at its end; empty without one.
pub(super) fn name<B>(request: &Request<B>) -> &str {
    let host = authority(request).and_then(|authority| authority.split(':').next());
    host.map(|host| host.strip_suffix('.').unwrap_or(host)).unwrap_or_default()
}

/// True if the request is for this machine, which browsers trust without TLS (Secure Contexts §3.1).
pub(super) fn is_local<B>(request: &Request<B>) -> bool {
    let host = name(request).to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback())
        || authority(request).is_some_and(|authority| authority.starts_with("[::1]"))
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

/// The rest of `value` after an IPv6 address, whose opening bracket is already removed; `None`
/// if the address is not valid. No other `IP-literal` is in use.
fn after_literal(value: &[u8]) -> Option<&[u8]> {
    let end = value.iter().position(|&byte| byte == b']')?;
    let literal = std::str::from_utf8(&value[..end]).ok()?;
    literal.parse::<Ipv6Addr>().ok().map(|_| &value[end + 1..])
}

/// The rest of `value` after its `reg-name` (RFC 3986 §3.2.2).
fn after_name(value: &[u8]) -> &[u8] {
    let mut rest = value;
    loop {
        let end = rest.iter().position(|byte| !is_literal(*byte));
        rest = match &rest[end.unwrap_or(rest.len())..] {
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            rest => return rest,
        };
    }
}

/// `unreserved` and `sub-delims` (RFC 3986 §2.2, §2.3).
fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte)
}

/// Digits of a number that a port can have, or none.
fn is_port(digits: &[u8]) -> bool {
    let add = |port: u16, digit: &u8| match digit {
        b'0'..=b'9' => port.checked_mul(10)?.checked_add((digit - b'0').into()),
        _ => None,
    };
    digits.iter().try_fold(0, add).is_some()
}
