//! Builds the response for each outcome, with the same fields for HEAD (WIRE-3), and
//! without a Server field (WIRE-24).

use std::ops::Range;

use bytes::Bytes;
use http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE,
    ETAG, HeaderMap, HeaderValue, LAST_MODIFIED, LOCATION, VARY,
};
use http::{Method, Response, StatusCode};
use http_body_util::Full;

use super::outcome::{Outcome, Selected};
use crate::site::{CachePolicy, NOT_FOUND_VARY, Resource, Site};

const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
const PLAIN_TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");

/// Replaces a service worker, and ends it with what it stored. Its pages are then loaded again.
const SERVICE_WORKER_END: &str = r#"addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(end()));
async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const page of await clients.matchAll({ type: "window" })) page.navigate(page.url);
}
"#;

/// Builds the response for `outcome`.
pub(super) fn build(site: &Site, method: &Method, outcome: Outcome<'_>) -> Response<Full<Bytes>> {
    let mut response = match outcome {
        Outcome::Whole(Selected { variant, .. }) => {
            assemble(StatusCode::OK, variant.headers.clone(), variant.body.bytes())
        }
        Outcome::Part(selected, range) => part(selected, range),
        Outcome::NotModified(Selected { variant, .. }) => {
            assemble(StatusCode::NOT_MODIFIED, variant.not_modified.clone(), Bytes::new())
        }
        Outcome::NotFoundPage(selected) => not_found_page(selected),
        Outcome::NotFound => {
            let mut response = message(site, StatusCode::NOT_FOUND, "404 Not Found\n");
            response.headers_mut().insert(VARY, NOT_FOUND_VARY);
            response
        }
        Outcome::Redirect(location) => {
            let status = StatusCode::PERMANENT_REDIRECT;
            let mut response = message(site, status, "308 Permanent Redirect\n");
            // A redirect can change with the next release.
            response.headers_mut().insert(CACHE_CONTROL, CachePolicy::Short.value());
            response.headers_mut().insert(LOCATION, location);
            response
        }
        Outcome::Options => {
            let mut headers = site.bare_headers.clone();
            headers.insert(ALLOW, ALLOWED);
            assemble(StatusCode::NO_CONTENT, headers, Bytes::new())
        }
        Outcome::EndServiceWorker => {
            let mut response = message(site, StatusCode::OK, SERVICE_WORKER_END);
            response.headers_mut().insert(CONTENT_TYPE, JAVASCRIPT);
            // The former script may have been in another folder than its scope.
            let anywhere = HeaderValue::from_static("/");
            response.headers_mut().insert("service-worker-allowed", anywhere);
            response
        }
        Outcome::MethodNotAllowed => {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            let mut response = message(site, status, "405 Method Not Allowed\n");
            response.headers_mut().insert(ALLOW, ALLOWED);
            response
        }
        Outcome::NotAcceptable(resource) => {
            let response = message(site, StatusCode::NOT_ACCEPTABLE, "406 Not Acceptable\n");
            with_vary(response, resource)
        }
        Outcome::PreconditionFailed(selected) => {
            let status = StatusCode::PRECONDITION_FAILED;
            with_vary(message(site, status, "412 Precondition Failed\n"), selected.resource)
        }
        Outcome::RangeNotSatisfiable(selected) => range_not_satisfiable(site, selected),
        Outcome::BadRequest => message(site, StatusCode::BAD_REQUEST, "400 Bad Request\n"),
        Outcome::PlainOnHttps(text) => {
            let mut response = message(site, StatusCode::BAD_REQUEST, text);
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            response
        }
        Outcome::Misdirected => {
            message(site, StatusCode::MISDIRECTED_REQUEST, "421 Misdirected Request\n")
        }
        Outcome::UriTooLong => message(site, StatusCode::URI_TOO_LONG, "414 URI Too Long\n"),
    };
    if method == Method::HEAD {
        // §9.3.2: the fields of GET, including Content-Length, and no content.
        *response.body_mut() = Full::default();
    }
    response
}

fn part(Selected { variant, .. }: Selected<'_>, range: Range<usize>) -> Response<Full<Bytes>> {
    let mut headers = variant.headers.clone();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.len()));
    let length = variant.body.length();
    // §14.4: the last position is inclusive.
    let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
    headers.insert(CONTENT_RANGE, HeaderValue::try_from(content_range).expect("digits"));
    assemble(StatusCode::PARTIAL_CONTENT, headers, variant.body.bytes().slice(range))
}

/// A 404 is not stored, so it has no validator.
fn not_found_page(Selected { variant, .. }: Selected<'_>) -> Response<Full<Bytes>> {
    let mut headers = variant.headers.clone();
    for name in [ETAG, LAST_MODIFIED, ACCEPT_RANGES] {
        headers.remove(name);
    }
    headers.insert(VARY, NOT_FOUND_VARY);
    assemble(StatusCode::NOT_FOUND, headers, variant.body.bytes())
}

/// §15.5.17: Content-Range contains the length, so that the client can request a
/// satisfiable range.
fn range_not_satisfiable(site: &Site, selected: Selected<'_>) -> Response<Full<Bytes>> {
    let status = StatusCode::RANGE_NOT_SATISFIABLE;
    let mut response = message(site, status, "416 Range Not Satisfiable\n");
    let content_range = format!("bytes */{}", selected.variant.body.length());
    let content_range = HeaderValue::try_from(content_range).expect("digits");
    response.headers_mut().insert(CONTENT_RANGE, content_range);
    with_vary(response, selected.resource)
}

/// Adds the Vary field of `resource`, if it has one, to an error response (WIRE-2).
fn with_vary(mut response: Response<Full<Bytes>>, resource: &Resource) -> Response<Full<Bytes>> {
    if let Some(vary) = resource.headers.get(VARY) {
        response.headers_mut().insert(VARY, vary.clone());
    }
    response
}

/// A response without a resource: one line with the status.
fn message(site: &Site, status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let text = text.into();
    let mut headers = site.error_headers.clone();
    headers.insert(CONTENT_TYPE, PLAIN_TEXT);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    assemble(status, headers, text)
}

fn assemble(status: StatusCode, headers: HeaderMap, content: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(content));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
