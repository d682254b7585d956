//! Builds every response: the one place where an outcome becomes fields.

use std::ops::Range;

use bytes::Bytes;
use http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, LAST_MODIFIED, LOCATION, VARY,
};
use http::{Method, Response, StatusCode};
use http_body_util::Full;

use super::outcome::{Outcome, Selected};
use crate::site::{Resource, Site};

const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
const PLAIN_TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Errors are about one request: nobody keeps them.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Seconds that a redirect may be kept: it is as certain as the next release.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Both kinds of 404 differ by Accept, and the page by its content-coding too.
const NOT_FOUND_VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");

pub(super) fn build(site: &Site, method: &Method, outcome: Outcome<'_>) -> Response<Full<Bytes>> {
    let mut response = match outcome {
        Outcome::Whole(selected) => whole(selected),
        Outcome::Part(selected, range) => part(selected, range),
        // RFC 9110 §15.4.5: the fields of the 200 that speak of no content.
        Outcome::NotModified(selected) => {
            answer(StatusCode::NOT_MODIFIED, validated(selected), Bytes::new())
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
            response.headers_mut().insert(CACHE_CONTROL, REDIRECT_CACHE);
            response.headers_mut().insert(LOCATION, location);
            response
        }
        Outcome::Options => {
            let mut headers = site.bare_headers().clone();
            headers.insert(ALLOW, ALLOWED);
            answer(StatusCode::NO_CONTENT, headers, Bytes::new())
        }
        Outcome::MethodNotAllowed => {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            let mut response = message(site, status, "405 Method Not Allowed\n");
            response.headers_mut().insert(ALLOW, ALLOWED);
            response
        }
        Outcome::NotAcceptable(resource) => {
            let response = message(site, StatusCode::NOT_ACCEPTABLE, "406 Not Acceptable\n");
            varying(response, resource)
        }
        Outcome::PreconditionFailed(selected) => {
            let status = StatusCode::PRECONDITION_FAILED;
            varying(message(site, status, "412 Precondition Failed\n"), selected.resource)
        }
        Outcome::RangeNotSatisfiable(selected) => range_not_satisfiable(site, selected),
        Outcome::BadRequest => message(site, StatusCode::BAD_REQUEST, "400 Bad Request\n"),
        Outcome::UriTooLong => message(site, StatusCode::URI_TOO_LONG, "414 URI Too Long\n"),
    };
    if method == Method::HEAD {
        // §9.3.2: GET's fields, Content-Length among them, and no content.
        *response.body_mut() = Full::default();
    }
    response
}

fn whole(selected: Selected<'_>) -> Response<Full<Bytes>> {
    let mut headers = validated(selected);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_LENGTH, selected.variant.content_length.clone());
    describe(&mut headers, selected);
    answer(StatusCode::OK, headers, selected.variant.body.clone())
}

fn part(selected: Selected<'_>, range: Range<usize>) -> Response<Full<Bytes>> {
    let mut headers = validated(selected);
    let length = selected.variant.body.len();
    // §14.4: the last position is included.
    let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
    headers.insert(CONTENT_RANGE, HeaderValue::try_from(content_range).expect("digits"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.len()));
    describe(&mut headers, selected);
    answer(StatusCode::PARTIAL_CONTENT, headers, selected.variant.body.slice(range))
}

/// No validator: nothing of a 404 is kept, so nothing of it is asked again.
fn not_found_page(selected: Selected<'_>) -> Response<Full<Bytes>> {
    let mut headers = HeaderMap::clone(&selected.resource.headers);
    headers.insert(VARY, NOT_FOUND_VARY);
    headers.insert(CONTENT_LENGTH, selected.variant.content_length.clone());
    describe(&mut headers, selected);
    answer(StatusCode::NOT_FOUND, headers, selected.variant.body.clone())
}

/// §15.5.17: the length tells the client what it could have asked for.
fn range_not_satisfiable(site: &Site, selected: Selected<'_>) -> Response<Full<Bytes>> {
    let status = StatusCode::RANGE_NOT_SATISFIABLE;
    let mut response = message(site, status, "416 Range Not Satisfiable\n");
    let content_range = format!("bytes */{}", selected.variant.body.len());
    let content_range = HeaderValue::try_from(content_range).expect("digits");
    response.headers_mut().insert(CONTENT_RANGE, content_range);
    varying(response, selected.resource)
}

/// The fields that a 200, a 206 and a 304 share.
fn validated(selected: Selected<'_>) -> HeaderMap {
    let mut headers = HeaderMap::clone(&selected.resource.headers);
    headers.insert(ETAG, selected.variant.etag.clone());
    if let Some(last_modified) = &selected.resource.last_modified {
        headers.insert(LAST_MODIFIED, last_modified.value.clone());
    }
    headers
}

/// The fields that say what the content is.
fn describe(headers: &mut HeaderMap, selected: Selected<'_>) {
    headers.insert(CONTENT_TYPE, selected.resource.content_type.clone());
    if let Some(coding) = selected.variant.coding.header_value() {
        headers.insert(CONTENT_ENCODING, coding);
    }
}

/// An answer that negotiation took part in says so, errors included (§12.5.5).
fn varying(mut response: Response<Full<Bytes>>, resource: &Resource) -> Response<Full<Bytes>> {
    if let Some(vary) = resource.headers.get(VARY) {
        response.headers_mut().insert(VARY, vary.clone());
    }
    response
}

/// An answer that is no resource: one line that says what happened.
fn message(site: &Site, status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut headers = site.bare_headers().clone();
    headers.insert(CACHE_CONTROL, NO_STORE);
    headers.insert(CONTENT_TYPE, PLAIN_TEXT);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    answer(status, headers, Bytes::from_static(text.as_bytes()))
}

fn answer(status: StatusCode, headers: HeaderMap, content: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(content));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
