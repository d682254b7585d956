//! Random requests for [`SITE`].
//!
//! A failure prints a seed. With this seed in the variable `ARBTEST_SEED`, a test sends
//! only the request that failed.

use std::cell::Cell;
use std::env;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::LazyLock;

use arbtest::arbitrary::{Error, Result, Unstructured};
use arbtest::arbtest;
use http::{HeaderName, HeaderValue, Method, Request, Uri, Version};
use recipelog_site::site::Site;

use crate::fixture::{LAST_MODIFIED, site};

/// The site that the requests are for.
pub static SITE: LazyLock<Site> = LazyLock::new(site);

/// Every path of the site, sorted, so that a seed always yields the same request.
static PATHS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut paths: Vec<_> = SITE.iter().map(|(path, _)| path).collect();
    paths.sort_unstable();
    paths
});

/// Every ETag of the site, in the order of the paths.
static ETAGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let resources = PATHS.iter().filter_map(|path| SITE.get(path));
    let variants = resources.flat_map(|resource| resource.variants());
    variants.map(|variant| variant.etag.to_str().expect("ASCII")).collect()
});

/// Requests of each test.
const REQUESTS: usize = 2000;

/// Random bytes for each request, enough for nearly all requests.
const RANDOM_BYTES: u64 = 512;

/// Characters of URLs, and others that have no place there.
const CHARACTERS: &str = "aZ09-._~/?#[]@:!$&'()*+,;=%\\ \"<>^`{|}é¥Ⱥ中🍳";

/// Runs `property` for random requests. A failure shows the request.
pub fn for_any_request(property: impl Fn(&Request<()>)) {
    let tested = Cell::new(0);
    let property = |random: &mut Unstructured| {
        let Ok(request) = request(random) else { return Ok(()) };
        catch_unwind(AssertUnwindSafe(|| property(&request))).unwrap_or_else(|failure| {
            eprintln!("{request:?}");
            resume_unwind(failure)
        });
        tested.set(tested.get() + 1);
        Ok(())
    };
    if env::var_os("ARBTEST_SEED").is_some() {
        arbtest(property).run();
        return;
    }
    while tested.get() < REQUESTS {
        // Each `RandomState` has different keys, so each seed is different. The lower half
        // of a seed is the number of random bytes.
        let seed = RandomState::new().hash_one(()) << 32 | RANDOM_BYTES;
        arbtest(property).seed(seed).run();
    }
}

/// A list of random items. Its length is random in the range `lengths`.
fn several<'a, T>(
    random: &mut Unstructured<'a>,
    lengths: RangeInclusive<usize>,
    item: impl Fn(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let length = random.int_in_range(lengths)?;
    (0..length).map(|_| item(random)).collect()
}

/// A text of random characters from `characters`. Its length is random in the range
/// `lengths`.
fn text(
    random: &mut Unstructured,
    characters: &str,
    lengths: RangeInclusive<usize>,
) -> Result<String> {
    let characters: Vec<char> = characters.chars().collect();
    let text = several(random, lengths, |random| random.choose(&characters).copied())?;
    Ok(text.into_iter().collect())
}

fn printable(random: &mut Unstructured, longest: usize) -> Result<String> {
    let text = several(random, 0..=longest, |random| random.int_in_range(b' '..=b'~'))?;
    Ok(String::from_utf8(text).expect("ASCII"))
}

fn method(random: &mut Unstructured) -> Result<Method> {
    const TOKEN: &str = "!#$%&'*+.^_`|~-0123456789ABCXYZabcxyz";
    Ok(match random.int_in_range(0..=13)? {
        0..=7 => Method::GET,
        8..=10 => Method::HEAD,
        11 => Method::OPTIONS,
        12 => Method::POST,
        _ => {
            let method = text(random, TOKEN, 1..=12)?;
            Method::from_bytes(method.as_bytes()).expect("a token")
        }
    })
}

fn target(random: &mut Unstructured) -> Result<Uri> {
    const SPELLINGS: [&str; 9] = ["/", ".html", "%2F", "/index.html", "?", "?a=b", "//", "%", "#"];
    let text = match random.int_in_range(0..=13)? {
        0..=3 => (*random.choose(&PATHS)?).to_owned(),
        4..=5 => format!("{}{}", random.choose(&PATHS)?, random.choose(&SPELLINGS)?),
        6..=7 => random.choose(&PATHS)?.to_uppercase(),
        8..=10 => format!("/{}", several(random, 0..=4, segment)?.join("/")),
        11 => {
            let scheme = random.choose(&["http", "https", "ftp"])?;
            let authority = text(random, "abcxyz.@:0123456789", 0..=12)?;
            format!("{scheme}://{authority}{}", text(random, "/?abcxyz", 0..=6)?)
        }
        12 => text(random, CHARACTERS, 0..=20)?,
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
        _ => text(random, CHARACTERS, 0..=20),
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
        0..=2 => ("accept-encoding", several(random, 0..=3, coding)?.join(",").into_bytes()),
        3..=4 => {
            let name = random.choose(&["if-match", "if-none-match", "if-range"])?;
            let tags = match random.int_in_range(0..=5)? {
                0 => "*".to_owned(),
                _ => several(random, 0..=3, tag)?.join(","),
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
        _ => (*random.choose(&STANDARD)?, several(random, 0..=23, Unstructured::arbitrary)?),
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
        0 => (*random.choose(&ETAGS)?).to_owned(),
        1 => "\"a,b\"".to_owned(),
        _ => printable(random, 5)?,
    };
    Ok(format!("{weak}{tag}"))
}

fn range(random: &mut Unstructured) -> Result<String> {
    Ok(match random.int_in_range(0..=5)? {
        0..=3 => format!("bytes={}-{}", digits(random, 0..=3)?, digits(random, 0..=3)?),
        4 => format!("bytes={}-{}", digits(random, 18..=40)?, digits(random, 0..=30)?),
        _ => {
            let unit = text(random, "abcdefghijklmnopqrstuvwxyz", 0..=6)?;
            let equals = random.choose(&["=", ""])?;
            format!("{unit}{equals}{}", text(random, "0123456789,-", 0..=9)?)
        }
    })
}

fn digits(random: &mut Unstructured, lengths: RangeInclusive<usize>) -> Result<String> {
    text(random, "0123456789", lengths)
}

fn request(random: &mut Unstructured) -> Result<Request<()>> {
    let mut request = Request::new(());
    *request.method_mut() = method(random)?;
    *request.uri_mut() = target(random)?;
    if random.ratio(1, 3)? {
        *request.version_mut() = Version::HTTP_10;
    }
    let hosts = match random.int_in_range(0..=13)? {
        0..=11 => 1,
        12 => 0,
        _ => 2,
    };
    for _ in 0..hosts {
        let host = match random.int_in_range(0..=7)? {
            0 => text(random, CHARACTERS, 0..=12)?,
            _ => "a.example".to_owned(),
        };
        let host = HeaderValue::from_bytes(host.as_bytes()).expect("no control character");
        request.headers_mut().append("host", host);
    }
    for (name, value) in several(random, 0..=5, field)? {
        request.headers_mut().append(name, value);
    }
    Ok(request)
}
