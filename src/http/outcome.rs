//! First it is decided what a request gets; `response` then builds it.

use std::ops::Range;

use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap};
use http::{HeaderValue, Method, Request};

use super::precondition::{self, Evaluation};
use super::range::{self, Selection};
use super::{TARGET_MAX_BYTES, content_coding, host, target};
use crate::site::{Resource, Site, Variant};

/// A variant of a resource, chosen for one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected<'a> {
    pub(super) resource: &'a Resource,
    pub(super) variant: &'a Variant,
}

/// What a request gets.
#[derive(Debug)]
pub(super) enum Outcome<'a> {
    /// 200: the whole representation.
    Whole(Selected<'a>),
    /// 206: these bytes of it.
    Part(Selected<'a>, Range<usize>),
    /// 204: what a resource allows.
    Options,
    /// 304: what the client has is still right.
    NotModified(Selected<'a>),
    /// 308: the one address of what was asked for.
    Redirect(HeaderValue),
    /// 400: not a request that RFC 9112 §3.2 allows.
    BadRequest,
    /// 404 for people: the page.
    NotFoundPage(Selected<'a>),
    /// 404 for whatever loads a file.
    NotFound,
    /// 405: this server is for reading.
    MethodNotAllowed,
    /// 406: no variant that the client accepts.
    NotAcceptable(&'a Resource),
    /// 412: what the client has is no longer right.
    PreconditionFailed(Selected<'a>),
    /// 414: longer than anything that is here.
    UriTooLong,
    /// 416: the range begins behind the end.
    RangeNotSatisfiable(Selected<'a>),
}

pub(super) fn decide<'a, B>(site: &'a Site, request: &Request<B>) -> Outcome<'a> {
    let headers = request.headers();
    if !host::is_valid(headers, request.version()) {
        return Outcome::BadRequest;
    }
    let uri = request.uri();
    if target::length(uri) > TARGET_MAX_BYTES {
        return Outcome::UriTooLong;
    }
    match *request.method() {
        Method::GET | Method::HEAD => {}
        Method::OPTIONS => return Outcome::Options,
        _ => return Outcome::MethodNotAllowed,
    }
    // RFC 9112 §3.2: a bare authority belongs to CONNECT, and `*` to OPTIONS.
    if !uri.path().starts_with('/') {
        return Outcome::BadRequest;
    }
    if let Some(resource) = site.get(uri.path()) {
        return represent(resource, request.method(), headers);
    }
    match target::redirect(site, uri) {
        Some(location) => Outcome::Redirect(location),
        None => not_found(site, headers),
    }
}

/// The representation of a resource that exists: negotiation first, then the
/// conditions in the order of RFC 9110 §13.2.2, then the range.
fn represent<'a>(resource: &'a Resource, method: &Method, headers: &HeaderMap) -> Outcome<'a> {
    let Some(variant) = content_coding::negotiate(resource, headers.get_all(ACCEPT_ENCODING))
    else {
        return Outcome::NotAcceptable(resource);
    };
    let selected = Selected { resource, variant };
    let last_modified = resource.last_modified.as_ref();
    match precondition::evaluate(headers, &variant.etag, last_modified) {
        Evaluation::Failed => return Outcome::PreconditionFailed(selected),
        Evaluation::NotModified => return Outcome::NotModified(selected),
        Evaluation::Met => {}
    }
    // §14.2: a range is defined for GET alone.
    if method != Method::GET || !precondition::range_applies(headers, &variant.etag, last_modified)
    {
        return Outcome::Whole(selected);
    }
    match range::select(headers, variant.body.len()) {
        Selection::Whole => Outcome::Whole(selected),
        Selection::Part(range) => Outcome::Part(selected, range),
        Selection::NotSatisfiable => Outcome::RangeNotSatisfiable(selected),
    }
}

/// The page for people, whose browsers name `text/html` when they follow a
/// link; a line of text for scripts, pictures and programs, which do not. No
/// condition is looked at: it must not turn a 404 into something else (§13.2.1).
fn not_found<'a>(site: &'a Site, headers: &HeaderMap) -> Outcome<'a> {
    let selected = site.not_found().filter(|_| accepts_html(headers)).and_then(|resource| {
        let variant = content_coding::negotiate(resource, headers.get_all(ACCEPT_ENCODING))?;
        Some(Selected { resource, variant })
    });
    selected.map_or(Outcome::NotFound, Outcome::NotFoundPage)
}

/// Whether Accept names HTML with a weight above zero (RFC 9110 §12.5.1).
fn accepts_html(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).iter().flat_map(|line| line.as_bytes().split(|&byte| byte == b',')).any(
        |range| {
            let mut parts = range.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
            let media_type = parts.next().unwrap_or_default();
            let is_html = [&b"text/html"[..], b"application/xhtml+xml"]
                .iter()
                .any(|html| media_type.eq_ignore_ascii_case(html));
            is_html && content_coding::weight(parts).is_some_and(|weight| weight > 0)
        },
    )
}
