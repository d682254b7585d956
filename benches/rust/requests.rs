//! The requests whose responses are measured.

use http::{Request, Version};
use recipelog_site::http::respond;
use recipelog_site::site::{Settings, Site};

pub const USER_AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36";

/// Accept-Encoding of current browsers.
pub const BROWSER_CODINGS: &str = "gzip, deflate, br, zstd";

pub fn request(target: &str, fields: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder()
        .uri(target)
        .version(Version::HTTP_11)
        .header("host", "recipelog.example")
        .header("user-agent", USER_AGENT);
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    request.body(()).expect("a valid request")
}

/// The ETag of the variant of the landing page that browsers get.
pub fn etag_of_page() -> String {
    let site = Site::embedded(&Settings::default());
    let response = respond(&site, &request("/", &[("accept-encoding", BROWSER_CODINGS)]));
    response.headers()["etag"].to_str().expect("an ASCII ETag").to_owned()
}
