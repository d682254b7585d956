//! The fields of a request that decide about its response.

use http::header::{
    ACCEPT, ACCEPT_ENCODING, GetAll, HOST, HeaderMap, HeaderValue, IF_MATCH, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE,
};

/// The lines of each of these fields.
#[derive(Debug, Default)]
pub(super) struct RequestFields<'a> {
    pub(super) host: Lines<'a>,
    pub(super) accept: Lines<'a>,
    pub(super) accept_encoding: Lines<'a>,
    pub(super) if_match: Lines<'a>,
    pub(super) if_none_match: Lines<'a>,
    pub(super) if_modified_since: Lines<'a>,
    pub(super) if_unmodified_since: Lines<'a>,
    pub(super) if_range: Lines<'a>,
    pub(super) range: Lines<'a>,
}

/// The lines of one field.
#[derive(Debug, Default)]
pub(super) enum Lines<'a> {
    #[default]
    None,
    One(&'a HeaderValue),
    Several(GetAll<'a, HeaderValue>),
}

impl<'a> RequestFields<'a> {
    /// Looks at each field of a request once. Nine look-ups by name, most of them of fields that a
    /// request does not have, would take longer.
    pub(super) fn of(headers: &'a HeaderMap) -> Self {
        let mut fields = Self::default();
        for (name, value) in headers {
            let lines = match *name {
                HOST => &mut fields.host,
                ACCEPT => &mut fields.accept,
                ACCEPT_ENCODING => &mut fields.accept_encoding,
                IF_MATCH => &mut fields.if_match,
                IF_NONE_MATCH => &mut fields.if_none_match,
                IF_MODIFIED_SINCE => &mut fields.if_modified_since,
                IF_UNMODIFIED_SINCE => &mut fields.if_unmodified_since,
                IF_RANGE => &mut fields.if_range,
                RANGE => &mut fields.range,
                _ => continue,
            };
            *lines = match lines {
                Lines::None => Lines::One(value),
                _ => Lines::Several(headers.get_all(name)),
            };
        }
        fields
    }
}

impl<'a> Lines<'a> {
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The value of a field that a request may have once; `None` without it or if it is repeated
    /// (§13.1.3, §13.1.4, §14.2).
    pub(super) fn single(&self) -> Option<&'a HeaderValue> {
        match self {
            Self::One(value) => Some(value),
            Self::None | Self::Several(_) => None,
        }
    }

    /// The bytes of each line.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        let (one, several) = match self {
            Self::None => (None, None),
            Self::One(value) => (Some(*value), None),
            Self::Several(values) => (None, Some(values.iter())),
        };
        one.into_iter().chain(several.into_iter().flatten()).map(HeaderValue::as_bytes)
    }
}
