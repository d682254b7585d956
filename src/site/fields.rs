//! Prepared header fields of responses (DECISION-22).

use std::sync::Arc;

use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, HeaderValue, LAST_MODIFIED, STRICT_TRANSPORT_SECURITY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use sha2::{Digest, Sha256};

use super::coding::Coding;
use super::validator::LastModified;

/// Vary of every 404: Accept selects between the page and plain text, and
/// Accept-Encoding the variant of the page (HTTP-2).
pub const NOT_FOUND_VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");

/// The fields that a 304 shares with the 200, besides ETag (HTTP-13). A client keeps
/// all other fields of the 200 that it stored, and they are current: the ETag covers
/// them (HTTP-1).
const NOT_MODIFIED: [HeaderName; 4] =
    [CACHE_CONTROL, VARY, X_CONTENT_TYPE_OPTIONS, STRICT_TRANSPORT_SECURITY];

/// Number of fields that a 200 can have besides those that its resource shares with others.
const DESCRIPTION_FIELDS_MAX: usize = 6;

/// Header maps that are complete except for the values that differ between files.
/// Those are present with an empty value. Each response copies a map and replaces
/// them: inserting another field would make the copy grow, which costs as much as
/// the copy itself.
#[derive(Debug)]
pub struct Fields {
    /// For a 200 or 206. Each response replaces ETag and Content-Length.
    pub whole: HeaderMap,
    /// For a 304 (HTTP-13). Each response replaces ETag.
    pub not_modified: HeaderMap,
    /// For the 404 page. Each response replaces Content-Length. There is no validator,
    /// because a 404 is not stored.
    pub not_found: HeaderMap,
    /// The date of the content; `None` if it is unknown.
    pub last_modified: Option<LastModified>,
    /// SHA-256 of the fields of a 200 that do not follow from the content, for its
    /// ETag (HTTP-1). Without Last-Modified, so that a new build of the same content
    /// keeps its ETag.
    pub(super) sha256: [u8; 32],
}

impl Fields {
    fn new(
        shared: &HeaderMap,
        content_type: &HeaderValue,
        last_modified: Option<&LastModified>,
        coding: Coding,
    ) -> Self {
        // The fields to replace come first, so that they are found at once.
        let to_replace = HeaderValue::from_static("");
        let mut not_modified = HeaderMap::with_capacity(NOT_MODIFIED.len() + 1);
        not_modified.insert(ETAG, to_replace.clone());
        for name in NOT_MODIFIED {
            if let Some(value) = shared.get(&name) {
                not_modified.insert(name, value.clone());
            }
        }
        let mut whole = HeaderMap::with_capacity(shared.len() + DESCRIPTION_FIELDS_MAX);
        whole.insert(ETAG, to_replace.clone());
        whole.insert(CONTENT_LENGTH, to_replace);
        for (name, value) in shared {
            whole.insert(name.clone(), value.clone());
        }
        whole.insert(CONTENT_TYPE, content_type.clone());
        if let Some(coding) = coding.content_encoding() {
            whole.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        let mut not_found = whole.clone();
        not_found.remove(ETAG);
        not_found.insert(VARY, NOT_FOUND_VARY);
        whole.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        let sha256 = digest(&whole);
        if let Some(last_modified) = last_modified {
            whole.insert(LAST_MODIFIED, last_modified.value.clone());
        }
        Self { whole, not_modified, not_found, last_modified: last_modified.cloned(), sha256 }
    }
}

/// SHA-256 of `headers` in the order of their names, without ETag.
fn digest(headers: &HeaderMap) -> [u8; 32] {
    let mut fields: Vec<_> = headers
        .iter()
        .filter(|(name, _)| *name != ETAG)
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect();
    fields.sort_unstable();
    let mut hash = Sha256::new();
    for (name, value) in fields {
        for part in [name.as_bytes(), b":", value, b"\n"] {
            hash.update(part);
        }
    }
    hash.finalize().into()
}

/// Header maps that several resources share: a site of 20,000 files has few
/// different ones.
#[derive(Debug, Default)]
pub(super) struct SharedFields(Vec<Arc<HeaderMap>>);

impl SharedFields {
    /// The shared map that is equal to `headers`.
    pub(super) fn intern(&mut self, headers: HeaderMap) -> Arc<HeaderMap> {
        if let Some(known) = self.0.iter().find(|known| ***known == headers) {
            return Arc::clone(known);
        }
        let headers = Arc::new(headers);
        self.0.push(Arc::clone(&headers));
        headers
    }
}

/// The prepared fields of all resources. They are looked up by the parts that they
/// are made from, because comparing whole header maps would slow down the start of
/// a large site.
#[derive(Debug, Default)]
pub(super) struct PreparedFields(Vec<Prepared>);

/// Prepared fields with the parts that they are made from.
#[derive(Debug)]
struct Prepared {
    shared: Arc<HeaderMap>,
    content_type: HeaderValue,
    coding: Coding,
    fields: Arc<Fields>,
}

impl PreparedFields {
    /// The prepared fields that are made from the given parts. `shared` is compared by
    /// address, so it has to come from [`SharedFields`].
    pub(super) fn get(
        &mut self,
        shared: &Arc<HeaderMap>,
        content_type: &HeaderValue,
        last_modified: Option<&LastModified>,
        coding: Coding,
    ) -> Arc<Fields> {
        let time = last_modified.map(|date| date.time);
        let known = self.0.iter().find(|known| {
            Arc::ptr_eq(&known.shared, shared)
                && known.content_type == content_type
                && known.fields.last_modified.as_ref().map(|date| date.time) == time
                && known.coding == coding
        });
        if let Some(known) = known {
            return Arc::clone(&known.fields);
        }
        let fields = Arc::new(Fields::new(shared, content_type, last_modified, coding));
        self.0.push(Prepared {
            shared: Arc::clone(shared),
            content_type: content_type.clone(),
            coding,
            fields: Arc::clone(&fields),
        });
        fields
    }
}
