//! The host that a request is for (RFC 9110 §7.2, WIRE-19).

use http::header::HOST;
use http::uri::Authority;
use http::{Request, Version};

use super::request_fields::lines;
use crate::host_name::{port, split_port};

/// The host and the port of a request. Both are empty in a request of HTTP/1.0 without them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Host<'a> {
    /// The host, with its port if the request has one.
    pub(super) authority: &'a str,
    /// The host alone, without the dot at its end.
    pub(super) name: &'a str,
}

impl<'a> Host<'a> {
    /// The host of the target (RFC 9112 §3.2.2, RFC 9113 §8.3.1), or of the Host field. HTTP/1.1
    /// requires one Host field (RFC 9112 §3.2). HTTP/2 has a pseudo-header field instead, which a
    /// Host field has to agree with (RFC 9113 §8.3.1). `None` if the request breaks these rules or
    /// has no valid host.
    pub(super) fn of<B>(request: &'a Request<B>) -> Option<Self> {
        let target = request.uri().authority().map(Authority::as_str);
        let mut lines = lines(request.headers(), &HOST);
        let field = match (lines.next(), lines.next()) {
            (Some(line), None) => Some(str::from_utf8(line).ok().filter(|line| is_field(line))?),
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
        let (host, _) = split_port(authority);
        let name = host.strip_suffix('.').unwrap_or(host);
        // The parser of the target, or `is_field`, has accepted the characters.
        is_host_and_port(authority).then_some(Self { authority, name })
    }
}

/// `uri-host [ ":" port ]`. Both may be empty (RFC 3986 §3.2.2, §3.2.3).
fn is_field(value: &str) -> bool {
    is_host_and_port(value) && (value.is_empty() || Authority::try_from(value).is_ok())
}

/// True if an authority has no user information, and its port is a number if it has one.
fn is_host_and_port(authority: &str) -> bool {
    let digits = split_port(authority).1.unwrap_or_default();
    !authority.contains('@') && (digits.is_empty() || port(digits).is_some())
}
