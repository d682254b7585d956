//! Values that are never freed.
//!
//! The table of resources is built once and lives as long as the process. Values
//! without a reference count are cheaper to copy into each response, most of all when
//! workers on several processors would write to the same count.

use bytes::Bytes;
use http::HeaderValue;

/// A field value. Panics unless `text` is visible ASCII.
pub(super) fn header_value(text: String) -> HeaderValue {
    HeaderValue::from_static(Box::leak(text.into_boxed_str()))
}

/// The content of a response.
pub(super) fn bytes(content: Vec<u8>) -> Bytes {
    Bytes::from_static(Box::leak(content.into_boxed_slice()))
}
