//! The Range field (RFC 9110 §14, WIRE-15 and WIRE-16).

use std::ops::Range;

use http::HeaderValue;

/// The bytes that a Range field selects in a representation of `length` bytes; empty if it is not
/// satisfiable. `None` if the field has another unit, is malformed, or contains several ranges:
/// §14.2 allows a server to ignore it.
pub(super) fn select(field: &HeaderValue, length: usize) -> Option<Range<usize>> {
    let (unit, ranges) = field.as_bytes().split_at_checked(b"bytes=".len())?;
    if !unit.eq_ignore_ascii_case(b"bytes=") {
        return None;
    }
    let range = ranges.trim_ascii();
    let dash = range.iter().position(|&byte| byte == b'-')?;
    let (first, last) = (&range[..dash], &range[dash + 1..]);
    Some(match (first, last) {
        (b"", suffix) => length.saturating_sub(position(suffix)?)..length,
        (first, b"") => position(first)?..length,
        (first, last) => {
            let (first, last) = (position(first)?, position(last)?);
            if first > last {
                return None;
            }
            first..last.saturating_add(1).min(length)
        }
    })
}

/// A position in bytes. A number that is too large for `usize` becomes its maximum, which lies
/// after the end of any representation.
fn position(digits: &[u8]) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let digits = str::from_utf8(digits).ok().filter(|_| is_number)?;
    Some(digits.parse().unwrap_or(usize::MAX))
}
