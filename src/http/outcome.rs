//! The decision about a request, such as for its method (WIRE-18); `assemble` then builds the
//! response.

use std::ops::Range;

use http::header::{ACCEPT, HeaderMap, RANGE};
use http::{HeaderValue, Method, Request, Uri};

use super::request_fields::{members, single};
use super::{content_coding, precondition, range};
use crate::site::{HEALTH_PATH, Origin, Resource, Site, Variant, percent_encoding};

/// Maximum length of a request target in bytes (WIRE-19). RFC 9110 §4.1 requires at least 8,000.
/// The longest path of the site is a hundredth as long.
const TARGET_MAX_BYTES: usize = 8192;

/// Maximum length of a Location in bytes. A client of HTTP/2 that reads nothing has the server hold
/// a response for each of its streams (WIRE-35).
const LOCATION_MAX_BYTES: usize = 1024;

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
    /// 200: the server answers (WIRE-36).
    Healthy,
    /// 200: the script that ends a former site's service worker (WIRE-37).
    EndServiceWorker,
    /// 304: the copy of the client is current.
    NotModified(Selected<'a>),
    /// 308: the Location, a canonical path or the same target at the HTTPS origin.
    Redirect(HeaderValue),
    /// 400: Host or target violate RFC 9112 §3.2.
    BadRequest,
    /// 400: plain HTTP on a port of HTTPS. With the host and port of the request.
    PlainOnHttps(Option<&'a str>),
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

/// Decides about a request with a valid host. With `origin`, it is redirected there (WIRE-31).
pub(super) fn decide<'a, B>(
    site: &'a Site,
    origin: Option<&Origin>,
    request: &Request<B>,
) -> Outcome<'a> {
    let (method, uri) = (request.method(), request.uri());
    if is_too_long(uri) {
        return Outcome::UriTooLong;
    }
    let path = uri.path();
    // RFC 9112 §3.2: authority-form is for CONNECT only, and `*` for OPTIONS.
    let has_path = path.starts_with('/') && method != Method::CONNECT;
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if is_read && path == HEALTH_PATH {
        return Outcome::Healthy;
    }
    // A browser follows no redirect of a service worker.
    if is_read && has_path && is_unknown_service_worker(site, request) {
        return Outcome::EndServiceWorker;
    }
    if let Some(origin) = origin.filter(|_| has_path && path != HEALTH_PATH) {
        // The path of `http://host?query` is "/". `path_and_query` would leave it out.
        return redirect(format!("{origin}{}", percent_encoding::encode_target(path)), uri);
    }
    if !is_read {
        let is_options = method == Method::OPTIONS;
        return if is_options { Outcome::Options } else { Outcome::MethodNotAllowed };
    }
    if !has_path {
        return Outcome::BadRequest;
    }
    if let Some(resource) = site.get(path) {
        return select(resource, method, request.headers());
    }
    match site.canonical(path) {
        // The canonical path never starts with client input, so no redirect can leave the site
        // (WIRE-20).
        Some(canonical) => redirect(canonical.to_owned(), uri),
        None => not_found(site, request.headers()),
    }
}

/// True if a browser asks for a new version of a service worker that this site does not have
/// (WIRE-37).
fn is_unknown_service_worker<B>(site: &Site, request: &Request<B>) -> bool {
    let path = request.uri().path();
    request.headers().get("service-worker").is_some_and(|kind| kind == "script")
        && site.get(path).is_none()
        && site.canonical(path).is_none()
}

/// The outcome for a resource of the table: content negotiation, and then the steps of RFC 9110
/// §13.2.2. Its steps 2 and 4 are about dates, which no resource has.
fn select<'a>(resource: &'a Resource, method: &Method, headers: &HeaderMap) -> Outcome<'a> {
    let Some(variant) = content_coding::negotiate(resource, headers) else {
        return Outcome::NotAcceptable(resource);
    };
    let selected = Selected { resource, variant };
    // 1. If-Match
    if !precondition::is_met(headers, variant) {
        return Outcome::PreconditionFailed(selected);
    }
    // 3. If-None-Match
    if precondition::is_current(headers, variant) {
        return Outcome::NotModified(selected);
    }
    // 5. Range with If-Range. §14.2: Range is defined for GET only.
    let field = single(headers, &RANGE)
        .filter(|_| method == Method::GET && precondition::range_applies(headers, variant));
    match field.and_then(|field| range::select(field, variant.body.length())) {
        // 6. Otherwise
        None => Outcome::Whole(selected),
        Some(range) if range.is_empty() => Outcome::RangeNotSatisfiable(selected),
        Some(range) => Outcome::Part(selected, range),
    }
}

/// The 404 page if Accept contains HTML, as it does when a browser follows a link; otherwise plain
/// text, such as for scripts and pictures (PAGE-14). No precondition is evaluated (WIRE-14).
fn not_found<'a>(site: &'a Site, headers: &HeaderMap) -> Outcome<'a> {
    let selected = site.not_found.as_ref().filter(|_| accepts_html(headers)).and_then(|resource| {
        let variant = content_coding::negotiate(resource, headers)?;
        Some(Selected { resource, variant })
    });
    selected.map_or(Outcome::NotFound, Outcome::NotFoundPage)
}

/// True if Accept contains HTML with a weight above zero (RFC 9110 §12.5.1).
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
    scheme + authority + path_and_query > TARGET_MAX_BYTES
}

/// The redirect to `address`, a URL without a query, with the query of `uri`. A Location that is
/// too long loses the query.
fn redirect(address: String, uri: &Uri) -> Outcome<'static> {
    let mut location = address;
    if let Some(query) = uri.query().map(percent_encoding::encode_target)
        && location.len() + "?".len() + query.len() <= LOCATION_MAX_BYTES
    {
        location = format!("{location}?{query}");
    }
    if location.len() > LOCATION_MAX_BYTES {
        return Outcome::UriTooLong;
    }
    HeaderValue::try_from(location).map_or(Outcome::BadRequest, Outcome::Redirect)
}
