//! WIRE-1, WIRE-2, WIRE-3, WIRE-14, WIRE-18, WIRE-22, WIRE-23, WIRE-24, WIRE-30, WIRE-36: invariants of every
//! response, for each combination of a method, a target and two fields. tests/fuzz has random requests.

use std::sync::LazyLock;
use std::time::Duration;

use recipelog_site::http::{Arrival, Front};
use recipelog_site::site::{Coding, File, Settings, Site};

use crate::fixture::{files, request, send, send_by, send_request, site, site_with};

static SITE: LazyLock<Front> = LazyLock::new(site);

const METHODS: [&str; 4] = ["GET", "HEAD", "OPTIONS", "get*~9"];

#[rustfmt::skip]
const TARGETS: [&str; 22] = [
    "/", "/?a=b", "/index.html", "/privacy", "/privacy/", "/PRIVACY/?//evil.example", "/privacy%2F",
    "/app.0123abcd.js", "/app.0123abcd.js.br", "/icon.svg", "/archive.gz", "/menu%20card.txt", "/robots.txt",
    "/healthz", "/none", "/none/%2e%2e/privacy", "//evil.example/", "/%ff%00", "/privacy/?\u{e9}|\\", "*",
    "http://b@c/privacy", "https://b.example:1//d",
];

/// ETAG stands for the ETag of the plain bytes, BROTLI for the ETag in Brotli.
#[rustfmt::skip]
const FIELDS: [(&str, &[&str]); 11] = [
    ("accept", &["text/html"]),
    ("accept-encoding", &["gzip, br", "br;q=0, *;q=0.5", "x-gzip;q=2", "identity;q=0", "*;q=0"]),
    ("expect", &["100-continue"]),
    ("host", &["b.example"]),
    ("if-match", &["*", "\"a,b\", ETAG", "BROTLI"]),
    ("if-modified-since", &["Fri, 31 Dec 9999 23:59:59 GMT"]),
    ("if-none-match", &["*", "W/BROTLI, ETAG", "\"a"]),
    ("if-range", &["ETAG", "Fri, 31 Dec 9999 23:59:59 GMT"]),
    ("if-unmodified-since", &["Thu, 01 Jan 1970 00:00:00 GMT"]),
    ("range", &["bytes=0-0", "bytes=-5", "bytes=9999-", "bytes=0-1,3-4", "lines=0-1"]),
    ("te", &["gzip"]),
];

const ONLY_IN_A_SECURE_CONTEXT: [&str; 3] =
    ["cross-origin-opener-policy", "cross-origin-embedder-policy", "origin-agent-cluster"];

#[test]
fn any_request_gets_a_response_that_keeps_every_promise() {
    for target in TARGETS {
        let etag = |coding| {
            let resource = SITE.site.get(target)?;
            let variant = resource.variants().find(|variant| variant.coding == coding)?;
            variant.etag.to_str().ok()
        };
        let [plain, brotli] =
            [Coding::Identity, Coding::Brotli].map(|it| etag(it).unwrap_or("\"none\""));
        let fill = |value: &str| value.replace("ETAG", plain).replace("BROTLI", brotli);
        let fields = FIELDS
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (*name, fill(value))));
        let fields: Vec<(&str, String)> = fields.collect();
        let bare = send(&SITE, &format!("GET {target}"), &[]);
        let status = bare.status.as_u16();
        for (index, (first, first_value)) in fields.iter().enumerate() {
            for (second, second_value) in &fields[index..] {
                let pair = [(*first, &**first_value), (*second, &**second_value)];
                let [get, head, options, other] = METHODS.map(|method| {
                    let request = request(&format!("{method} {target}"), &pair);
                    let mut response = send_request(&SITE, &request);
                    response.assert_kept(&SITE.site, &request);
                    let plain = send_by(&SITE, Arrival::Plain, true, &request);
                    for name in ONLY_IN_A_SECURE_CONTEXT {
                        response.headers.remove(name);
                    }
                    assert_eq!(response, plain, "{method} {target} {pair:?}");
                    response
                });
                let is_in_pair = |name| pair.iter().any(|field| field.0 == name);
                if matches!(status, 308 | 404) && !is_in_pair("host") {
                    assert_eq!(get.status, status, "{target} {pair:?}");
                }
                if get.status != 400 {
                    let statuses = [options, other].map(|response| response.status.as_u16());
                    assert_eq!(statuses, [204, 405], "{target} {pair:?}");
                }
                if target == "/healthz" && get.status != 400 {
                    assert_eq!(get, bare, "{pair:?}");
                }
                if target == "/healthz" || !is_in_pair("range") {
                    assert_eq!((head.status, head.headers), (get.status, get.headers), "{pair:?}");
                }
            }
        }
    }
}

/// A server with HTTPS of its own, for an origin and for one name more.
fn front(trusts_proxy: bool) -> Front {
    let origin = "https://a.example".parse().ok();
    let hsts = Some(Duration::from_secs(60));
    let settings = Settings { origin: origin.clone(), hsts, ..Settings::default() };
    Front {
        origin,
        other_names: vec!["b.example".to_owned()],
        trusts_proxy,
        ..site_with(&settings)
    }
}

/// WIRE-22, WIRE-23, WIRE-30, WIRE-31.
#[test]
fn how_a_request_arrives_decides_between_a_redirect_a_rejection_and_the_site() {
    let tls = |server_name| Arrival::Tls { server_name };
    let (plain, on_tls_port) = (Arrival::Plain, Arrival::PlainOnTlsPort);
    let proxied = Some("https");
    for (arrival, has_certificate, trusts_proxy, scheme, host, status, has_hsts) in [
        (plain, true, false, None, "a.example", 308, false),
        (plain, true, false, proxied, "a.example", 308, false),
        (plain, true, true, None, "a.example", 308, false),
        (plain, true, true, Some("http"), "a.example", 308, false),
        (plain, true, true, proxied, "a.example", 200, true),
        (plain, true, true, proxied, "b.example", 308, true),
        (plain, true, true, Some("HTTPS"), "a.example", 200, true),
        // The outer proxy of two adds the first member.
        (plain, true, true, Some("https,http"), "a.example", 200, true),
        (plain, true, true, Some("http, https"), "a.example", 308, false),
        // The client sent the first line.
        (plain, true, true, Some("https / http"), "a.example", 308, false),
        (plain, true, true, Some("http / https, http"), "a.example", 200, true),
        (on_tls_port, true, true, proxied, "a.example", 400, false),
        (tls(None), true, false, None, "a.example", 200, true),
        (tls(None), true, false, None, "B.example.:8443", 308, true),
        (tls(None), true, false, None, "c.example", 200, true),
        (tls(Some("a.example")), true, false, None, "a.example", 200, true),
        (tls(Some("a.example")), true, false, None, "c.example", 421, false),
        (tls(Some("a.example")), true, false, None, "b.example", 421, false),
        (tls(Some("b.example")), true, false, None, "b.example", 308, true),
        // Before it has a certificate, the origin rejects handshakes.
        (plain, false, false, None, "b.example", 200, false),
        (tls(None), false, false, None, "b.example", 200, true),
    ] {
        let schemes = scheme.into_iter().flat_map(|lines| lines.split(" / "));
        let fields: Vec<_> = schemes.map(|scheme| ("x-forwarded-proto", scheme)).collect();
        let mut request = request("GET /", &fields);
        request.headers_mut().insert("host", host.parse().unwrap());
        let response = send_by(&front(trusts_proxy), arrival, has_certificate, &request);
        let shown = format!("{arrival:?} {has_certificate} {trusts_proxy} {scheme:?} {host}");
        assert_eq!(response.status, status, "{shown}");
        assert_eq!(response.field("strict-transport-security").is_some(), has_hsts, "{shown}");
        let has_policy = response.headers.contains_key("cross-origin-opener-policy");
        assert_eq!(has_policy, has_hsts && status == 200, "{shown}");
        // A cache between the proxy and this server must not give a redirect to visitors over HTTPS.
        let varies = |line: &http::HeaderValue| line == "x-forwarded-proto";
        assert_eq!(response.headers.get_all("vary").iter().any(varies), trusts_proxy, "{shown}");
    }
}

/// WIRE-31: Android and iOS follow no redirect when they verify that an app may open the links of a name.
#[test]
fn files_in_well_known_are_served_on_every_name_over_https() {
    let files = files().into_iter().chain([File::new(".well-known/assetlinks.json", "[]")]);
    let front = Front { site: Site::new(files, &Settings::default()), ..front(false) };
    let tls = Arrival::Tls { server_name: Some("b.example") };
    for (arrival, path, status) in [
        (tls, "/.well-known/assetlinks.json", 200),
        (tls, "/.well-known/none", 404),
        (tls, "/privacy", 308),
        (Arrival::Plain, "/.well-known/assetlinks.json", 308),
    ] {
        let mut request = request(&format!("GET {path}"), &[]);
        request.headers_mut().insert("host", "b.example".parse().unwrap());
        let response = send_by(&front, arrival, true, &request);
        assert_eq!(response.status, status, "{arrival:?} {path}");
    }
}

/// WIRE-20, WIRE-35: what a request makes the server hold is bounded.
#[test]
fn a_location_has_at_most_1024_bytes_and_loses_a_query_that_is_too_long() {
    let front = front(false);
    let path = |length: usize| format!("/{}", "a".repeat(length - 1));
    // Without the origin and the question mark.
    let left = 1024 - "https://a.example".len();
    for (target, expected) in [
        (path(left), Some(path(left))),
        (path(left + 1), None),
        ("/|".repeat(300), None),
        (format!("/x?{}", "q".repeat(left - 3)), Some(format!("/x?{}", "q".repeat(left - 3)))),
        (format!("/x?{}", "q".repeat(left - 2)), Some("/x".to_owned())),
        (format!("/x?{}", "|".repeat(left / 3)), Some("/x".to_owned())),
    ] {
        let response =
            send_by(&front, Arrival::Plain, true, &request(&format!("GET {target}"), &[]));
        let expected = expected.map(|target| format!("https://a.example{target}"));
        assert_eq!(response.status, if expected.is_some() { 308 } else { 414 }, "{target}");
        assert_eq!(response.field("location"), expected.as_deref(), "{target}");
    }
    let mut request = request("GET /", &[]);
    for (length, names_url) in [(253, true), (260, false)] {
        request.headers_mut().insert("host", "a".repeat(length).parse().unwrap());
        let response = send_by(&front, Arrival::PlainOnTlsPort, true, &request);
        assert_eq!(response.content.len() > 100, names_url, "{length}");
    }
}
