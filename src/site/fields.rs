//! The header fields of a resource's answers, prepared.

use std::sync::Arc;
use std::time::SystemTime;

use http::header::{
    ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    LAST_MODIFIED, VARY,
};

use super::resource::{Coding, LastModified};

/// Both kinds of 404 differ by Accept, and the page by its content-coding too.
pub const NOT_FOUND_VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");

/// The fields of a representation's answers, complete but for the values that
/// differ from file to file: those are empty, and are replaced in a copy.
/// Adding to a copy would let it grow, which costs as much as the copy.
#[derive(Debug)]
pub struct Fields {
    /// Of a 200; wants its ETag and its Content-Length.
    pub whole: HeaderMap,
    /// Of a 304; wants its ETag. RFC 9110 §15.4.5: the fields of the 200 that
    /// speak of no content.
    pub not_modified: HeaderMap,
    /// Of the 404 page; wants its Content-Length. No validator: nothing of a
    /// 404 is kept, so nothing of it is asked again.
    pub not_found: HeaderMap,
}

impl Fields {
    fn new(
        common: &HeaderMap,
        content_type: &HeaderValue,
        last_modified: Option<&LastModified>,
        coding: Coding,
    ) -> Self {
        let to_replace = HeaderValue::from_static("");
        let mut validators = HeaderMap::from_iter([(ETAG, to_replace.clone())]);
        if let Some(last_modified) = last_modified {
            validators.insert(LAST_MODIFIED, last_modified.value.clone());
        }
        let mut description = HeaderMap::from_iter([
            (CONTENT_LENGTH, to_replace),
            (CONTENT_TYPE, content_type.clone()),
        ]);
        if let Some(coding) = coding.header_value() {
            description.insert(CONTENT_ENCODING, coding);
        }
        let together = |parts: &[&HeaderMap]| -> HeaderMap {
            let fields = parts.iter().copied().flatten();
            fields.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let mut whole = together(&[common, &validators, &description]);
        whole.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        let mut not_found = together(&[common, &description]);
        not_found.insert(VARY, NOT_FOUND_VARY);
        Self { whole, not_modified: together(&[common, &validators]), not_found }
    }
}

/// The fields that were prepared so far: a site of 20,000 files has few kinds.
#[derive(Debug, Default)]
pub(super) struct PreparedFields(Vec<Prepared>);

/// Fields, and what they were made of.
#[derive(Debug)]
struct Prepared {
    common: Arc<HeaderMap>,
    content_type: HeaderValue,
    last_modified: Option<SystemTime>,
    coding: Coding,
    fields: Arc<Fields>,
}

impl PreparedFields {
    pub(super) fn get(
        &mut self,
        common: &Arc<HeaderMap>,
        content_type: &HeaderValue,
        last_modified: Option<&LastModified>,
        coding: Coding,
    ) -> Arc<Fields> {
        let moment = last_modified.map(|last_modified| last_modified.time);
        let known = self.0.iter().find(|known| {
            Arc::ptr_eq(&known.common, common)
                && known.content_type == content_type
                && known.last_modified == moment
                && known.coding == coding
        });
        if let Some(known) = known {
            return Arc::clone(&known.fields);
        }
        let fields = Arc::new(Fields::new(common, content_type, last_modified, coding));
        self.0.push(Prepared {
            common: Arc::clone(common),
            content_type: content_type.clone(),
            last_modified: moment,
            coding,
            fields: Arc::clone(&fields),
        });
        fields
    }
}
