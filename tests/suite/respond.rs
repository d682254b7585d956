//! HTTP-1 to HTTP-24 for random requests.
//!
//! `PROPTEST_CASES` sets the number of requests of each test.

use std::sync::LazyLock;

use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version};
use proptest::prelude::*;
use proptest::sample::select;
use recipelog_site::site::{Coding, Site};

use crate::fixture::{LAST_MODIFIED, Response, send_request, site};

/// Every status that `respond` uses. hyper sends 431.
const STATUSES: [u16; 12] = [200, 204, 206, 304, 308, 400, 404, 405, 406, 412, 414, 416];

static SITE: LazyLock<Site> = LazyLock::new(site);

/// Every ETag of the site.
static ETAGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let variants = SITE.iter().flat_map(|(_, resource)| resource.variants());
    variants.map(|variant| variant.etag.to_str().expect("ASCII").to_owned()).collect()
});

fn method() -> impl Strategy<Value = Method> {
    prop_oneof![
        8 => Just(Method::GET),
        3 => Just(Method::HEAD),
        1 => Just(Method::OPTIONS),
        1 => Just(Method::POST),
        1 => "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}".prop_map(|method| {
            Method::from_bytes(method.as_bytes()).expect("a token")
        }),
    ]
}

fn target() -> impl Strategy<Value = Uri> {
    let path = select(SITE.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>());
    let spelling =
        select(vec!["", "/", ".html", "%2F", "/index.html", "?", "?a=b", "//", "%", "#"]);
    let segment = prop_oneof![
        select(vec!["privacy", "%2e%2e", "..", "%00", "index", "%ff", "//evil.example", "%2f"])
            .prop_map(str::to_owned),
        "[ -~]{0,8}",
        any::<String>(),
    ];
    let text = prop_oneof![
        6 => (path.clone(), spelling).prop_map(|(path, spelling)| path + spelling),
        2 => path.prop_map(|path| path.to_uppercase()),
        3 => proptest::collection::vec(segment, 0..5).prop_map(|parts| format!("/{}", parts.join("/"))),
        1 => "(http|https|ftp)://[a-z.@:0-9]{0,12}[/?a-z]{0,6}",
        1 => "\\PC{0,20}",
        1 => (8000_usize..9000).prop_map(|length| format!("/{}", "a".repeat(length))),
    ];
    text.prop_filter_map("a URI", |text| Uri::try_from(text).ok())
}

fn field() -> impl Strategy<Value = (HeaderName, HeaderValue)> {
    let etag = select(ETAGS.clone());
    let coding = select(vec!["br", "gzip", "x-gzip", "identity", "*", "deflate", "GZIP", ""]);
    let weight =
        select(vec!["", ";q=0", ";q=1", ";q=0.5", "; q=0.001", ";q=2", ";q=", ";q=0.0000"]);
    let codings = proptest::collection::vec((coding, weight), 0..4).prop_map(|codings| {
        codings
            .iter()
            .map(|(coding, weight)| format!("{coding}{weight}"))
            .collect::<Vec<_>>()
            .join(",")
    });
    let tags = proptest::collection::vec(
        (select(vec!["", "W/", " "]), prop_oneof![etag, Just("\"a,b\"".to_owned()), "[ -~]{0,5}"]),
        0..4,
    )
    .prop_map(|tags| {
        tags.iter().map(|(weak, tag)| format!("{weak}{tag}")).collect::<Vec<_>>().join(",")
    });
    let tags = prop_oneof![5 => tags, 1 => Just("*".to_owned())];
    let date = prop_oneof![Just(LAST_MODIFIED.to_owned()), "[ -~]{0,30}"];
    let range = prop_oneof![
        4 => "bytes=[0-9]{0,3}-[0-9]{0,3}",
        1 => "bytes=[0-9]{18,40}-[0-9]{0,30}",
        1 => "[a-z]{0,6}=?[0-9,-]{0,9}",
    ];
    let anything = proptest::collection::vec(any::<u8>(), 0..24);
    let standard = select(vec![
        "accept",
        "accept-encoding",
        "host",
        "if-match",
        "if-none-match",
        "if-modified-since",
        "if-unmodified-since",
        "if-range",
        "range",
        "te",
        "upgrade",
        "expect",
        "content-length",
    ]);
    prop_oneof![
        3 => codings.prop_map(|value| ("accept-encoding", value.into_bytes())),
        2 => (select(vec!["if-match", "if-none-match", "if-range"]), tags)
            .prop_map(|(name, value)| (name, value.into_bytes())),
        1 => (select(vec!["if-modified-since", "if-unmodified-since", "if-range"]), date)
            .prop_map(|(name, value)| (name, value.into_bytes())),
        2 => range.prop_map(|value| ("range", value.into_bytes())),
        1 => Just(("accept", b"text/html".to_vec())),
        1 => (standard, anything),
    ]
    .prop_filter_map("a field", |(name, value)| {
        Some((HeaderName::from_static(name), HeaderValue::from_bytes(&value).ok()?))
    })
}

fn request() -> impl Strategy<Value = Request<()>> {
    let version = select(vec![Version::HTTP_11, Version::HTTP_11, Version::HTTP_10]);
    let hosts = prop_oneof![12 => Just(1), 1 => Just(0), 1 => Just(2)];
    let fields = proptest::collection::vec(field(), 0..6);
    (method(), target(), version, hosts, fields).prop_map(
        |(method, target, version, hosts, fields)| {
            let mut request = Request::new(());
            *request.method_mut() = method;
            *request.uri_mut() = target;
            *request.version_mut() = version;
            for _ in 0..hosts {
                request.headers_mut().append("host", HeaderValue::from_static("a.example"));
            }
            request
                .headers_mut()
                .extend(fields.into_iter().map(|(name, value)| (Some(name), value)));
            request
        },
    )
}

/// Checks the promises that hold for every response.
fn assert_well_formed(request: &Request<()>, response: &Response) -> Result<(), TestCaseError> {
    let status = response.status;
    prop_assert!(STATUSES.contains(&status.as_u16()), "{status}");
    prop_assert_eq!(response.field("x-content-type-options"), Some("nosniff"));
    let resource_policy = (status != StatusCode::NOT_MODIFIED).then_some("same-origin");
    prop_assert_eq!(response.field("cross-origin-resource-policy"), resource_policy);
    prop_assert_eq!(response.field("server"), None);

    let is_document =
        response.field("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    let is_plain_error = status.is_client_error() && !is_document;
    if is_document {
        let policy = response.field("content-security-policy").unwrap_or_default();
        prop_assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        prop_assert_eq!(response.field("x-frame-options"), Some("DENY"));
    }
    if status.is_client_error() {
        prop_assert_eq!(response.field("cache-control"), Some("no-store"));
        prop_assert_eq!(response.field("etag"), None);
    }
    if is_plain_error || status == StatusCode::PERMANENT_REDIRECT {
        prop_assert_eq!(response.field("content-type"), Some("text/plain; charset=utf-8"));
    }
    prop_assert_eq!(response.field("allow").is_some(), matches!(status.as_u16(), 204 | 405));
    prop_assert_eq!(response.field("location").is_some(), status == StatusCode::PERMANENT_REDIRECT);
    if let Some(location) = response.field("location") {
        // An absolute path. "//" and "/\" would start an authority.
        let path = location.split('?').next().unwrap_or_default();
        prop_assert!(SITE.get(path).is_some(), "{location}");
        prop_assert!(location.starts_with('/'), "{location}");
        prop_assert!(!location.starts_with("//") && !location.starts_with("/\\"), "{location}");
    }

    let length = response.field("content-length").map(str::parse::<usize>);
    match (status.as_u16(), request.method()) {
        (204 | 304, _) => prop_assert_eq!(length, None),
        (_, &Method::HEAD) => prop_assert!(matches!(length, Some(Ok(1..)))),
        _ => prop_assert_eq!(length, Some(Ok(response.content.len()))),
    }
    if matches!(status.as_u16(), 204 | 304) || request.method() == Method::HEAD {
        prop_assert!(response.content.is_empty());
    }
    Ok(())
}

/// Checks that ETag, coding, length and bytes of a 200, 206 or 304 belong to the
/// same variant of the requested resource.
fn assert_of_one_variant(request: &Request<()>, response: &Response) -> Result<(), TestCaseError> {
    let resource =
        SITE.get(request.uri().path()).expect("these statuses come from a resource only");
    let coding = match response.field("content-encoding") {
        None => Coding::Identity,
        Some("gzip") => Coding::Gzip,
        Some("br") => Coding::Brotli,
        Some(other) => return Err(TestCaseError::fail(format!("Content-Encoding: {other}"))),
    };
    let etag = response.field("etag").expect("an ETag");
    let variant = if response.status == StatusCode::NOT_MODIFIED {
        prop_assert!(resource.variants().any(|variant| variant.etag == etag));
        return Ok(());
    } else {
        resource.variant(coding).expect("a variant in this coding")
    };
    prop_assert_eq!(&variant.etag, etag);
    prop_assert_eq!(resource.variants().count() > 1, response.field("vary").is_some());
    let length = variant.body.len();
    if response.status == StatusCode::OK {
        prop_assert_eq!(response.field("content-length"), Some(&*length.to_string()));
        prop_assert!(request.method() == Method::HEAD || response.content == variant.body.bytes());
        return Ok(());
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
        return Err(TestCaseError::fail(content_range.to_owned()));
    };
    prop_assert_eq!(total, length);
    prop_assert!(first <= last && last < length);
    prop_assert_eq!(&response.content, &variant.body.bytes().slice(first..=last));
    Ok(())
}

proptest! {
    #[test]
    fn any_request_gets_a_response_that_keeps_every_promise(request in request()) {
        let response = send_request(&SITE, &request);
        assert_well_formed(&request, &response)?;
        if matches!(response.status.as_u16(), 200 | 206 | 304) {
            assert_of_one_variant(&request, &response)?;
        }
    }

    #[test]
    fn head_gets_the_response_to_get_without_content(mut request in request()) {
        *request.method_mut() = Method::GET;
        request.headers_mut().remove("range");
        let get = send_request(&SITE, &request);
        *request.method_mut() = Method::HEAD;
        let head = send_request(&SITE, &request);
        prop_assert_eq!((head.status, head.headers), (get.status, get.headers));
        prop_assert!(head.content.is_empty());
    }

    #[test]
    fn the_same_request_gets_the_same_response(request in request()) {
        prop_assert_eq!(send_request(&SITE, &request), send_request(&SITE, &request));
    }
}
