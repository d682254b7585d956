//! WIRE-1, WIRE-22, WIRE-23, WIRE-24: invariants of every response, for random requests.

use http::{Method, Request, StatusCode};
use recipelog_site::site::Coding;

use crate::cache;
use crate::fixture::{Response, send_request};
use crate::random_request::{SITE, for_any_request};

/// Every status that `respond` uses. hyper sends 431.
const STATUSES: [u16; 12] = [200, 204, 206, 304, 308, 400, 404, 405, 406, 412, 414, 416];

/// Checks the promises that hold for every response.
fn assert_well_formed(request: &Request<()>, response: &Response) {
    let status = response.status;
    assert!(STATUSES.contains(&status.as_u16()), "{status}");
    assert_eq!(response.field("x-content-type-options"), Some("nosniff"));
    let has = |name, start| response.field(name).is_some_and(|value| value.starts_with(start));
    let is_icon = has("content-type", "image/") && has("cache-control", "public, max-age=3600");
    let resource_policy = if is_icon { "cross-origin" } else { "same-origin" };
    let resource_policy = (status != StatusCode::NOT_MODIFIED).then_some(resource_policy);
    assert_eq!(response.field("cross-origin-resource-policy"), resource_policy);
    assert_eq!(response.field("server"), None);

    let is_document =
        response.field("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    let is_plain_error = status.is_client_error() && !is_document;
    if is_document {
        let policy = response.field("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert_eq!(response.field("x-frame-options"), Some("DENY"));
    }
    if status.is_client_error() {
        assert_eq!(response.field("cache-control"), Some(cache::ERROR));
        assert_eq!(response.field("etag"), None);
    }
    if is_plain_error || status == StatusCode::PERMANENT_REDIRECT {
        assert_eq!(response.field("content-type"), Some("text/plain; charset=utf-8"));
    }
    assert_eq!(response.field("allow").is_some(), matches!(status.as_u16(), 204 | 405));
    assert_eq!(response.field("location").is_some(), status == StatusCode::PERMANENT_REDIRECT);
    if let Some(location) = response.field("location") {
        // An absolute path. "//" and "/\" would start an authority.
        let path = location.split('?').next().unwrap_or_default();
        assert!(SITE.get(path).is_some(), "{location}");
        assert!(location.starts_with('/'), "{location}");
        assert!(!location.starts_with("//") && !location.starts_with("/\\"), "{location}");
    }

    let length = response.field("content-length").map(str::parse::<usize>);
    match (status.as_u16(), request.method()) {
        (204 | 304, _) => assert_eq!(length, None),
        (_, &Method::HEAD) => assert!(matches!(length, Some(Ok(1..)))),
        _ => assert_eq!(length, Some(Ok(response.content.len()))),
    }
    if matches!(status.as_u16(), 204 | 304) || request.method() == Method::HEAD {
        assert!(response.content.is_empty());
    }
}

/// Checks that ETag, coding, length and bytes of a 200, 206 or 304 belong to the
/// same variant of the requested resource.
fn assert_of_one_variant(request: &Request<()>, response: &Response) {
    let resource =
        SITE.get(request.uri().path()).expect("these statuses come from a resource only");
    let coding = match response.field("content-encoding") {
        None => Coding::Identity,
        Some("gzip") => Coding::Gzip,
        Some("br") => Coding::Brotli,
        Some(other) => panic!("Content-Encoding: {other}"),
    };
    let etag = response.field("etag").expect("an ETag");
    let mut variants = resource.variants();
    if response.status == StatusCode::NOT_MODIFIED {
        assert!(variants.any(|variant| variant.etag == etag));
        return;
    }
    let variant = variants.find(|variant| variant.coding == coding).expect("a known variant");
    assert_eq!(&variant.etag, etag);
    assert_eq!(resource.variants().count() > 1, response.field("vary").is_some());
    let length = variant.body.length();
    if response.status == StatusCode::OK {
        assert_eq!(response.field("content-length"), Some(&*length.to_string()));
        assert!(request.method() == Method::HEAD || response.content == variant.body.bytes());
        return;
    }
    let content_range = response.field("content-range").unwrap_or_default();
    let positions = content_range.strip_prefix("bytes ").and_then(|range| {
        let (range, total) = range.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        Some((
            first.parse::<usize>().ok()?,
            last.parse::<usize>().ok()?,
            total.parse::<usize>().ok()?,
        ))
    });
    let Some((first, last, total)) = positions else {
        panic!("{content_range}");
    };
    assert_eq!(total, length);
    assert!(first <= last && last < length);
    assert_eq!(&response.content, &variant.body.bytes().slice(first..=last));
}

#[test]
fn any_request_gets_a_response_that_keeps_every_promise() {
    for_any_request(|request| {
        let response = send_request(&SITE, request);
        assert_well_formed(request, &response);
        if matches!(response.status.as_u16(), 200 | 206 | 304) {
            assert_of_one_variant(request, &response);
        }
    });
}

#[test]
fn head_gets_the_response_to_get_without_content() {
    for_any_request(|request| {
        let mut request = request.clone();
        *request.method_mut() = Method::GET;
        request.headers_mut().remove("range");
        let get = send_request(&SITE, &request);
        *request.method_mut() = Method::HEAD;
        let head = send_request(&SITE, &request);
        assert_eq!((head.status, head.headers), (get.status, get.headers));
        assert!(head.content.is_empty());
    });
}
