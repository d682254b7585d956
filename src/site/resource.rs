//! A resource and its variants, with every header value prepared.

use std::sync::Arc;

use http::header::{HeaderMap, HeaderValue};

use super::coding::Coding;
use super::content::Content;
use super::fields::{Fields, PreparedFields};
use super::file::File;
use super::file_set::FileSet;
use super::kind::{self, Kind};
use super::permanent;
use super::validator::{self, LastModified};

/// A representation of a resource in one content-coding.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its content-coding.
    pub coding: Coding,
    /// Its strong validator (RFC 9110 §8.8.3.3).
    pub etag: HeaderValue,
    /// The bytes that are sent.
    pub body: Content,
    /// `body.len()` as a field value.
    pub content_length: HeaderValue,
    /// The prepared header fields of its responses.
    pub fields: Arc<Fields>,
}

/// Everything that is available at one path: variants and the header fields
/// that they share.
#[derive(Debug)]
pub struct Resource {
    /// Cache-Control, Vary and the security header fields.
    pub headers: Arc<HeaderMap>,
    kind: Kind,
    identity: Variant,
    compressed: Vec<Variant>,
}

impl Resource {
    /// The resource of `files`. `headers` come from the same
    /// [`SharedFields`](super::fields::SharedFields) for all resources of a site.
    pub(super) fn new(
        files: &FileSet,
        headers: Arc<HeaderMap>,
        last_modified: Option<&LastModified>,
        prepared: &mut PreparedFields,
    ) -> Self {
        let name = &files.plain.path;
        let content_type = kind::content_type(name);
        let mut variant = |coding, file: &File| {
            let fields = prepared.get(&headers, &content_type, last_modified, coding);
            Variant {
                coding,
                etag: validator::etag(&file.sha256, &fields.sha256),
                body: file.content.clone(),
                content_length: permanent::header_value(file.content.len().to_string()),
                fields,
            }
        };
        let identity = variant(Coding::Identity, &files.plain);
        let compressed =
            files.compressed.iter().map(|(coding, file)| variant(*coding, file)).collect();
        Self { kind: Kind::of(name), identity, compressed, headers }
    }

    /// True if this is a page.
    pub fn is_document(&self) -> bool {
        self.kind == Kind::Document
    }

    /// The variant with the plain bytes, which every resource has.
    pub fn identity(&self) -> &Variant {
        &self.identity
    }

    /// The variant in `coding`; `None` if the resource has none.
    pub fn variant(&self, coding: Coding) -> Option<&Variant> {
        self.variants().find(|variant| variant.coding == coding)
    }

    /// Every variant, the plain bytes first.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        std::iter::once(&self.identity).chain(&self.compressed)
    }
}
