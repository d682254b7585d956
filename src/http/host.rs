//! The host that a request is for (RFC 9110 §7.2, WIRE-19).

use std::net::Ipv6Addr;

use http::header::HOST;
use http::uri::Authority;
use http::{Request, Version};

use super::request_fields::lines;

/// The host and the port of a request. Both are empty in a request of HTTP/1.0 without them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Host<'a> {
    /// The host, with its port if the request has one.
    pub(super) authority: &'a str,
    /// The host alone, without the dot at its end.
    pub(super) name: &'a str,
}

impl<'a> Host<'a> {
    /// The host of the target (RFC 9112 §3.2.2, RFC 9113 §8.3.1), or of the Host field. HTTP/1.1 requires
    /// one Host field (RFC 9112 §3.2). HTTP/2 has a pseudo-header field instead, which a Host field has to
    /// agree with (RFC 9113 §8.3.1). `None` if the request breaks these rules or has no valid host.
    pub(super) fn of<B>(request: &'a Request<B>) -> Option<Self> {
        let target = request.uri().authority().map(Authority::as_str);
        let mut lines = lines(request.headers(), &HOST);
        let field = match (lines.next(), lines.next()) {
            (Some(line), None) => Some(str::from_utf8(line).ok().filter(|line| is_host(line))?),
            (None, _) => None,
            (Some(_), Some(_)) => return None,
        };
        let authority = match (request.version(), target, field) {
            (Version::HTTP_2, Some(target), Some(field)) => {
                target.eq_ignore_ascii_case(field).then_some(target)?
            }
            (Version::HTTP_11, _, None) => return None,
            (Version::HTTP_10, None, None) => "",
            (_, target, field) => target.or(field)?,
        };
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        };
        let name = host.strip_suffix('.').unwrap_or(host);
        is_host(authority).then_some(Self { authority, name })
    }
}

/// `uri-host [ ":" port ]`. The host and the port may be empty (RFC 3986 §3.2.2, §3.2.3).
fn is_host(value: &str) -> bool {
    let rest = match value.as_bytes() {
        [b'[', rest @ ..] => after_literal(rest),
        value => Some(after_name(value)),
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
