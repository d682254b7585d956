//! Passes arbitrary requests to `respond`, over TLS and over plain HTTP with a redirect. The input is the head of a request as
//! text: method and target in the first line, then one field per line.

#![no_main]

use std::sync::LazyLock;

use http::{HeaderName, HeaderValue, Method, Request, Uri};
use libfuzzer_sys::fuzz_target;
use recipelog_site::http::{Arrival, Front, respond};
use recipelog_site::site::{Settings, Site};

static FRONT: LazyLock<Front> = LazyLock::new(|| {
    let origin = ORIGIN.parse().ok();
    Front { origin, ..Site::embedded(&Settings::default()).into() }
});

const ORIGIN: &str = "https://a.example";

const STATUSES: [u16; 12] = [200, 204, 206, 304, 308, 400, 404, 405, 406, 412, 414, 416];

fn request(head: &[u8]) -> Option<Request<()>> {
    let mut lines = head.split(|&byte| byte == b'\n');
    let first = lines.next()?;
    let space = first.iter().position(|&byte| byte == b' ')?;
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(&first[..space]).ok()?;
    *request.uri_mut() = Uri::try_from(&first[space + 1..]).ok()?;
    for line in lines {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        request.headers_mut().append(name, value);
    }
    Some(request)
}

fuzz_target!(|head: &[u8]| {
    let Some(request) = request(head) else { return };
    let response = respond(&FRONT, Arrival::Tls { server_name: None }, true, &request);
    let status = response.status().as_u16();
    assert!(STATUSES.contains(&status), "{status}");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    if let Some(location) = response.headers().get("location") {
        let path = location.as_bytes().split(|&byte| byte == b'?').next().unwrap_or_default();
        let path = std::str::from_utf8(path).expect("a path of the table");
        assert!(FRONT.site.get(path).is_some() && path.starts_with('/'), "{path}");
    }
    let response = respond(&FRONT, Arrival::Plain, true, &request);
    let status = response.status().as_u16();
    assert!(STATUSES.contains(&status), "{status}");
    if let Some(location) = response.headers().get("location") {
        let target = location.as_bytes().strip_prefix(ORIGIN.as_bytes());
        assert!(target.is_some_and(|target| target.starts_with(b"/")), "{location:?}");
    }
});
