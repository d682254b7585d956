//! Validators (RFC 9110 §8.8): ETag (DECISION-20) and Last-Modified.

use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::HeaderValue;
use sha2::{Digest, Sha256};

use super::permanent;

/// Bytes of the SHA-256 that an ETag contains: 96 bits make a collision of two
/// files practically impossible.
const ETAG_HASH_BYTES: usize = 12;

/// The strong ETag of a variant, from the SHA-256 of its content and that of its
/// header fields (HTTP-1).
pub(super) fn etag(content: &[u8; 32], fields: &[u8; 32]) -> HeaderValue {
    let hash = Sha256::digest([*content, *fields].as_flattened());
    let opaque = URL_SAFE_NO_PAD.encode(&hash[..ETAG_HASH_BYTES]);
    permanent::header_value(format!("\"{opaque}\""))
}

/// A date with the precision of HTTP, one second (RFC 9110 §5.6.7).
#[derive(Clone, Debug)]
pub struct LastModified {
    /// The date.
    pub time: SystemTime,
    /// The date as a field value.
    pub value: HeaderValue,
}

impl From<SystemTime> for LastModified {
    fn from(time: SystemTime) -> Self {
        let value = permanent::header_value(httpdate::fmt_http_date(time));
        Self { time, value }
    }
}
