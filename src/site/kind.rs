//! The kind, the Content-Type and the cache policy (WIRE-21) of a file, all determined by its name.

use http::HeaderValue;

/// The extensions of the embedded files, and the names of those without one, with their
/// Content-Types. The build script writes them, so that the executable does not contain the table
/// of mime_guess (110 kB).
const CONTENT_TYPES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content_types.rs"));

/// The kind of a resource, which decides its security header fields and its cache policy.
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

/// The Content-Type of the file `name` (WIRE-4), by default `application/octet-stream` (RFC 2046
/// §4.5.1).
pub(super) fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit(['.', '/']).next();
    let known = CONTENT_TYPES.iter().find(|(known, _)| Some(*known) == extension);
    known.map_or("application/octet-stream", |(_, content_type)| content_type)
}

/// The cache policy of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CachePolicy {
    /// For a year without revalidation: the name changes with the content.
    Immutable,
    /// For a short time: the content can change under the same name, but an outdated copy does no
    /// harm. Icons, robots.txt, the web manifest, redirects.
    Short,
    /// Stored, but revalidated before each use, and not changed by a proxy, because the policy of a
    /// page blocks a changed script: pages.
    Revalidate,
    /// Not stored: the 404 page, error responses, health checks.
    NoStore,
}

impl CachePolicy {
    /// The policy of the file `name`.
    pub(super) fn of(name: &str, kind: Kind) -> Self {
        if kind == Kind::Document {
            Self::Revalidate
        } else if has_content_hash(name) {
            Self::Immutable
        } else {
            Self::Short
        }
    }

    /// The value of Cache-Control. Lifetimes are in seconds.
    pub(crate) const fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Short => "public, max-age=3600",
            Self::Revalidate => "no-cache, no-transform",
            Self::NoStore => "no-store",
        })
    }
}

/// True if a name contains a content hash, such as `app.1f0c9a3e.js`: at least eight lower-case
/// hexadecimal digits between the last two dots. Digits that read as a date of the 20th or 21st
/// century (`menu.20261120.png`) do not count, because an immutable response cannot be withdrawn.
fn has_content_hash(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.') else { return false };
    let Some((before, hash)) = stem.rsplit_once('.') else { return false };
    let is_hexadecimal = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let reads_as_date = hash.bytes().all(|byte| byte.is_ascii_digit())
        && (hash.starts_with("19") || hash.starts_with("20"));
    !before.is_empty() && hash.len() >= 8 && is_hexadecimal && !reads_as_date
}
