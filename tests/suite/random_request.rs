//! Random requests for [`SITE`].
//!
//! `ARBTEST_BUDGET_MS` sets the time of each test in milliseconds. After a failure,
//! `arbtest(…).seed(…).minimize()` finds a shorter request.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use arbtest::arbitrary::{Error, Result, Unstructured};
use arbtest::arbtest;
use http::{HeaderName, HeaderValue, Method, Request, Uri, Version};
use recipelog_site::site::Site;

use crate::fixture::{LAST_MODIFIED, site};

/// The site that the requests are for.
pub static SITE: LazyLock<Site> = LazyLock::new(site);

/// Every ETag of the site.
static ETAGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let variants = SITE.iter().flat_map(|(_, resource)| resource.variants());
    variants.map(|variant| variant.etag.to_str().expect("ASCII").to_owned()).collect()
});

/// More random bytes than the longest request takes.
const RANDOM_BYTES_MAX: u32 = 4096;

/// Runs `property` for random requests. A failure shows the request.
pub fn for_any_request(property: impl Fn(Request<()>)) {
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
