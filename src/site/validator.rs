//! Validators (RFC 9110 §8.8): ETag and Last-Modified.

use std::time::SystemTime;

use http::HeaderValue;

/// Bytes of the SHA-256 that an ETag contains: 96 bits make a collision of two
/// files practically impossible.
const ETAG_HASH_BYTES: usize = 12;

/// The strong ETag of a variant whose content has this SHA-256 (HTTP-1).
pub(super) fn etag(sha256: &[u8; 32]) -> HeaderValue {
    let hash = &sha256[..ETAG_HASH_BYTES];
    let hexadecimal: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{hexadecimal}\"")).expect("hexadecimal digits in quotes")
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
        let value = HeaderValue::from_str(&httpdate::fmt_http_date(time)).expect("an IMF-fixdate");
        Self { time, value }
    }
}
