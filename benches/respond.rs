//! Time and allocations of `respond` for one request, without a socket.

use bytes::Bytes;
use divan::{AllocProfiler, Bencher};
use http::{Request, Response, Version};
use http_body_util::Full;
use recipelog_site::http::{Arrival, Front, respond};
use recipelog_site::site::{Settings, Site};

/// Accept-Encoding of current browsers.
const BROWSER_CODINGS: &str = "gzip, deflate, br, zstd";

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

/// Enough to make cold caches and the cost of reading the clock insignificant.
const REQUESTS_PER_SAMPLE: u32 = 1_000;

fn main() {
    divan::Divan::default().sample_size(REQUESTS_PER_SAMPLE).config_with_args().main();
}

#[divan::bench]
fn page(bencher: Bencher) {
    measure(bencher, "/", &[("accept-encoding", BROWSER_CODINGS)]);
}

#[divan::bench]
fn not_modified(bencher: Bencher) {
    let front = Front::from(Site::embedded(&Settings::default()));
    let page = send(&front, &request("/", &[("accept-encoding", BROWSER_CODINGS)]));
    let etag = page.headers()["etag"].to_str().expect("an ASCII ETag");
    measure(bencher, "/", &[("accept-encoding", BROWSER_CODINGS), ("if-none-match", etag)]);
}

#[divan::bench]
fn range(bencher: Bencher) {
    measure(bencher, "/", &[("range", "bytes=0-99")]);
}

#[divan::bench]
fn not_found_page(bencher: Bencher) {
    measure(bencher, "/no-such-page", &[("accept", "text/html"), ("accept-encoding", "gzip, br")]);
}

#[divan::bench]
fn not_found(bencher: Bencher) {
    measure(bencher, "/no-such-file.js", &[("accept", "*/*")]);
}

#[divan::bench]
fn redirect(bencher: Bencher) {
    measure(bencher, "/privacy/", &[]);
}

fn measure(bencher: Bencher, target: &str, fields: &[(&str, &str)]) {
    let front = Front::from(Site::embedded(&Settings::default()));
    let request = request(target, fields);
    // The drop of the response is measured too, because each request includes it.
    bencher.bench_local(|| drop(divan::black_box(send(&front, divan::black_box(&request)))));
}

fn send(front: &Front, request: &Request<()>) -> Response<Full<Bytes>> {
    respond(front, Arrival::Tls { server_name: None }, false, request)
}

fn request(target: &str, fields: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder()
        .uri(target)
        .version(Version::HTTP_11)
        .header("host", "recipelog.example")
        .header("user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    request.body(()).expect("a valid request")
}
