//! Random requests for [`SITE`].
//!
//! A failure prints a seed. With this seed in the variable `ARBTEST_SEED`, a test sends
//! only the request that failed.

use std::cell::Cell;
use std::env;
use std::hash::{BuildHasher, RandomState};
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

const DIGITS: &str = "0123456789";

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

/// Up to `longest` random characters from `characters`.
fn text(random: &mut Unstructured, characters: &str, longest: usize) -> Result<String> {
    let characters: Vec<char> = characters.chars().collect();
    let length = random.int_in_range(0..=longest)?;
    (0..length).map(|_| random.choose(&characters).copied()).collect()
}

/// Up to three random items with commas between them.
fn list(
    random: &mut Unstructured,
    item: impl Fn(&mut Unstructured) -> Result<String>,
) -> Result<String> {
    let length = random.int_in_range(0..=3)?;
    Ok((0..length).map(|_| item(random)).collect::<Result<Vec<_>>>()?.join(","))
}

fn method(random: &mut Unstructured) -> Result<Method> {
    const METHODS: [&str; 9] =
        ["GET", "GET", "GET", "GET", "HEAD", "HEAD", "OPTIONS", "POST", "get*~9"];
    Ok(Method::from_bytes(random.choose(&METHODS)?.as_bytes()).expect("a token"))
}

fn target(random: &mut Unstructured) -> Result<Uri> {
    const ENDS: [&str; 9] = ["/", ".html", "%2F", "/index.html", "?", "?a=b", "//", "%", "#"];
    const SEGMENTS: [&str; 8] =
        ["privacy", "%2e%2e", "..", "%00", "index", "%ff", "//evil.example", "%2f"];
    let path = *random.choose(&PATHS)?;
    let target = match random.int_in_range(0..=8)? {
        0..=2 => path.to_owned(),
        3 => format!("{path}{}", random.choose(&ENDS)?),
        4 => path.to_uppercase(),
        5 => format!("/{}/{}", random.choose(&SEGMENTS)?, random.choose(&SEGMENTS)?),
        6 => format!("/{}/{}", random.choose(&SEGMENTS)?, text(random, CHARACTERS, 20)?),
        7 => format!("http://{}{path}", text(random, "abcxyz.@:0123456789", 12)?),
        _ => format!("/{}", "a".repeat(random.int_in_range(8000..=9000)?)),
    };
    Uri::try_from(target).map_err(|_| Error::IncorrectFormat)
}

fn coding(random: &mut Unstructured) -> Result<String> {
    const CODINGS: [&str; 8] = ["br", "gzip", "x-gzip", "identity", "*", "deflate", "GZIP", ""];
    const WEIGHTS: [&str; 8] =
        ["", ";q=0", ";q=1", ";q=0.5", "; q=0.001", ";q=2", ";q=", ";q=0.0000"];
    Ok(format!("{}{}", random.choose(&CODINGS)?, random.choose(&WEIGHTS)?))
}

fn validator(random: &mut Unstructured) -> Result<String> {
    let prefix = random.choose(&["", "W/", " "])?;
    let validator = match random.int_in_range(0..=4)? {
        0 | 1 => (*random.choose(&ETAGS)?).to_owned(),
        2 => LAST_MODIFIED.to_owned(),
        3 => (*random.choose(&["*", "\"a,b\""])?).to_owned(),
        _ => text(random, CHARACTERS, 5)?,
    };
    Ok(format!("{prefix}{validator}"))
}

fn range(random: &mut Unstructured) -> Result<String> {
    let unit = random.choose(&["bytes=", "bytes=", "bytes=", "bytes", "lines="])?;
    let longest = *random.choose(&[2, 2, 2, 40])?;
    let (first, last) = (text(random, DIGITS, longest)?, text(random, DIGITS, longest)?);
    Ok(format!("{unit}{first}-{last}"))
}

fn field(random: &mut Unstructured) -> Result<(HeaderName, HeaderValue)> {
    const CONDITIONS: [&str; 5] =
        ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];
    const OTHERS: [&str; 5] = ["te", "upgrade", "expect", "content-length", "accept"];
    let (name, value) = match random.int_in_range(0..=7)? {
        0 | 1 => ("accept-encoding", list(random, coding)?),
        2 | 3 => (*random.choose(&CONDITIONS)?, list(random, validator)?),
        4 | 5 => ("range", range(random)?),
        6 => ("accept", "text/html".to_owned()),
        _ => (*random.choose(&OTHERS)?, text(random, CHARACTERS, 20)?),
    };
    let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| Error::IncorrectFormat)?;
    Ok((HeaderName::from_static(name), value))
}

fn request(random: &mut Unstructured) -> Result<Request<()>> {
    let mut request = Request::new(());
    *request.method_mut() = method(random)?;
    *request.uri_mut() = target(random)?;
    if random.ratio(1, 3)? {
        *request.version_mut() = Version::HTTP_10;
    }
    for _ in 0..*random.choose(&[1, 1, 1, 1, 1, 1, 0, 2])? {
        let host = match random.ratio(1, 8)? {
            true => text(random, CHARACTERS, 12)?,
            false => "a.example".to_owned(),
        };
        let host = HeaderValue::from_bytes(host.as_bytes()).expect("no control character");
        request.headers_mut().append("host", host);
    }
    for _ in 0..random.int_in_range(0..=5)? {
        let (name, value) = field(random)?;
        request.headers_mut().append(name, value);
    }
    Ok(request)
}
