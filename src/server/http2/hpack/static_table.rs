//! The static table (RFC 7541 appendix A).

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};

use super::field::{Field, Name, Pseudo};

/// The number of fields; their indexes begin with 1.
pub(super) const LENGTH: usize = 61;

/// The index of `:status` with the first value of [`STATUSES`].
pub(super) const STATUS_INDEX: usize = 8;

/// The values of `:status`.
const STATUSES: [u16; 7] = [200, 204, 206, 304, 400, 404, 500];

/// The index of the first field that a response or request may have as a header field.
const REGULAR_INDEX: usize = 15;

/// The fields from [`REGULAR_INDEX`] on.
const REGULAR: [(HeaderName, &str); LENGTH + 1 - REGULAR_INDEX] = [
    (header::ACCEPT_CHARSET, ""),
    (header::ACCEPT_ENCODING, "gzip, deflate"),
    (header::ACCEPT_LANGUAGE, ""),
    (header::ACCEPT_RANGES, ""),
    (header::ACCEPT, ""),
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, ""),
    (header::AGE, ""),
    (header::ALLOW, ""),
    (header::AUTHORIZATION, ""),
    (header::CACHE_CONTROL, ""),
    (header::CONTENT_DISPOSITION, ""),
    (header::CONTENT_ENCODING, ""),
    (header::CONTENT_LANGUAGE, ""),
    (header::CONTENT_LENGTH, ""),
    (header::CONTENT_LOCATION, ""),
    (header::CONTENT_RANGE, ""),
    (header::CONTENT_TYPE, ""),
    (header::COOKIE, ""),
    (header::DATE, ""),
    (header::ETAG, ""),
    (header::EXPECT, ""),
    (header::EXPIRES, ""),
    (header::FROM, ""),
    (header::HOST, ""),
    (header::IF_MATCH, ""),
    (header::IF_MODIFIED_SINCE, ""),
    (header::IF_NONE_MATCH, ""),
    (header::IF_RANGE, ""),
    (header::IF_UNMODIFIED_SINCE, ""),
    (header::LAST_MODIFIED, ""),
    (header::LINK, ""),
    (header::LOCATION, ""),
    (header::MAX_FORWARDS, ""),
    (header::PROXY_AUTHENTICATE, ""),
    (header::PROXY_AUTHORIZATION, ""),
    (header::RANGE, ""),
    (header::REFERER, ""),
    (header::REFRESH, ""),
    (header::RETRY_AFTER, ""),
    (header::SERVER, ""),
    (header::SET_COOKIE, ""),
    (header::STRICT_TRANSPORT_SECURITY, ""),
    (header::TRANSFER_ENCODING, ""),
    (header::USER_AGENT, ""),
    (header::VARY, ""),
    (header::VIA, ""),
    (header::WWW_AUTHENTICATE, ""),
];

/// The field with `index`, which is from 1 to [`LENGTH`].
pub(super) fn field(index: usize) -> Field {
    let pseudo = |name, value| Field::Pseudo(name, Bytes::from_static(value));
    match index {
        1 => pseudo(Pseudo::Authority, b""),
        2 => pseudo(Pseudo::Method, b"GET"),
        3 => pseudo(Pseudo::Method, b"POST"),
        4 => pseudo(Pseudo::Path, b"/"),
        5 => pseudo(Pseudo::Path, b"/index.html"),
        6 => pseudo(Pseudo::Scheme, b"http"),
        7 => pseudo(Pseudo::Scheme, b"https"),
        // Only responses have a status.
        ..REGULAR_INDEX => Field::new(Name::new(b":status"), Bytes::from_static(b"200")),
        _ => {
            let (name, value) = &REGULAR[index - REGULAR_INDEX];
            Field::Regular(name.clone(), HeaderValue::from_static(value))
        }
    }
}

/// The first index of a field with this name.
pub(super) fn index_of(name: &HeaderName) -> Option<usize> {
    let position = REGULAR.iter().position(|(known, _)| known == name);
    position.map(|position| REGULAR_INDEX + position)
}

/// The index of `:status` with this value.
pub(super) fn index_of_status(status: u16) -> Option<usize> {
    let position = STATUSES.iter().position(|&known| known == status);
    position.map(|position| STATUS_INDEX + position)
}
