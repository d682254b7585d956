//! Conditional requests (RFC 9110 §13).
//!
//! Our own, on the bytes: `headers` reads a date field's first line only,
//! takes a list with an unquoted member for no field at all, and allocates;
//! the conditions here are compared with values that stand ready.

use http::header::{
    HeaderMap, HeaderValue, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    IF_UNMODIFIED_SINCE,
};

use crate::site::LastModified;

/// What the conditions of a request come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluation {
    /// Answer as if there were none.
    Met,
    /// 304.
    NotModified,
    /// 412.
    Failed,
}

/// Evaluates the conditions in the order of §13.2.2. The method is GET or HEAD.
pub(super) fn evaluate(
    headers: &HeaderMap,
    etag: &HeaderValue,
    last_modified: Option<&LastModified>,
) -> Evaluation {
    if headers.contains_key(IF_MATCH) {
        if !lists(headers, IF_MATCH, etag, Comparison::Strong) {
            return Evaluation::Failed;
        }
    } else if let (Some(date), Some(last_modified)) =
        (headers.get(IF_UNMODIFIED_SINCE).and_then(parse_date), last_modified)
        && last_modified.time > date
    {
        return Evaluation::Failed;
    }
    if headers.contains_key(IF_NONE_MATCH) {
        // §13.1.3: where it stands, If-Modified-Since is ignored.
        if lists(headers, IF_NONE_MATCH, etag, Comparison::Weak) {
            return Evaluation::NotModified;
        }
    } else if is_date_of(headers.get(IF_MODIFIED_SINCE), last_modified) {
        return Evaluation::NotModified;
    }
    Evaluation::Met
}

/// Whether a Range field counts: §13.1.5 lets If-Range take it back where the
/// validator is not strong or not the current one.
pub(super) fn range_applies(
    headers: &HeaderMap,
    etag: &HeaderValue,
    last_modified: Option<&LastModified>,
) -> bool {
    let Some(validator) = headers.get(IF_RANGE) else { return true };
    validator == etag || is_date_of(Some(validator), last_modified)
}

/// Whether a field is the very date of the representation. §13.1.3 would allow
/// any later date for If-Modified-Since; but after a rollback the page that a
/// reader has is the newer one, and must not be confirmed.
fn is_date_of(field: Option<&HeaderValue>, last_modified: Option<&LastModified>) -> bool {
    let (Some(field), Some(last_modified)) = (field, last_modified) else { return false };
    field == last_modified.value || parse_date(field) == Some(last_modified.time)
}

/// §5.6.7: all three formats; one that does not parse is no field.
fn parse_date(field: &HeaderValue) -> Option<std::time::SystemTime> {
    httpdate::parse_http_date(field.to_str().ok()?.trim()).ok()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Strong,
    Weak,
}

/// Whether a list of entity tags (§8.8.3), or `*`, names `etag`, which is
/// strong (§8.8.3.2).
fn lists(
    headers: &HeaderMap,
    field: http::HeaderName,
    etag: &HeaderValue,
    comparison: Comparison,
) -> bool {
    let etag = etag.as_bytes();
    headers.get_all(field).iter().any(|line| {
        let line = line.as_bytes().trim_ascii();
        line == b"*" || line == etag || any_tag(line, etag, comparison)
    })
}

/// Reads `W/"a", "b,c" ,"d"`: commas inside quotes belong to the tag.
fn any_tag(line: &[u8], etag: &[u8], comparison: Comparison) -> bool {
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
