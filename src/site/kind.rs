//! The kind and the Content-Type of a file, both determined by its name.

use http::HeaderValue;

/// The extensions of the embedded files. A line for each: extension, Content-Type.
const CONTENT_TYPES: &str = include_str!(concat!(env!("OUT_DIR"), "/content-types"));

/// The Content-Type of all other files (RFC 2046 §4.5.1).
const OCTET_STREAM: HeaderValue = HeaderValue::from_static("application/octet-stream");

/// The kind of a resource, which decides its security header fields and its
/// cache policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page.
    Document,
    /// A picture that a browser can open as a document, including its scripts.
    Svg,
    /// Any other file.
    Other,
}

impl Kind {
    /// The kind of the file `name`.
    pub(super) fn of(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, "html")) => Self::Document,
            Some((_, "svg")) => Self::Svg,
            _ => Self::Other,
        }
    }
}

/// The Content-Type of the file `name`, by its extension (HTTP-4).
pub(super) fn content_type(name: &str) -> HeaderValue {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let mut known = CONTENT_TYPES.lines().filter_map(|line| line.split_once(' '));
    known
        .find(|(known, _)| Some(*known) == extension)
        .map_or(OCTET_STREAM, |(_, content_type)| HeaderValue::from_static(content_type))
}
