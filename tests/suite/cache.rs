//! WIRE-4, WIRE-21: content types and cache lifetimes.

use crate::fixture::{send, site};

/// The value of Cache-Control for pages.
pub const PAGE: &str = "no-cache, no-transform";

/// The value of Cache-Control for error responses and health checks.
pub const ERROR: &str = "no-store";

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
        ("/healthz", ERROR, "text/plain; charset=utf-8"),
        ("/none", ERROR, "text/plain; charset=utf-8"),
    ] {
        for method in ["GET", "HEAD"] {
            let response = send(&site, &format!("{method} {target}"), &[]);
            assert_eq!(response.field("cache-control"), Some(lifetime), "{target}");
            assert_eq!(response.field("content-type"), Some(content_type), "{target}");
            assert_eq!(response.field("etag").is_some(), lifetime != ERROR, "{target}");
        }
    }
    let redirect = send(&site, "GET /privacy/", &[]);
    let fields = ["cache-control", "etag"].map(|name| redirect.field(name));
    assert_eq!((redirect.status.as_u16(), fields), (308, [Some(SHORT), None]));
}
