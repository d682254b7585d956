//! A resource and its variants, with every header value prepared.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderValue};

use super::File;
use super::fields::{Fields, PreparedFields};

/// A content-coding (RFC 9110 §8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// The plain bytes.
    Identity,
    /// `gzip`, and its old name `x-gzip`.
    Gzip,
    /// `br` (RFC 7932).
    Brotli,
}

impl Coding {
    /// The codings that make a variant of their own.
    pub const COMPRESSED: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// What a compressed variant's file name ends in.
    pub fn file_suffix(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some(".gz"),
            Self::Brotli => Some(".br"),
        }
    }

    /// Splits `app.js.br` into `app.js` and its coding.
    pub(super) fn of_file_name(name: &str) -> Option<(&str, Self)> {
        Self::COMPRESSED
            .into_iter()
            .find_map(|coding| Some((name.strip_suffix(coding.file_suffix()?)?, coding)))
    }

    /// The value of Content-Encoding; `None` for the plain bytes.
    pub fn header_value(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
            Self::Brotli => Some(HeaderValue::from_static("br")),
        }
    }
}

/// What a representation is to a browser, which decides what protects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page.
    Document,
    /// A picture that can be opened as a document, scripts and all.
    Svg,
    /// Everything else.
    Plain,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, "html")) => Self::Document,
            Some((_, "svg")) => Self::Svg,
            _ => Self::Plain,
        }
    }
}

/// One encoding of a resource.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its content-coding.
    pub coding: Coding,
    /// Strong validator: the hash of these very bytes (RFC 9110 §8.8.3.3).
    pub etag: HeaderValue,
    /// The bytes that are sent.
    pub body: Bytes,
    /// `body.len()` as a field value.
    pub content_length: HeaderValue,
    /// The fields of its answers.
    pub fields: Arc<Fields>,
}

/// 96 bits of the content's SHA-256: enough that no two files ever meet.
fn etag(sha256: &[u8; 32]) -> HeaderValue {
    let hexadecimal: String = sha256[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{hexadecimal}\"")).expect("hexadecimal digits in quotes")
}

/// A date with the precision of HTTP, one second (RFC 9110 §5.6.7).
#[derive(Clone, Debug)]
pub struct LastModified {
    /// The moment itself.
    pub time: SystemTime,
    /// The moment as a field value.
    pub value: HeaderValue,
}

impl From<SystemTime> for LastModified {
    fn from(time: SystemTime) -> Self {
        let value = HeaderValue::from_str(&httpdate::fmt_http_date(time)).expect("an IMF-fixdate");
        Self { time, value }
    }
}

/// What stands at one path: its variants and the fields that they share.
#[derive(Debug)]
pub struct Resource {
    /// Content-Type, with a charset for text.
    pub content_type: HeaderValue,
    /// When it was made; `None` where that is not known.
    pub last_modified: Option<LastModified>,
    /// The fields that a 200 and a 304 have in common: Cache-Control, Vary and
    /// the security headers.
    pub headers: Arc<HeaderMap>,
    kind: Kind,
    identity: Variant,
    compressed: Vec<Variant>,
}

impl Resource {
    pub(super) fn new(
        file: &File,
        coded: &[(Coding, File)],
        headers: Arc<HeaderMap>,
        last_modified: Option<LastModified>,
        prepared: &mut PreparedFields,
    ) -> Self {
        let content_type = content_type(&file.path);
        let mut variant = |coding, file: &File| Variant {
            coding,
            etag: etag(&file.sha256),
            body: file.content.clone(),
            content_length: HeaderValue::from(file.content.len()),
            fields: prepared.get(&headers, &content_type, last_modified.as_ref(), coding),
        };
        let identity = variant(Coding::Identity, file);
        let compressed = coded.iter().map(|(coding, file)| variant(*coding, file)).collect();
        Self {
            kind: Kind::of(&file.path),
            identity,
            compressed,
            content_type,
            last_modified,
            headers,
        }
    }

    /// Whether this is a page.
    pub fn is_document(&self) -> bool {
        self.kind == Kind::Document
    }

    /// The plain bytes, which every resource has.
    pub fn identity(&self) -> &Variant {
        &self.identity
    }

    /// The variant in `coding`, if there is one.
    pub fn variant(&self, coding: Coding) -> Option<&Variant> {
        self.variants().find(|variant| variant.coding == coding)
    }

    /// Every variant, the plain bytes first.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        std::iter::once(&self.identity).chain(&self.compressed)
    }
}

/// The media type of a file by its name. What is text says that it is UTF-8.
fn content_type(name: &str) -> HeaderValue {
    let media_type = mime_guess::from_path(name).first_or_octet_stream();
    let essence = media_type.essence_str();
    let is_text = media_type.type_() == mime_guess::mime::TEXT
        || matches!(media_type.subtype().as_str(), "javascript" | "json" | "xml")
        || matches!(media_type.suffix().map(|suffix| suffix.as_str()), Some("json" | "xml"));
    // mime_guess names the icon type that was registered and never used.
    let essence = if essence == "image/x-icon" { "image/vnd.microsoft.icon" } else { essence };
    let value = if is_text { format!("{essence}; charset=utf-8") } else { essence.to_owned() };
    HeaderValue::from_str(&value).expect("media types are plain ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_names_its_charset_and_pictures_do_not() {
        for (name, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("app.js", "text/javascript; charset=utf-8"),
            ("site.webmanifest", "application/manifest+json; charset=utf-8"),
            ("icon.svg", "image/svg+xml; charset=utf-8"),
            ("data.json", "application/json; charset=utf-8"),
            ("sitemap.xml", "text/xml; charset=utf-8"),
            ("robots.txt", "text/plain; charset=utf-8"),
            ("llms.md", "text/markdown; charset=utf-8"),
            ("phone.avif", "image/avif"),
            ("phone.webp", "image/webp"),
            ("og.png", "image/png"),
            ("favicon.ico", "image/vnd.microsoft.icon"),
            ("font.woff2", "font/woff2"),
            ("unknown.thing", "application/octet-stream"),
            ("no-extension", "application/octet-stream"),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
    }
}
