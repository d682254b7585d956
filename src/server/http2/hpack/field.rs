//! A header field or pseudo-header field of a request.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};

use super::table_size;

/// The pseudo-header fields of a request (RFC 9113 §8.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Pseudo {
    Authority,
    Method,
    Path,
    Scheme,
}

impl Pseudo {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Authority => ":authority",
            Self::Method => ":method",
            Self::Path => ":path",
            Self::Scheme => ":scheme",
        }
    }
}

/// The name of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Pseudo(Pseudo),
    Regular(HeaderName),
    /// A name that no request may contain, with its length.
    Invalid(usize),
}

impl Name {
    pub(super) fn new(text: &[u8]) -> Self {
        match text {
            b":authority" => Self::Pseudo(Pseudo::Authority),
            b":method" => Self::Pseudo(Pseudo::Method),
            b":path" => Self::Pseudo(Pseudo::Path),
            b":scheme" => Self::Pseudo(Pseudo::Scheme),
            _ => HeaderName::from_lowercase(text)
                .map_or_else(|_| Self::Invalid(text.len()), Self::Regular),
        }
    }

    fn length(&self) -> usize {
        match self {
            Self::Pseudo(name) => name.as_str().len(),
            Self::Regular(name) => name.as_str().len(),
            Self::Invalid(length) => *length,
        }
    }
}

/// A field. The dynamic table also keeps invalid ones, which end only their request.
#[derive(Clone, Debug)]
pub(in super::super) enum Field {
    Pseudo(Pseudo, Bytes),
    Regular(HeaderName, HeaderValue),
    /// A field that makes its request malformed (RFC 9113 §8.2.1).
    Invalid(InvalidField),
}

/// What remains of an invalid field: its name, because another field can refer to it, and the
/// length of its value.
#[derive(Clone, Debug)]
pub(in super::super) struct InvalidField {
    name: Name,
    value_length: usize,
}

impl Field {
    pub(super) fn new(name: Name, value: Bytes) -> Self {
        let value_length = value.len();
        match name {
            Name::Pseudo(name) => Self::Pseudo(name, value),
            Name::Regular(name) if !has_outer_space(&value) => {
                match HeaderValue::from_maybe_shared(value) {
                    Ok(value) => Self::Regular(name, value),
                    Err(_) => Self::invalid(Name::Regular(name), value_length),
                }
            }
            name => Self::invalid(name, value_length),
        }
    }

    fn invalid(name: Name, value_length: usize) -> Self {
        Self::Invalid(InvalidField { name, value_length })
    }

    pub(super) fn name(&self) -> Name {
        match self {
            Self::Pseudo(name, _) => Name::Pseudo(*name),
            Self::Regular(name, _) => Name::Regular(name.clone()),
            Self::Invalid(field) => field.name.clone(),
        }
    }

    /// Size in bytes, as the dynamic table and the limit on a head count it.
    pub(in super::super) fn size(&self) -> usize {
        let (name_length, value_length) = match self {
            Self::Pseudo(name, value) => (name.as_str().len(), value.len()),
            Self::Regular(name, value) => (name.as_str().len(), value.len()),
            Self::Invalid(field) => (field.name.length(), field.value_length),
        };
        table_size::of_field(name_length, value_length)
    }
}

/// True if a value begins or ends with white space (RFC 9113 §8.2.1).
fn has_outer_space(value: &[u8]) -> bool {
    let is_space = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    is_space(value.first()) || is_space(value.last())
}
