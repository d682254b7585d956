//! Validators (RFC 9110 §8.8): ETag and Last-Modified.

use std::time::SystemTime;

use http::HeaderValue;

use super::permanent;

/// Bytes of the SHA-256 that an ETag contains: 96 bits make a collision of two
/// files practically impossible.
const ETAG_HASH_BYTES: usize = 12;

/// The strong ETag of a variant whose content has this SHA-256 (HTTP-1).
pub(super) fn etag(sha256: &[u8; 32]) -> HeaderValue {
    let hash = &sha256[..ETAG_HASH_BYTES];
    let hexadecimal: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    permanent::header_value(format!("\"{hexadecimal}\""))
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
