//! The decision about a request, such as for its method (WIRE-18); `response` then builds
//! the response.

use std::ops::Range;

use http::header::{ACCEPT, HeaderMap, RANGE};
use http::{HeaderValue, Method, Request, Uri};

use super::request_fields::{members, single};
use super::{content_coding, host, precondition, range};
use crate::site::{HEALTH_PATH, Resource, Site, Variant, percent_encoding};

/// Maximum length of a request target in bytes (WIRE-19). RFC 9110 §4.1 requires
/// at least 8,000. The longest path of the site is a hundredth as long.
const MAX_BYTES: usize = 8192;

/// Maximum length of a query in a Location in bytes. A client of HTTP/2 can have the server
/// hold the responses to 32 requests (WIRE-35).
const KEPT_QUERY_MAX_BYTES: usize = 512;

/// A variant of a resource, selected for one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected<'a> {
    pub(super) resource: &'a Resource,
    pub(super) variant: &'a Variant,
}

/// The decision about a request.
#[derive(Debug)]
pub(super) enum Outcome<'a> {
    /// 200: the whole representation.
    Whole(Selected<'a>),
    /// 206: these bytes of the representation.
    Part(Selected<'a>, Range<usize>),
    /// 204: the allowed methods.
    Options,
    /// 200: the script that ends a former site's service worker (WIRE-37).
    EndServiceWorker,
    /// 304: the copy of the client is current.
    NotModified(Selected<'a>),
    /// 308: the Location, a canonical path or the same target at the HTTPS origin.
    Redirect(HeaderValue),
    /// 400: Host or target violate RFC 9112 §3.2.
    BadRequest,
    /// 400: plain HTTP on a port of HTTPS, which this text says.
    PlainOnHttps(String),
    /// 404 with the page, for clients that accept HTML.
    NotFoundPage(Selected<'a>),
    /// 404 in plain text, for all other clients.
    NotFound,
    /// 405: the method is not supported.
    MethodNotAllowed,
    /// 406: the client accepts no variant.
    NotAcceptable(&'a Resource),
    /// 412: the copy of the client is not current.
    PreconditionFailed(Selected<'a>),
    /// 414: the target is too long.
    UriTooLong,
    /// 421: the connection is for another host.
    Misdirected,
    /// 416: the range selects no byte.
    RangeNotSatisfiable(Selected<'a>),
}

/// Decides about `request`.
pub(super) fn decide<'a, B>(site: &'a Site, request: &Request<B>) -> Outcome<'a> {
    if !host::is_valid(request) {
        return Outcome::BadRequest;
    }
    let uri = request.uri();
    if is_too_long(uri) {
        return Outcome::UriTooLong;
    }
    match *request.method() {
        Method::GET | Method::HEAD => {}
        Method::OPTIONS => return Outcome::Options,
        _ => return Outcome::MethodNotAllowed,
    }
    // RFC 9112 §3.2: authority-form is for CONNECT only, and `*` for OPTIONS.
    let path = uri.path();
    if !path.starts_with('/') {
        return Outcome::BadRequest;
    }
    if request.headers().get("service-worker").is_some_and(|kind| kind == "script") {
        return Outcome::EndServiceWorker;
    }
    if let Some(resource) = site.get(path) {
        if path == HEALTH_PATH {
            // 200 for every request (WIRE-36).
            return Outcome::Whole(Selected { resource, variant: &resource.identity });
        }
        return select(resource, request.method(), request.headers());
    }
    match canonical_location(site, uri) {
        Some(location) => Outcome::Redirect(location),
        None => not_found(site, request.headers()),
    }
}

/// Decides about a request, over plain HTTP or for another name, to a site that is served at `origin`
/// (WIRE-31). The request's Host has no influence on the redirect. Without an origin, which is not ready yet,
/// there is none.
pub(super) fn decide_elsewhere<'a, B>(
    site: &'a Site,
    request: &Request<B>,
    origin: Option<&str>,
) -> Outcome<'a> {
    let uri = request.uri();
    let outcome = decide(site, request);
    // A browser follows no redirect of a service worker.
    let is_final =
        matches!(outcome, Outcome::BadRequest | Outcome::UriTooLong | Outcome::EndServiceWorker);
    let has_no_path = request.method() == Method::CONNECT || !uri.path().starts_with('/');
    if is_final || has_no_path || uri.path() == HEALTH_PATH {
        return outcome;
    }
    origin.and_then(|origin| location_at(origin, uri)).map_or(outcome, Outcome::Redirect)
}

/// The outcome for a resource of the table: content negotiation first, then
/// preconditions in the order of RFC 9110 §13.2.2, then the range.
fn select<'a>(resource: &'a Resource, method: &Method, headers: &HeaderMap) -> Outcome<'a> {
    let Some(variant) = content_coding::negotiate(resource, headers) else {
        return Outcome::NotAcceptable(resource);
    };
    let selected = Selected { resource, variant };
    if !precondition::is_met(headers, variant) {
        return Outcome::PreconditionFailed(selected);
    }
    if precondition::is_current(headers, variant) {
        return Outcome::NotModified(selected);
    }
    // §14.2: Range is defined for GET only.
    let field = single(headers, &RANGE)
        .filter(|_| method == Method::GET && precondition::range_applies(headers, variant));
    match field.and_then(|field| range::select(field, variant.body.length())) {
        None => Outcome::Whole(selected),
        Some(range) if range.is_empty() => Outcome::RangeNotSatisfiable(selected),
        Some(range) => Outcome::Part(selected, range),
    }
}

/// The 404 page if Accept names HTML, as it does when a browser follows a link;
/// else plain text, which is the case for scripts and pictures (PAGE-14). No
/// precondition is evaluated (WIRE-14).
fn not_found<'a>(site: &'a Site, headers: &HeaderMap) -> Outcome<'a> {
    let selected = site.not_found.as_ref().filter(|_| accepts_html(headers)).and_then(|resource| {
        let variant = content_coding::negotiate(resource, headers)?;
        Some(Selected { resource, variant })
    });
    selected.map_or(Outcome::NotFound, Outcome::NotFoundPage)
}

/// True if Accept names HTML with a weight above zero (RFC 9110 §12.5.1).
fn accepts_html(headers: &HeaderMap) -> bool {
    members(headers, &ACCEPT).any(|(media_type, weight)| {
        let is_html = [&b"text/html"[..], b"application/xhtml+xml"]
            .iter()
            .any(|html| media_type.eq_ignore_ascii_case(html));
        is_html && weight > Some(0)
    })
}

/// True if `uri` is longer than the maximum, including its scheme and authority.
fn is_too_long(uri: &Uri) -> bool {
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    let path_and_query = uri.path_and_query().map_or(0, |target| target.as_str().len());
    scheme + authority + path_and_query > MAX_BYTES
}

/// The Location for another spelling of a path: the canonical path from the
/// table with the query of `uri`, unless that is too long. `None` if there is no such path.
/// Location never starts with client input, so no redirect can leave the site (WIRE-20).
fn canonical_location(site: &Site, uri: &Uri) -> Option<HeaderValue> {
    let canonical = site.canonical(uri.path())?;
    match uri.query().map(percent_encoding::encode_target) {
        Some(query) if query.len() <= KEPT_QUERY_MAX_BYTES => {
            HeaderValue::try_from(format!("{canonical}?{query}")).ok()
        }
        _ => HeaderValue::from_str(canonical).ok(),
    }
}

/// The Location for the path and the query of `uri` at `origin`.
fn location_at(origin: &str, uri: &Uri) -> Option<HeaderValue> {
    // The path of `http://host?query` is "/". `path_and_query` would leave it out.
    let mut location = format!("{origin}{}", percent_encoding::encode_target(uri.path()));
    if let Some(query) = uri.query() {
        location.push('?');
        location.push_str(&percent_encoding::encode_target(query));
    }
    HeaderValue::try_from(location).ok()
}
