//! HTTP.md lines 22 to 24: what protects an answer in the browser.

use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{Answer, ask, site, site_with};

/// Requests that together get every status and every kind of answer.
const EVERY_KIND: [(&str, &[(&str, &str)]); 15] = [
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

const DOCUMENT_FIELDS: [(&str, &str); 5] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("origin-agent-cluster", "?1"),
];

fn documents(site: &Site) -> [Answer; 4] {
    [
        ask(site, "GET /", &[]),
        ask(site, "GET /privacy", &[("accept-encoding", "br")]),
        ask(site, "GET /none", &[("accept", "text/html")]),
        ask(site, "GET /", &[("if-none-match", "*")]),
    ]
}

#[test]
fn a_document_allows_itself_and_nothing_else() {
    for document in documents(&site()) {
        let policy = document.field("content-security-policy").expect("a policy");
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "img-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "connect-src 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(policy.split("; ").any(|given| given == directive), "{directive}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(!policy.contains("font-src"), "{policy}");
        for (name, value) in DOCUMENT_FIELDS {
            assert_eq!(document.field(name), Some(value), "{name}");
        }
    }
}

#[test]
fn a_document_names_its_inline_styles_by_their_hash() {
    let document = ask(&site(), "GET /", &[]);
    let policy = document.field("content-security-policy").expect("a policy");
    // printf 'p{color:red}' | openssl dgst -sha256 -binary | base64
    let hash = "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='";
    assert!(policy.contains(&format!("style-src {hash};")), "{policy}");
}

#[test]
fn fonts_are_allowed_only_where_there_is_one() {
    let files = [File::new("index.html", "<p>a"), File::new("title.woff2", "a font")];
    let site = Site::new(files, &Settings::default(), None);
    let document = ask(&site, "GET /", &[]);
    let policy = document.field("content-security-policy").expect("a policy");
    assert!(policy.contains("font-src 'self'"), "{policy}");
}

#[test]
fn a_document_refuses_every_feature() {
    for document in documents(&site()) {
        let policy = document.field("permissions-policy").expect("a policy");
        for feature in policy.split(", ") {
            assert!(feature.ends_with("=()"), "{feature}");
        }
        for feature in ["camera", "microphone", "geolocation", "payment", "usb", "display-capture"]
        {
            assert!(policy.contains(&format!("{feature}=()")), "{feature}");
        }
    }
}

#[test]
fn every_answer_says_that_its_type_is_meant_and_that_it_is_for_this_site() {
    let site = site();
    for (line, fields) in EVERY_KIND {
        let answer = ask(&site, line, fields);
        assert_eq!(answer.field("x-content-type-options"), Some("nosniff"), "{line} {fields:?}");
        assert_eq!(answer.field("cross-origin-resource-policy"), Some("same-origin"), "{line}");
    }
}

#[test]
fn an_svg_opened_by_itself_may_do_nothing() {
    let answer = ask(&site(), "GET /icon.svg", &[]);
    let policy = answer.field("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    for forbidden in ["unsafe", "script-src", "self"] {
        assert!(!policy.contains(forbidden), "{policy}");
    }
}

#[test]
fn strict_transport_is_promised_on_every_answer_of_an_https_origin_and_on_no_other() {
    for (origin, promised) in
        [(None, false), (Some("http://a.example"), false), (Some("https://a.example"), true)]
    {
        let origin = origin.map(|origin| origin.parse().expect("an origin"));
        let site = site_with(&Settings { origin: origin.clone(), ..Settings::default() });
        for (line, fields) in EVERY_KIND {
            let field = ask(&site, line, fields).field("strict-transport-security").is_some();
            assert_eq!(field, promised, "{origin:?} {line}");
        }
    }
}

#[test]
fn files_that_are_no_documents_carry_no_more_than_they_need() {
    let site = site();
    for line in ["GET /app.0123abcd.js", "GET /robots.txt", "GET /archive.gz", "POST /"] {
        let answer = ask(&site, line, &[]);
        for (name, _) in DOCUMENT_FIELDS {
            assert_eq!(answer.field(name), None, "{line} {name}");
        }
        for name in ["content-security-policy", "permissions-policy"] {
            assert_eq!(answer.field(name), None, "{line} {name}");
        }
    }
}

#[test]
fn no_answer_names_the_server() {
    let site = site();
    for (line, fields) in EVERY_KIND {
        let answer = ask(&site, line, fields);
        for name in ["server", "x-powered-by", "via"] {
            assert_eq!(answer.field(name), None, "{line} {name}");
        }
    }
}
