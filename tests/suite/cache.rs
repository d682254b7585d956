//! WIRE-21: cache lifetimes.

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
fn the_cache_lifetime_follows_from_kind_and_name() {
    let site = site();
    for (target, expected) in [
        ("/app.0123abcd.js", IMMUTABLE),
        ("/", PAGE),
        ("/privacy", PAGE),
        ("/robots.txt", SHORT),
        ("/icon.svg", SHORT),
        ("/site.webmanifest", SHORT),
        ("/healthz", ERROR),
    ] {
        for method in ["GET", "HEAD"] {
            let response = send(&site, &format!("{method} {target}"), &[]);
            assert_eq!(response.field("cache-control"), Some(expected), "{target}");
            assert!(response.field("etag").is_some(), "{target}");
        }
    }
    let redirect = send(&site, "GET /privacy/", &[]);
    let fields = ["cache-control", "etag"].map(|name| redirect.field(name));
    assert_eq!((redirect.status.as_u16(), fields), (308, [Some(SHORT), None]));
}
