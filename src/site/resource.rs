//! A resource and its variants, with all header fields prepared: building them is most of the work
//! for a small response.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderValue, VARY,
};
use ring::digest::{Context, SHA256};

use super::coding::Coding;
use super::file::{Content, File, FileSet, permanent};
use super::kind::{Kind, content_type};
use super::security;

/// Bytes of the SHA-256 that an ETag contains: 96 bits make a collision of two files practically
/// impossible.
const ETAG_HASH_BYTES: usize = 12;

/// Everything that is available at one path.
#[derive(Debug)]
pub struct Resource {
    /// The name of its file with the plain bytes: `privacy.html` at the path `/privacy`.
    pub(crate) file: String,
    /// The fields that all variants share: Cache-Control, Vary and the security header fields.
    pub headers: HeaderMap,
    /// True if this is a page.
    pub is_document: bool,
    /// The variant with the plain bytes, which every resource has.
    pub identity: Variant,
    compressed: Vec<Variant>,
}

/// A representation of a resource in one content-coding.
#[derive(Debug)]
pub struct Variant {
    /// Its content-coding.
    pub coding: Coding,
    /// Its strong validator (RFC 9110 §8.8.3.3).
    pub etag: HeaderValue,
    /// The bytes that are sent.
    pub body: Content,
    /// The header fields of a 200.
    pub headers: HeaderMap,
    /// The header fields of a 304 (WIRE-13).
    pub not_modified: HeaderMap,
}

impl Resource {
    /// The resource of `files`.
    pub(super) fn new(files: FileSet, headers: HeaderMap) -> Self {
        let FileSet { plain, compressed } = files;
        let content_type = HeaderValue::from_static(content_type(&plain.path));
        let variant = |coding, file| Variant::new(coding, file, &headers, &content_type);
        Self {
            file: plain.path.clone(),
            is_document: Kind::of(&plain.path) == Kind::Document,
            identity: variant(Coding::Identity, plain),
            compressed: compressed
                .into_iter()
                .map(|(coding, file)| variant(coding, file))
                .collect(),
            headers,
        }
    }

    /// Every variant, the plain bytes first.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        std::iter::once(&self.identity).chain(&self.compressed)
    }
}

impl Variant {
    fn new(coding: Coding, file: File, shared: &HeaderMap, content_type: &HeaderValue) -> Self {
        let mut headers = shared.clone();
        headers.insert(CONTENT_TYPE, content_type.clone());
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if let Some(coding) = coding.content_encoding() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        let etag = etag(&file.sha256, &headers);
        let names = [CACHE_CONTROL, VARY].into_iter().chain(security::NOT_MODIFIED);
        let shared_fields = names.filter_map(|name| {
            let value = shared.get(&name)?.clone();
            Some((name, value))
        });
        let not_modified = shared_fields.chain([(ETAG, etag.clone())]).collect();
        // The ETag covers none of these fields, so a new build of the same content keeps its ETag.
        headers.insert(ETAG, etag.clone());
        headers.insert(CONTENT_LENGTH, permanent(file.content.length().to_string()));
        Self { coding, etag, body: file.content, headers, not_modified }
    }
}

/// The strong ETag of a variant, from the SHA-256 of its content and its header fields (WIRE-1).
fn etag(content: &[u8; 32], headers: &HeaderMap) -> HeaderValue {
    let mut fields: Vec<_> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    fields.sort_unstable();
    let mut hash = Context::new(&SHA256);
    hash.update(content);
    for (name, value) in fields {
        for part in [name.as_bytes(), b":", value, b"\n"] {
            hash.update(part);
        }
    }
    let opaque = URL_SAFE_NO_PAD.encode(&hash.finish().as_ref()[..ETAG_HASH_BYTES]);
    permanent(format!("\"{opaque}\""))
}
