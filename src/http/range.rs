//! The Range field (RFC 9110 §14, WIRE-15 and WIRE-16).

use std::ops::Range;

use http::HeaderValue;

/// The part of a representation that a Range field selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// All of it: there is no field, it has another unit, is malformed, or names
    /// several ranges. §14.2 allows a server to ignore it.
    Whole,
    /// These bytes.
    Part(Range<usize>),
    /// No byte: 416.
    NotSatisfiable,
}

/// Evaluates a Range field against a representation of `length` bytes.
pub(super) fn select(field: Option<&HeaderValue>, length: usize) -> Selection {
    let range = field.and_then(|line| parse(line.as_bytes(), length));
    range.unwrap_or(Selection::Whole)
}

/// `None` if the field is not a single range of bytes.
fn parse(field: &[u8], length: usize) -> Option<Selection> {
    let (unit, ranges) = field.split_at_checked(b"bytes=".len())?;
    if !unit.eq_ignore_ascii_case(b"bytes=") {
        return None;
    }
    let range = ranges.trim_ascii();
    let dash = range.iter().position(|&byte| byte == b'-')?;
    let (first, last) = (&range[..dash], &range[dash + 1..]);
    let range = match (first, last) {
        (b"", suffix) => {
            let suffix = position(suffix)?;
            if suffix == 0 {
                return Some(Selection::NotSatisfiable);
            }
            length.saturating_sub(suffix)..length
        }
        (first, b"") => position(first)?..length,
        (first, last) => {
            let (first, last) = (position(first)?, position(last)?);
            if first > last {
                return None;
            }
            first..last.saturating_add(1).min(length)
        }
    };
    Some(if range.start < length { Selection::Part(range) } else { Selection::NotSatisfiable })
}

/// A position in bytes. A number that is too large for `usize` becomes its
/// maximum, which lies after the end of any representation.
fn position(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_usize, |position, digit| {
        digit
            .is_ascii_digit()
            .then(|| position.saturating_mul(10).saturating_add(usize::from(digit - b'0')))
    })
}
