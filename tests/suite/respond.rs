//! HTTP-1 to HTTP-24 for random requests.
//!
//! `ARBTEST_BUDGET_MS` sets the time of each test in milliseconds. After a failure,
//! `arbtest(…).seed(…).minimize()` finds a shorter request.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use arbtest::arbitrary::{Error, Result, Unstructured};
use arbtest::arbtest;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version};
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

/// More random bytes than the longest request takes.
const RANDOM_BYTES_MAX: u32 = 4096;

/// Runs `property` for random requests. A failure shows the request.
fn for_any_request(property: impl Fn(Request<()>)) {
    let property = |random: &mut Unstructured| {
        let request = request(random)?;
        let shown = format!("{request:?}");
        catch_unwind(AssertUnwindSafe(|| property(request))).unwrap_or_else(|failure| {
            eprintln!("{shown}");
            resume_unwind(failure)
        });
        Ok(())
    };
    arbtest(property).size_max(RANDOM_BYTES_MAX);
}

/// Up to `longest` random items.
fn several<'a, T>(
    random: &mut Unstructured<'a>,
    longest: usize,
    item: impl Fn(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let length = random.int_in_range(0..=longest)?;
    (0..length).map(|_| item(random)).collect()
}

/// Up to `longest` of these characters.
fn text(random: &mut Unstructured, characters: &[u8], longest: usize) -> Result<String> {
    let characters = several(random, longest, |random| random.choose(characters).copied())?;
    Ok(String::from_utf8(characters).expect("ASCII"))
}

fn printable(random: &mut Unstructured, longest: usize) -> Result<String> {
    let characters = several(random, longest, |random| random.int_in_range(b' '..=b'~'))?;
    Ok(String::from_utf8(characters).expect("ASCII"))
}

fn digits(random: &mut Unstructured, longest: usize) -> Result<String> {
    text(random, b"0123456789", longest)
}

fn method(random: &mut Unstructured) -> Result<Method> {
    const TOKEN: &[u8] = b"!#$%&'*+.^_`|~-0123456789ABCXYZabcxyz";
    Ok(match random.int_in_range(0..=13)? {
        0..=7 => Method::GET,
        8..=10 => Method::HEAD,
        11 => Method::OPTIONS,
        12 => Method::POST,
        _ => {
            let method = text(random, TOKEN, 12)?;
            Method::from_bytes(method.as_bytes()).map_err(|_| Error::IncorrectFormat)?
        }
    })
}

fn target(random: &mut Unstructured) -> Result<Uri> {
    static PATHS: LazyLock<Vec<&str>> =
        LazyLock::new(|| SITE.iter().map(|(path, _)| path).collect());
    const SPELLINGS: [&str; 9] = ["/", ".html", "%2F", "/index.html", "?", "?a=b", "//", "%", "#"];
    let text = match random.int_in_range(0..=13)? {
        0..=3 => (*random.choose(&PATHS)?).to_owned(),
        4..=5 => format!("{}{}", random.choose(&PATHS)?, random.choose(&SPELLINGS)?),
        6..=7 => random.choose(&PATHS)?.to_uppercase(),
        8..=10 => format!("/{}", several(random, 4, segment)?.join("/")),
        11 => {
            let scheme = random.choose(&["http", "https", "ftp"])?;
            let authority = text(random, b"abcxyz.@:0123456789", 12)?;
            format!("{scheme}://{authority}/{}", text(random, b"/?abcxyz", 6)?)
        }
        12 => String::from_iter(several::<char>(random, 20, Unstructured::arbitrary)?),
        _ => format!("/{}", "a".repeat(random.int_in_range(8000..=9000)?)),
    };
    Uri::try_from(text).map_err(|_| Error::IncorrectFormat)
}

fn segment(random: &mut Unstructured) -> Result<String> {
    const SEGMENTS: [&str; 8] =
        ["privacy", "%2e%2e", "..", "%00", "index", "%ff", "//evil.example", "%2f"];
    match random.int_in_range(0..=2)? {
        0 => Ok((*random.choose(&SEGMENTS)?).to_owned()),
        1 => printable(random, 8),
        _ => random.arbitrary(),
    }
}

fn field(random: &mut Unstructured) -> Result<(HeaderName, HeaderValue)> {
    const STANDARD: [&str; 13] = [
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
    ];
    let (name, value) = match random.int_in_range(0..=9)? {
        0..=2 => ("accept-encoding", several(random, 3, coding)?.join(",").into_bytes()),
        3..=4 => {
            let name = random.choose(&["if-match", "if-none-match", "if-range"])?;
            let tags = match random.int_in_range(0..=5)? {
                0 => "*".to_owned(),
                _ => several(random, 3, tag)?.join(","),
            };
            (*name, tags.into_bytes())
        }
        5 => {
            let name = random.choose(&["if-modified-since", "if-unmodified-since", "if-range"])?;
            let date =
                if random.arbitrary()? { LAST_MODIFIED.to_owned() } else { printable(random, 30)? };
            (*name, date.into_bytes())
        }
        6..=7 => ("range", range(random)?.into_bytes()),
        8 => ("accept", b"text/html".to_vec()),
        _ => (*random.choose(&STANDARD)?, several(random, 23, Unstructured::arbitrary)?),
    };
    let value = HeaderValue::from_bytes(&value).map_err(|_| Error::IncorrectFormat)?;
    Ok((HeaderName::from_static(name), value))
}

fn coding(random: &mut Unstructured) -> Result<String> {
    const CODINGS: [&str; 8] = ["br", "gzip", "x-gzip", "identity", "*", "deflate", "GZIP", ""];
    const WEIGHTS: [&str; 8] =
        ["", ";q=0", ";q=1", ";q=0.5", "; q=0.001", ";q=2", ";q=", ";q=0.0000"];
    Ok(format!("{}{}", random.choose(&CODINGS)?, random.choose(&WEIGHTS)?))
}

fn tag(random: &mut Unstructured) -> Result<String> {
    let weak = random.choose(&["", "W/", " "])?;
    let tag = match random.int_in_range(0..=2)? {
        0 => random.choose(&ETAGS)?.clone(),
        1 => "\"a,b\"".to_owned(),
        _ => printable(random, 5)?,
    };
    Ok(format!("{weak}{tag}"))
}

fn range(random: &mut Unstructured) -> Result<String> {
    Ok(match random.int_in_range(0..=5)? {
        0..=3 => format!("bytes={}-{}", digits(random, 3)?, digits(random, 3)?),
        4 => format!("bytes=1{:0>18}-{}", digits(random, 22)?, digits(random, 30)?),
        _ => format!("{}={}", text(random, b"abyz", 6)?, text(random, b"0123456789,-", 9)?),
    })
}

fn request(random: &mut Unstructured) -> Result<Request<()>> {
    let mut request = Request::new(());
    *request.method_mut() = method(random)?;
    *request.uri_mut() = target(random)?;
    if random.ratio(1, 3)? {
        *request.version_mut() = Version::HTTP_10;
    }
    let hosts = *random.choose(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2])?;
    for _ in 0..hosts {
        request.headers_mut().append("host", HeaderValue::from_static("a.example"));
    }
    for (name, value) in several(random, 5, field)? {
        request.headers_mut().append(name, value);
    }
    Ok(request)
}

/// Checks the promises that hold for every response.
fn assert_well_formed(request: &Request<()>, response: &Response) {
    let status = response.status;
    assert!(STATUSES.contains(&status.as_u16()), "{status}");
    assert_eq!(response.field("x-content-type-options"), Some("nosniff"));
    let resource_policy = (status != StatusCode::NOT_MODIFIED).then_some("same-origin");
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
        assert_eq!(response.field("cache-control"), Some("no-store"));
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
    let variant = if response.status == StatusCode::NOT_MODIFIED {
        assert!(resource.variants().any(|variant| variant.etag == etag));
        return;
    } else {
        resource.variant(coding).expect("a variant in this coding")
    };
    assert_eq!(&variant.etag, etag);
    assert_eq!(resource.variants().count() > 1, response.field("vary").is_some());
    let length = variant.body.len();
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
        let response = send_request(&SITE, &request);
        assert_well_formed(&request, &response);
        if matches!(response.status.as_u16(), 200 | 206 | 304) {
            assert_of_one_variant(&request, &response);
        }
    });
}

#[test]
fn head_gets_the_response_to_get_without_content() {
    for_any_request(|mut request| {
        *request.method_mut() = Method::GET;
        request.headers_mut().remove("range");
        let get = send_request(&SITE, &request);
        *request.method_mut() = Method::HEAD;
        let head = send_request(&SITE, &request);
        assert_eq!((head.status, head.headers), (get.status, get.headers));
        assert!(head.content.is_empty());
    });
}

#[test]
fn the_same_request_gets_the_same_response() {
    for_any_request(|request| {
        assert_eq!(send_request(&SITE, &request), send_request(&SITE, &request));
    });
}
