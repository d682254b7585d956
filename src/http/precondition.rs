//! Conditional requests (RFC 9110 §13; WIRE-10, WIRE-11, WIRE-12, WIRE-13,
//! WIRE-14).
//!
//! A parser of our own, because `headers` reads only the first line of a field (DECISION-17).

use http::header::{
    HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    IF_UNMODIFIED_SINCE,
};

use super::request_fields::{lines, single};
use crate::site::LastModified;

/// The result of evaluating the preconditions of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluation {
    /// The request is processed as if it had no precondition.
    Met,
    /// 304.
    NotModified,
    /// 412.
    Failed,
}

/// Evaluates the preconditions in the order of §13.2.2. The method is GET or HEAD.
pub(super) fn evaluate(
    headers: &HeaderMap,
    etag: &HeaderValue,
    last_modified: Option<&LastModified>,
) -> Evaluation {
    let is_match = contains(headers, &IF_MATCH, etag, Comparison::Strong).unwrap_or_else(|| {
        !is_modified_since(single(headers, &IF_UNMODIFIED_SINCE), last_modified)
    });
    if !is_match {
        return Evaluation::Failed;
    }
    // §13.1.3: If-Modified-Since is ignored together with If-None-Match.
    let is_known = contains(headers, &IF_NONE_MATCH, etag, Comparison::Weak)
        .unwrap_or_else(|| is_date_of(single(headers, &IF_MODIFIED_SINCE), last_modified));
    if is_known { Evaluation::NotModified } else { Evaluation::Met }
}

/// True if a field contains a date before that of the representation.
fn is_modified_since(field: Option<&HeaderValue>, last_modified: Option<&LastModified>) -> bool {
    let (Some(field), Some(last_modified)) = (field, last_modified) else { return false };
    parse_date(field).is_some_and(|date| last_modified.time > date)
}

/// True if the Range field is to be honoured: there is no If-Range, or it
/// contains the current strong validator (§13.1.5, WIRE-17).
pub(super) fn range_applies(
    headers: &HeaderMap,
    etag: &HeaderValue,
    last_modified: Option<&LastModified>,
) -> bool {
    if !headers.contains_key(IF_RANGE) {
        return true;
    }
    let validator = single(headers, &IF_RANGE);
    validator == Some(etag) || is_date_of(validator, last_modified)
}

/// True if a field contains exactly the date of the representation. §13.1.3
/// would allow any later date for If-Modified-Since, but after a rollback the
/// copy of a client is newer and must not be confirmed.
fn is_date_of(field: Option<&HeaderValue>, last_modified: Option<&LastModified>) -> bool {
    let (Some(field), Some(last_modified)) = (field, last_modified) else { return false };
    field == last_modified.value || parse_date(field) == Some(last_modified.time)
}

/// A date in any of the three formats of §5.6.7; `None` if it does not parse.
fn parse_date(field: &HeaderValue) -> Option<std::time::SystemTime> {
    httpdate::parse_http_date(field.to_str().ok()?.trim()).ok()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Strong,
    Weak,
}

/// True if a field is `*` or a list of entity tags (§8.8.3) that contains `etag`,
/// which is strong (§8.8.3.2). `None` without such a field.
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

/// True if a list such as `W/"a", "b,c" ,"d"` contains `etag`. Commas inside
/// quotes belong to a tag.
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
