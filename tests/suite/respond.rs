//! WIRE-1, WIRE-3, WIRE-14, WIRE-22, WIRE-23, WIRE-24: invariants of every response, for each combination of a
//! method, a target and two fields. tests/fuzz has random requests.

use std::sync::LazyLock;

use http::{Method, Request, StatusCode};
use recipelog_site::site::{Coding, Site};

use crate::cache;
use crate::fixture::{LAST_MODIFIED, Response, request, send, send_request, site};

static SITE: LazyLock<Site> = LazyLock::new(site);

const METHODS: [&str; 4] = ["GET", "HEAD", "OPTIONS", "get*~9"];

#[rustfmt::skip]
const TARGETS: [&str; 22] = [
    "/", "/?a=b", "/index.html", "/privacy", "/privacy/", "/PRIVACY/?//evil.example", "/privacy%2F",
    "/app.0123abcd.js", "/app.0123abcd.js.br", "/icon.svg", "/archive.gz", "/menu%20card.txt", "/robots.txt",
    "/healthz", "/none", "/none/%2e%2e/privacy", "//evil.example/", "/%ff%00", "/privacy/?\u{e9}|\\", "*",
    "http://b@c/privacy", "https://b.example:1//d",
];

/// ETAG stands for the ETag of the plain bytes, BROTLI for that in Brotli, DATE for the date.
#[rustfmt::skip]
const FIELDS: [(&str, &[&str]); 11] = [
    ("accept", &["text/html"]),
    ("accept-encoding", &["gzip, br", "br;q=0, *;q=0.5", "x-gzip;q=2", "identity;q=0", "*;q=0"]),
    ("expect", &["100-continue"]),
    ("host", &["b.example"]),
    ("if-match", &["*", "\"a,b\", ETAG", "BROTLI"]),
    ("if-modified-since", &["DATE", "yesterday"]),
    ("if-none-match", &["*", "W/BROTLI, ETAG", "\"a"]),
    ("if-range", &["ETAG", "DATE"]),
    ("if-unmodified-since", &["DATE", "Fri, 20 Nov 2026 23:59:59 GMT"]),
    ("range", &["bytes=0-0", "bytes=-5", "bytes=9999-", "bytes=0-1,3-4", "lines=0-1"]),
    ("te", &["gzip"]),
];

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
    let numbers = content_range.trim_start_matches("bytes ").split(['-', '/']).map(str::parse);
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>().expect("digits");
    let [first, last, total] = numbers[..] else { panic!("{content_range}") };
    assert_eq!(total, length);
    assert!(first <= last && last < length);
    assert_eq!(&response.content, &variant.body.bytes().slice(first..=last));
}

#[test]
fn any_request_gets_a_response_that_keeps_every_promise() {
    for target in TARGETS {
        let etag = |coding| {
            let resource = SITE.get(target)?;
            let variant = resource.variants().find(|variant| variant.coding == coding)?;
            variant.etag.to_str().ok()
        };
        let [plain, brotli] =
            [Coding::Identity, Coding::Brotli].map(|it| etag(it).unwrap_or("\"none\""));
        let fill = |value: &str| {
            let value = value.replace("ETAG", plain).replace("BROTLI", brotli);
            value.replace("DATE", LAST_MODIFIED)
        };
        let fields = FIELDS
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (*name, fill(value))));
        let fields: Vec<(&str, String)> = fields.collect();
        let status = send(&SITE, &format!("GET {target}"), &[]).status.as_u16();
        for (index, (first, first_value)) in fields.iter().enumerate() {
            for (second, second_value) in &fields[index..] {
                let pair = [(*first, &**first_value), (*second, &**second_value)];
                let [get, head, ..] = METHODS.map(|method| {
                    let request = request(&format!("{method} {target}"), &pair);
                    let response = send_request(&SITE, &request);
                    assert_well_formed(&request, &response);
                    if matches!(response.status.as_u16(), 200 | 206 | 304) {
                        assert_of_one_variant(&request, &response);
                    }
                    response
                });
                let is_in_pair = |name| pair.iter().any(|field| field.0 == name);
                if matches!(status, 308 | 404) && !is_in_pair("host") {
                    assert_eq!(get.status, status, "{target} {pair:?}");
                }
                if !is_in_pair("range") {
                    assert_eq!((head.status, head.headers), (get.status, get.headers), "{pair:?}");
                }
            }
        }
    }
}
