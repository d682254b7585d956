//! Conditional requests (RFC 9110 §13; WIRE-10, WIRE-11, WIRE-13, WIRE-14).
//!
//! No resource has a date, so a date in a request is ignored (§13.1.3, §13.1.4).
//!
//! A parser of our own, because `headers` reads only the first line of a field (DECISION-17).

use http::header::{HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH, IF_RANGE};

use super::request_fields::{lines, single};
use crate::site::Variant;

/// False if the client demands another state of `variant`: 412. To be evaluated before the others
/// (§13.2.2).
pub(super) fn is_met(headers: &HeaderMap, variant: &Variant) -> bool {
    contains(headers, &IF_MATCH, &variant.etag, Comparison::Strong).unwrap_or(true)
}

/// True if the client has `variant` already: 304. The method is GET or HEAD.
pub(super) fn is_current(headers: &HeaderMap, variant: &Variant) -> bool {
    contains(headers, &IF_NONE_MATCH, &variant.etag, Comparison::Weak).unwrap_or(false)
}

/// True if the Range field is to be honoured: there is no If-Range, or it contains the current
/// strong validator (§13.1.5, WIRE-17).
pub(super) fn range_applies(headers: &HeaderMap, variant: &Variant) -> bool {
    !headers.contains_key(IF_RANGE) || single(headers, &IF_RANGE) == Some(&variant.etag)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Strong,
    Weak,
}

/// True if a field is `*` or a list of entity tags (§8.8.3) that contains `etag`, which is strong
/// (§8.8.3.2). `None` without such a field.
fn contains(
    headers: &HeaderMap,
    name: &HeaderName,
    etag: &HeaderValue,
    comparison: Comparison,
) -> Option<bool> {
    let etag = etag.as_bytes();
    let matches = |line: &[u8]| line.trim_ascii() == b"*" || list_contains(line, etag, comparison);
    headers.contains_key(name).then(|| lines(headers, name).any(matches))
}

/// True if a list such as `W/"a", "b,c" ,"d"` contains `etag`. Commas inside quotes belong to a
/// tag.
fn list_contains(line: &[u8], etag: &[u8], comparison: Comparison) -> bool {
    let mut rest = line;
    loop {
        while let [b' ' | b'\t' | b',', tail @ ..] = rest {
            rest = tail;
        }
        let (is_weak, quoted) = match rest {
            [b'W', b'/', tail @ ..] => (true, tail),
            _ => (false, rest),
        };
        let [b'"', opaque @ ..] = quoted else { return false };
        let Some(end) = opaque.iter().position(|&byte| byte == b'"') else { return false };
        let (tag, tail) = quoted.split_at(end + 2);
        if tag == etag && (!is_weak || comparison == Comparison::Weak) {
            return true;
        }
        rest = tail;
    }
}
