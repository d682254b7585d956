//! WIRE-22, WIRE-23, WIRE-24: security header fields.

use recipelog_site::cli::{Parsed, parse};
use recipelog_site::http::Arrival;
use recipelog_site::site::{Settings, Site};

use crate::fixture::{request, send, send_by, site, site_with};

/// Requests that together cover every kind of response.
const EVERY_KIND: [(&str, &[(&str, &str)]); 16] = [
    ("GET /sw.js", &[("service-worker", "script")]),
    ("GET /", &[]),
    ("HEAD /privacy", &[]),
    ("GET /app.0123abcd.js", &[]),
    ("GET /icon.svg", &[]),
    ("GET /healthz", &[]),
    ("GET /app.0123abcd.js", &[("range", "bytes=0-1")]),
    ("OPTIONS *", &[]),
    ("GET /", &[("if-none-match", "*")]),
    ("GET /privacy/", &[]),
    ("GET /", &[("host", "twice.example")]),
    ("GET /none", &[("accept", "text/html")]),
    ("GET /none", &[]),
    ("POST /", &[]),
    ("GET /", &[("if-match", "\"a\"")]),
    ("GET /", &[("range", "bytes=99999-")]),
];

const DOCUMENT_FIELDS: [(&str, &str); 4] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("origin-agent-cluster", "?1"),
];

#[test]
fn the_policies_of_a_document_allow_files_of_the_site_and_its_inline_styles_only() {
    // printf 'p{color:red}' | openssl dgst -sha256 -binary | base64
    let style = "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='";
    let policy_with = |style| {
        format!(
            "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; font-src 'self'; \
             media-src 'self'; manifest-src 'self'; base-uri 'none'; connect-src 'none'; form-action 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        )
    };
    let site = site();
    for line in ["GET /", "GET /privacy", "GET /none"] {
        let document = send(&site, line, &[("accept", "text/html")]);
        let policy = document.field("content-security-policy").expect("a policy");
        assert_eq!(policy, policy_with(if line == "GET /" { style } else { "'none'" }), "{line}");
        for (name, value) in DOCUMENT_FIELDS {
            assert_eq!(document.field(name), Some(value), "{name}");
        }
        let permissions = document.field("permissions-policy").expect("a policy");
        let allowed = permissions.split(", ").filter(|feature| !feature.ends_with("=()"));
        assert_eq!(allowed.collect::<Vec<_>>(), ["fullscreen=(self)"]);
        for feature in "camera microphone geolocation payment usb display-capture".split(' ') {
            assert!(permissions.contains(&format!("{feature}=()")), "{feature}");
        }
    }
}

/// Browsers report the first and fourth of [`DOCUMENT_FIELDS`] outside a secure context. No field of the
/// request decides, so a cache may give the response to everybody.
#[test]
fn without_https_a_document_has_no_fields_that_only_a_secure_context_can_use() {
    for (origin, scheme, is_secure) in [
        (None, "http", false),
        (None, "https", false),
        (Some("http://kitchen.lan"), "https", false),
        (Some("https://kitchen.lan"), "http", true),
        (Some("https://kitchen.lan"), "https", true),
    ] {
        let parsed = origin.map(|origin| origin.parse().unwrap());
        let site = site_with(&Settings { origin: parsed, ..Settings::default() });
        let request = request("GET /", &[("x-forwarded-proto", scheme)]);
        let response = send_by(&site, Arrival::Plain, true, &request);
        for (field, (name, _)) in DOCUMENT_FIELDS.iter().enumerate() {
            let is_sent = is_secure || matches!(field, 1 | 2);
            assert_eq!(response.field(name).is_some(), is_sent, "{origin:?}: {name}");
        }
        assert_eq!(response.field("vary"), Some("Accept-Encoding"));
    }
}

#[test]
fn other_sites_may_show_only_pictures_with_a_fixed_name() {
    let site = Site::embedded(&Settings::default());
    for (path, resource) in site.iter() {
        let is_shared = ["/favicon.ico", "/apple-touch-icon.png", "/og.png", "/egg.svg"]
            .contains(&path)
            || path.starts_with("/icon");
        let expected = if is_shared { "cross-origin" } else { "same-origin" };
        assert_eq!(resource.headers["cross-origin-resource-policy"], expected, "{path}");
    }
}

#[test]
fn the_policy_of_an_svg_allows_nothing() {
    let response = send(&site(), "GET /icon.svg", &[]);
    let policy = response.field("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; frame-ancestors 'none'; sandbox"));
}

#[test]
fn only_responses_of_an_https_origin_carry_strict_transport_security() {
    let https = ["--origin", "https://a.example"];
    for (options, expected) in [
        (&[][..], None),
        (&["--origin", "http://a.example", "--hsts", "1h"], None),
        (&["--hsts", "1h"], None),
        (&https, Some("max-age=31536000")),
        (&[&https[..], &["--hsts", "2m"]].concat(), Some("max-age=120")),
        (&[&https[..], &["--hsts", "2h"]].concat(), Some("max-age=7200")),
        (&[&https[..], &["--hsts", "2d"]].concat(), Some("max-age=172800")),
        (&[&https[..], &["--hsts", "0"]].concat(), None),
    ] {
        let words = [&["recipelog-site"], options].concat();
        let Parsed::Run(None, config) =
            parse(&words.into_iter().map(Into::into).collect::<Vec<_>>())
        else {
            panic!("{options:?}")
        };
        let site = site_with(&config.settings);
        for (line, fields) in EVERY_KIND {
            let response = send(&site, line, fields);
            assert_eq!(response.field("strict-transport-security"), expected, "{options:?} {line}");
        }
    }
}
