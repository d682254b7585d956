//! What every response keeps, whatever the request and however it travels: WIRE-1, WIRE-2, WIRE-3, WIRE-13,
//! WIRE-18, WIRE-20, WIRE-21, WIRE-22, WIRE-23, WIRE-24. The suite and the fuzz targets share it.

use http::{HeaderMap, Method, Request, StatusCode};
use recipelog_site::site::{Coding, Site};

/// Every status of the site. The protocol libraries send 431, too.
pub const STATUSES: [u16; 13] = [200, 204, 206, 304, 308, 400, 404, 405, 406, 412, 414, 416, 421];

/// Every field of a response, but Date and those of a connection.
const FIELDS: &str = "accept-ranges allow cache-control content-encoding content-length content-range \
    content-security-policy content-type cross-origin-opener-policy \
    cross-origin-resource-policy etag location origin-agent-cluster permissions-policy \
    referrer-policy service-worker-allowed strict-transport-security vary \
    x-content-type-options x-frame-options";

/// True if a 304 may carry a field of this name.
fn is_field_of_304(name: &str) -> bool {
    matches!(name, "cache-control" | "etag" | "vary" | "x-content-type-options")
        || name == "strict-transport-security"
}

/// True if a response of the site may carry a field of this name.
pub fn is_field(name: &str) -> bool {
    FIELDS.split_whitespace().any(|known| known == name)
}

/// The value of a field; `None` if it is missing. Panics if it is repeated.
pub fn field<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut lines = headers.get_all(name).iter();
    let line = lines.next()?;
    assert!(lines.next().is_none(), "{name} is repeated in {headers:?}");
    Some(line.to_str().expect("our fields are ASCII"))
}

/// Asserts that a response of `site` to `request` keeps the promises. It has neither Date nor fields of a
/// connection, and no proxy is trusted.
pub fn assert_kept<B>(
    site: &Site,
    request: &Request<B>,
    status: StatusCode,
    headers: &HeaderMap,
    content: &[u8],
) {
    let field = |name| field(headers, name);
    let number = status.as_u16();
    assert!(STATUSES.contains(&number), "{status}");
    for name in headers.keys().map(|name| name.as_str()) {
        let is_known = if number == 304 { is_field_of_304(name) } else { is_field(name) };
        assert!(is_known, "{status} with {name}");
    }
    assert_eq!(field("x-content-type-options"), Some("nosniff"));
    let has = |name, start| field(name).is_some_and(|value| value.starts_with(start));
    let is_icon = has("content-type", "image/") && has("cache-control", "public, max-age=3600");
    let resource_policy = if is_icon { "cross-origin" } else { "same-origin" };
    let resource_policy = (number != 304).then_some(resource_policy);
    assert_eq!(field("cross-origin-resource-policy"), resource_policy);
    assert!(!has("etag", "W/"));

    let is_document = has("content-type", "text/html");
    if is_document {
        let policy = field("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        let features = field("permissions-policy").unwrap_or_default().split(", ");
        let (denied, allowed): (Vec<_>, Vec<_>) = features.partition(|it| it.ends_with("=()"));
        assert!(allowed == ["fullscreen=(self)"] && denied.len() > 12, "{allowed:?} {denied:?}");
        assert_eq!(field("x-frame-options"), Some("DENY"));
        assert_eq!(field("referrer-policy"), Some("no-referrer"));
    }
    if has("content-type", "image/svg") {
        let nothing = "default-src 'none'; frame-ancestors 'none'; sandbox";
        assert_eq!(field("content-security-policy"), Some(nothing));
    }
    if status.is_client_error() {
        assert_eq!(field("cache-control"), Some("no-store"));
        assert_eq!(field("etag"), None);
    }
    if (status.is_client_error() && !is_document) || number == 308 {
        assert_eq!(field("content-type"), Some("text/plain; charset=utf-8"));
    }
    assert_eq!(field("allow"), matches!(number, 204 | 405).then_some("GET, HEAD, OPTIONS"));
    assert_eq!(field("location").is_some(), number == 308);
    // A path of the table. "//" and "/\" would start an authority.
    if let Some(location) = field("location").filter(|it| !it.starts_with("https://a.example/")) {
        let path = location.split('?').next().unwrap_or_default();
        assert!(site.get(path).is_some() && location.starts_with('/'), "{location}");
        assert!(!location.starts_with("//") && !location.starts_with("/\\"), "{location}");
        assert!(location.len() <= 1024, "{location}");
    }

    let path = request.uri().path();
    let resource = site.get(path);
    let has_variants = resource.is_some_and(|resource| resource.variants().count() > 1);
    let is_unknown = resource.is_none() && path != "/healthz";
    let vary = match number {
        // The 200 is for a service worker.
        404 | 200 if is_unknown => Some("Accept, Accept-Encoding, Service-Worker"),
        200 | 206 | 304 | 406 | 412 | 416 if has_variants => Some("Accept-Encoding"),
        _ => None,
    };
    assert_eq!(field("vary"), vary, "{status} {path}");

    let length = field("content-length").map(str::parse::<usize>);
    let has_no_content = matches!(number, 204 | 304) || request.method() == Method::HEAD;
    match number {
        204 | 304 => assert_eq!(length, None),
        _ if has_no_content => assert!(matches!(length, Some(Ok(1..))), "{length:?}"),
        _ => assert_eq!(length, Some(Ok(content.len()))),
    }
    assert!(!has_no_content || content.is_empty());
    if let Some(resource) =
        resource.filter(|_| matches!(number, 200 | 206 | 304) && path != "/healthz")
    {
        let etag = field("etag").expect("an ETag");
        let coding = match field("content-encoding") {
            None => Coding::Identity,
            Some("gzip") => Coding::Gzip,
            Some("br") => Coding::Brotli,
            Some(other) => panic!("Content-Encoding: {other}"),
        };
        let variant = resource.variants().find(|variant| variant.etag == etag);
        let variant = variant.expect("the ETag of a variant");
        if number == 304 {
            return;
        }
        assert_eq!(variant.coding, coding);
        let (body, whole) = (variant.body.bytes(), variant.body.length());
        if number == 200 {
            assert!(length == Some(Ok(whole)) && (has_no_content || content == &body[..]));
            return;
        }
        let content_range = field("content-range").unwrap_or_default();
        let numbers = content_range.trim_start_matches("bytes ").split(['-', '/']);
        let numbers: Vec<usize> =
            numbers.map(str::parse).collect::<Result<_, _>>().expect("digits");
        let [first, last, total] = numbers[..] else { panic!("{content_range}") };
        assert!(total == whole && first <= last && last < whole, "{content_range}");
        assert_eq!(content, &body[first..=last]);
    }
}
