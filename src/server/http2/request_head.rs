//! Makes a request of the fields of its head (RFC 9113 §8.2, §8.3).

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TE};
use http::header::{TRANSFER_ENCODING, UPGRADE};
use http::uri::{Authority, PathAndQuery, Scheme, Uri};
use http::{Method, Request, Version};

use super::hpack::{Field, Pseudo};
use super::upload::stated_length;

/// Maximum size of a head in bytes, as RFC 9113 §6.5.2 counts it (HTTP-35).
const BYTES_MAX: usize = 16 * 1024;

/// Maximum number of header fields; hyper has the same (HTTP-19).
const FIELDS_MAX: usize = 100;

/// Fields that concern a connection with HTTP/1.1 (RFC 9113 §8.2.2).
const CONNECTION_FIELDS: [HeaderName; 5] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The fields of a head, as they are decoded.
#[derive(Debug, Default)]
pub(super) struct RequestHead {
    method: Option<Bytes>,
    scheme: Option<Bytes>,
    authority: Option<Bytes>,
    path: Option<Bytes>,
    fields: HeaderMap,
    field_count: usize,
    size: usize,
    is_malformed: bool,
}

/// Why a head is that of no request.
#[derive(Debug)]
pub(super) enum HeadError {
    TooLarge,
    Malformed,
}

impl RequestHead {
    pub(super) fn add(&mut self, field: Field) {
        self.size += field.size();
        match field {
            Field::Pseudo(name, value) => self.add_pseudo(name, value),
            Field::Regular(name, value) => self.add_regular(name, value),
            Field::Invalid(_) => self.is_malformed = true,
        }
    }

    /// Fields after the limit are not kept: HPACK lets a client send a head that takes hundreds of
    /// times its bytes.
    fn is_too_large(&self) -> bool {
        self.size > BYTES_MAX || self.field_count > FIELDS_MAX
    }

    fn add_pseudo(&mut self, name: Pseudo, value: Bytes) {
        let known = match name {
            Pseudo::Method => &mut self.method,
            Pseudo::Scheme => &mut self.scheme,
            Pseudo::Authority => &mut self.authority,
            Pseudo::Path => &mut self.path,
        };
        // Each one once, and before all others (RFC 9113 §8.3).
        self.is_malformed |= self.field_count > 0 || known.replace(value).is_some();
    }

    fn add_regular(&mut self, name: HeaderName, value: HeaderValue) {
        self.field_count += 1;
        self.is_malformed |= CONNECTION_FIELDS.contains(&name)
            || name == TE && value != "trailers"
            || name == CONTENT_LENGTH && self.fields.contains_key(CONTENT_LENGTH);
        if !self.is_too_large() {
            self.fields.append(name, value);
        }
    }

    /// True if the head may be that of trailers (RFC 9113 §8.1).
    pub(super) fn is_valid_in_trailers(&self) -> bool {
        let pseudo = [&self.method, &self.scheme, &self.authority, &self.path];
        !self.is_malformed && pseudo.iter().all(|value| value.is_none())
    }

    /// The request. `has_content` is false if none follows the head.
    pub(super) fn into_request(self, has_content: bool) -> Result<Request<()>, HeadError> {
        if self.is_malformed {
            return Err(HeadError::Malformed);
        }
        if self.is_too_large() {
            return Err(HeadError::TooLarge);
        }
        self.request(has_content).ok_or(HeadError::Malformed)
    }

    fn request(self, has_content: bool) -> Option<Request<()>> {
        let method = Method::from_bytes(&self.method?).ok()?;
        let authority = match self.authority {
            Some(authority) => Some(Authority::from_maybe_shared(authority).ok()?),
            None => None,
        };
        let uri = match (method == Method::CONNECT, self.scheme, self.path) {
            // RFC 9113 §8.5.
            (true, None, None) => Uri::from(authority?),
            (false, Some(scheme), Some(path)) => {
                uri(Scheme::try_from(&*scheme).ok()?, authority, path)?
            }
            _ => return None,
        };
        let states_content = match self.fields.contains_key(CONTENT_LENGTH) {
            true => stated_length(&self.fields)? > 0,
            false => false,
        };
        if states_content && !has_content {
            return None;
        }
        let mut request = Request::new(());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        *request.version_mut() = Version::HTTP_2;
        *request.headers_mut() = self.fields;
        Some(request)
    }
}

/// A URI without an authority has no scheme either.
fn uri(scheme: Scheme, authority: Option<Authority>, path: Bytes) -> Option<Uri> {
    // RFC 9113 §8.3.1.
    if path.first() != Some(&b'/') && *path != *b"*" {
        return None;
    }
    let path = PathAndQuery::from_maybe_shared(path).ok()?;
    let Some(authority) = authority else { return Some(Uri::from(path)) };
    let mut parts = http::uri::Parts::default();
    parts.scheme = Some(scheme);
    parts.authority = Some(authority);
    parts.path_and_query = Some(path);
    Uri::from_parts(parts).ok()
}
