//! Builds the response for each outcome, with the same fields for HEAD (WIRE-3), and without a
//! Server field (WIRE-24).

use std::ops::Range;

use bytes::Bytes;
use http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
    ETAG, HeaderMap, HeaderName, HeaderValue, LOCATION, VARY,
};
use http::{Method, Response, StatusCode};
use http_body_util::Full;

use super::outcome::{Outcome, Selected};
use crate::site::{CachePolicy, NOT_FOUND_VARY, Resource, Site};

const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
const PLAIN_TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");

const SERVICE_WORKER_ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");

/// A service worker that replaces a former one: it removes all caches and its own registration, and
/// reloads the pages that the former one controlled.
const SERVICE_WORKER_END: &str = r#"addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(end()));
async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url);
}
"#;

/// Longest host and port that a message repeats, in bytes: the longest domain name, and a port.
const AUTHORITY_MAX_BYTES: usize = 253 + ":65535".len();

/// Builds the response for `outcome`.
pub(super) fn assemble(
    site: &Site,
    method: &Method,
    outcome: Outcome<'_>,
) -> Response<Full<Bytes>> {
    let mut built = match outcome {
        Outcome::Healthy => message(site, StatusCode::OK, "ok\n"),
        Outcome::Whole(Selected { variant, .. }) => {
            response(StatusCode::OK, variant.headers.clone(), variant.body.bytes())
        }
        Outcome::Part(selected, range) => part(selected, range),
        Outcome::NotModified(Selected { variant, .. }) => {
            response(StatusCode::NOT_MODIFIED, variant.not_modified.clone(), Bytes::new())
        }
        Outcome::NotFoundPage(selected) => not_found_page(selected),
        Outcome::NotFound => with(status(site, StatusCode::NOT_FOUND), VARY, NOT_FOUND_VARY),
        Outcome::Redirect(location) => {
            let response = status(site, StatusCode::PERMANENT_REDIRECT);
            // A redirect can change with the next release.
            let response = with(response, CACHE_CONTROL, CachePolicy::Short.value());
            with(response, LOCATION, location)
        }
        Outcome::Options => {
            let headers = site.bare_headers.clone();
            with(response(StatusCode::NO_CONTENT, headers, Bytes::new()), ALLOW, ALLOWED)
        }
        Outcome::EndServiceWorker => {
            let response = message(site, StatusCode::OK, SERVICE_WORKER_END);
            let response = with(response, CONTENT_TYPE, JAVASCRIPT);
            let response = with(response, VARY, NOT_FOUND_VARY);
            // The former script may have controlled paths outside its own folder.
            with(response, SERVICE_WORKER_ALLOWED, HeaderValue::from_static("/"))
        }
        Outcome::MethodNotAllowed => {
            with(status(site, StatusCode::METHOD_NOT_ALLOWED), ALLOW, ALLOWED)
        }
        Outcome::NotAcceptable(resource) => {
            with_vary(status(site, StatusCode::NOT_ACCEPTABLE), resource)
        }
        Outcome::PreconditionFailed(selected) => {
            with_vary(status(site, StatusCode::PRECONDITION_FAILED), selected.resource)
        }
        Outcome::RangeNotSatisfiable(selected) => range_not_satisfiable(site, selected),
        Outcome::BadRequest => status(site, StatusCode::BAD_REQUEST),
        Outcome::PlainOnHttps(authority) => {
            let authority = authority.filter(|it| (1..=AUTHORITY_MAX_BYTES).contains(&it.len()));
            let url = authority.map(|it| format!(": https://{it}")).unwrap_or_default();
            let text = format!("This port speaks HTTPS{url}\n");
            let response = message(site, StatusCode::BAD_REQUEST, text);
            with(response, CONNECTION, HeaderValue::from_static("close"))
        }
        Outcome::Misdirected => status(site, StatusCode::MISDIRECTED_REQUEST),
        Outcome::UriTooLong => status(site, StatusCode::URI_TOO_LONG),
    };
    if method == Method::HEAD {
        // §9.3.2: the fields of GET, including Content-Length, and no content.
        *built.body_mut() = Full::default();
    }
    built
}

fn part(Selected { variant, .. }: Selected<'_>, range: Range<usize>) -> Response<Full<Bytes>> {
    let mut headers = variant.headers.clone();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.len()));
    let length = variant.body.length();
    // §14.4: the last position is inclusive.
    let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
    headers.insert(CONTENT_RANGE, HeaderValue::try_from(content_range).expect("digits"));
    response(StatusCode::PARTIAL_CONTENT, headers, variant.body.bytes().slice(range))
}

/// A 404 is not stored, so it has no validator.
fn not_found_page(Selected { variant, .. }: Selected<'_>) -> Response<Full<Bytes>> {
    let mut headers = variant.headers.clone();
    for name in [ETAG, ACCEPT_RANGES] {
        headers.remove(name);
    }
    headers.insert(VARY, NOT_FOUND_VARY);
    response(StatusCode::NOT_FOUND, headers, variant.body.bytes())
}

/// §15.5.17: Content-Range contains the length, so the client can request a satisfiable range.
fn range_not_satisfiable(site: &Site, selected: Selected<'_>) -> Response<Full<Bytes>> {
    let content_range = format!("bytes */{}", selected.variant.body.length());
    let content_range = HeaderValue::try_from(content_range).expect("digits");
    let response = status(site, StatusCode::RANGE_NOT_SATISFIABLE);
    with_vary(with(response, CONTENT_RANGE, content_range), selected.resource)
}

/// Adds the Vary field of `resource`, if it has one, to an error response (WIRE-2).
fn with_vary(response: Response<Full<Bytes>>, resource: &Resource) -> Response<Full<Bytes>> {
    match resource.headers.get(VARY) {
        Some(vary) => with(response, VARY, vary.clone()),
        None => response,
    }
}

/// Adds a field to `response`, or replaces it.
fn with(
    mut response: Response<Full<Bytes>>,
    name: HeaderName,
    value: HeaderValue,
) -> Response<Full<Bytes>> {
    response.headers_mut().insert(name, value);
    response
}

/// A response without a resource: one line with the status.
fn status(site: &Site, status: StatusCode) -> Response<Full<Bytes>> {
    message(site, status, format!("{status}\n"))
}

/// A response without a resource, with `text`.
fn message(site: &Site, status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let text = text.into();
    let mut headers = site.error_headers.clone();
    headers.insert(CONTENT_TYPE, PLAIN_TEXT);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    response(status, headers, text)
}

fn response(status: StatusCode, headers: HeaderMap, content: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(content));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
