//! WIRE-1, WIRE-4, WIRE-5, WIRE-20, WIRE-21, WIRE-24: the files of a site, their types, lifetimes, ETags and variants.

use std::io::Read;
use std::time::Duration;

use brotli_decompressor::Decompressor;
use recipelog_site::site::{Coding, File, Settings, Site};

use crate::support::site::{send, site};

/// The value of Cache-Control for pages.
const PAGE: &str = "no-cache, no-transform";

/// The value of Cache-Control for error responses and health checks.
const ERROR: &str = "no-store";

/// The value of Cache-Control for names with a content hash.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The value of Cache-Control for redirects, and for files with a fixed name.
const SHORT: &str = "public, max-age=3600";

#[test]
fn cache_lifetime_and_type_follow_from_kind_and_name_and_text_alone_has_a_charset() {
    let site = site();
    for (target, lifetime, content_type) in [
        ("/app.0123abcd.js", IMMUTABLE, "text/javascript; charset=utf-8"),
        ("/", PAGE, "text/html; charset=utf-8"),
        ("/privacy", PAGE, "text/html; charset=utf-8"),
        ("/robots.txt", SHORT, "text/plain; charset=utf-8"),
        ("/icon.svg", SHORT, "image/svg+xml; charset=utf-8"),
        ("/site.webmanifest", SHORT, "application/manifest+json; charset=utf-8"),
        ("/sitemap.xml", SHORT, "text/xml; charset=utf-8"),
        ("/archive.gz", SHORT, "application/octet-stream"),
        ("/favicon.ico", SHORT, "image/vnd.microsoft.icon"),
        ("/font.woff2", SHORT, "font/woff2"),
        ("/icon.png", SHORT, "image/png"),
        ("/menu%20card.txt", SHORT, "text/plain; charset=utf-8"),
        ("/healthz", ERROR, "text/plain; charset=utf-8"),
        ("/none", ERROR, "text/plain; charset=utf-8"),
    ] {
        let response = send(&site, &format!("GET {target}"), &[]);
        assert_eq!(response.field("cache-control"), Some(lifetime), "{target}");
        assert_eq!(response.field("content-type"), Some(content_type), "{target}");
        assert_eq!(response.field("etag").is_some(), lifetime != ERROR, "{target}");
    }
    for (name, lifetime) in [
        ("pictures/phone.00c0ffee.avif", IMMUTABLE),
        ("app.98765432.js", IMMUTABLE),
        ("app.min.js", SHORT),
        ("app.1f0c9a3.js", SHORT),
        ("app.1F0C9A3E.js", SHORT),
        ("app.deadbeef", SHORT),
        (".deadbeef.js", SHORT),
        // Dates.
        ("menu.20261120.png", SHORT),
        ("menu.19991231.png", SHORT),
        ("a.1f0c9a3e.html", PAGE),
    ] {
        let site = Site::new([File::new(name, "")], &Settings::default()).into();
        let response = send(&site, &format!("GET /{name}"), &[]);
        assert_eq!(response.field("cache-control"), Some(lifetime), "{name}");
    }
    let redirect = send(&site, "GET /privacy/", &[]);
    let fields = ["cache-control", "etag"].map(|name| redirect.field(name));
    assert_eq!((redirect.status.as_u16(), fields), (308, [Some(SHORT), None]));
}

#[test]
fn every_variant_decodes_to_the_plain_bytes_and_saves_five_percent() {
    let origin = Some("https://pans.example".parse().expect("an origin"));
    for settings in [Settings::default(), Settings { origin, ..Settings::default() }] {
        let site = Site::embedded(&settings);
        let mut compressed = 0;
        for (path, resource) in site.iter() {
            let plain = resource.identity.body.bytes();
            let codings: Vec<_> = resource.variants().map(|variant| variant.coding).collect();
            // The executable has no Brotli encoder.
            let is_page = resource.is_document && !path.ends_with(".html");
            assert!(!is_page || codings == [Coding::Identity, Coding::Gzip], "{path}: {codings:?}");
            for variant in resource.variants() {
                let mut decoded = Vec::new();
                let body: &[u8] = &variant.body.bytes();
                match variant.coding {
                    Coding::Identity => continue,
                    Coding::Gzip => flate2::read::GzDecoder::new(body).read_to_end(&mut decoded),
                    Coding::Brotli => Decompressor::new(body, 4096).read_to_end(&mut decoded),
                }
                .unwrap_or_else(|error| panic!("{path} in {:?}: {error}", variant.coding));
                assert_eq!(decoded, plain, "{path} in {:?}", variant.coding);
                assert!(body.len() * 100 <= plain.len() * 95, "{path} in {:?}", variant.coding);
                // RFC 1952: a time would change the ETag of each replica (WIRE-1).
                assert!(variant.coding == Coding::Brotli || body[4..8] == [0; 4], "{path}");
                compressed += 1;
            }
        }
        assert!(compressed >= 10, "{compressed} variants");
    }
}

#[test]
fn no_served_file_contains_a_path_of_the_build_machine() {
    let site = Site::embedded(&Settings::default());
    let home = std::env::var("HOME").unwrap_or_default();
    // A path such as /app or /tmp may be part of an address.
    let own =
        [env!("CARGO_MANIFEST_DIR"), &home].into_iter().filter(|it| it.matches('/').count() > 1);
    let forbidden: Vec<_> = own.chain(["node_modules", "file://", "/target/"]).collect();
    for (path, resource) in site.iter() {
        let body = resource.identity.body.bytes();
        let text = String::from_utf8_lossy(&body);
        for word in &forbidden {
            assert!(!text.contains(word), "{path} contains {word}");
        }
    }
}

#[test]
fn the_etag_depends_on_content_and_header_fields_alone() {
    let etag = |name: &str, content: &'static str, origin: Option<&str>| {
        let is_https = origin.is_some_and(|origin| origin.starts_with("https"));
        let origin = origin.map(|origin| origin.parse().expect("an origin"));
        let hsts = is_https.then_some(Duration::from_secs(60));
        let settings = Settings { origin, hsts, ..Settings::default() };
        let site = Site::new([File::new(name, content)], &settings).into();
        let target = format!("GET /{}", name.trim_end_matches("index.html"));
        send(&site, &target, &[]).field("etag").expect("an ETag").to_owned()
    };
    let one = etag("a.txt", "same", None);
    assert_eq!(one, etag("a.txt", "same", Some("http://a.example")));
    assert_ne!(one, etag("a.txt", "other", None));
    assert_ne!(one, etag("a.xml", "same", None), "Content-Type");
    let secure = etag("a.txt", "same", Some("https://a.example"));
    assert_ne!(one, secure, "Strict-Transport-Security");
    let [page, audited] = [None, Some("http://a.example")].map(|it| etag("index.html", "same", it));
    assert_ne!(page, audited, "the connect-src of the Content-Security-Policy");
}
