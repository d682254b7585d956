//! The kind and the Content-Type of a file, both determined by its name.

/// The extensions of the embedded files with their Content-Types. The build script determines
/// them, so that the executable does not contain the table of mime_guess (110 kB).
const CONTENT_TYPES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content_types.rs"));

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

/// The Content-Type of the file `name` (WIRE-4), by default that of RFC 2046 §4.5.1.
pub(super) fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let known = CONTENT_TYPES.iter().find(|(known, _)| Some(*known) == extension);
    known.map_or("application/octet-stream", |(_, content_type)| content_type)
}
