//! HTTP-21: cache lifetimes.

use crate::fixture::{send, site};

/// The value of Cache-Control for names with a content hash.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The value of Cache-Control for redirects, and for files with a fixed name.
pub const SHORT: &str = "public, max-age=3600";

#[test]
fn the_cache_lifetime_follows_from_kind_and_name() {
    let site = site();
    for (target, expected) in [
        ("/app.0123abcd.js", IMMUTABLE),
        ("/", "no-cache"),
        ("/privacy", "no-cache"),
        ("/robots.txt", SHORT),
        ("/icon.svg", SHORT),
        ("/site.webmanifest", SHORT),
        ("/healthz", "no-store"),
    ] {
        for method in ["GET", "HEAD"] {
            let response = send(&site, &format!("{method} {target}"), &[]);
            assert_eq!(response.field("cache-control"), Some(expected), "{target}");
            assert!(response.field("etag").is_some(), "{target}");
        }
    }
}

#[test]
fn a_redirect_may_be_stored_for_a_short_time() {
    let response = send(&site(), "GET /privacy/", &[]);
    assert_eq!(response.status, 308);
    assert_eq!(response.field("cache-control"), Some(SHORT));
}

#[test]
fn no_404_may_be_stored_even_if_its_name_has_a_hash() {
    let site = site();
    for target in ["/none", "/app.deadbeef.js", "/privacy/none", "/pictures/a.0123abcd.avif"] {
        for accept in ["text/html", "*/*"] {
            let response = send(&site, &format!("GET {target}"), &[("accept", accept)]);
            assert_eq!(response.status, 404);
            assert_eq!(response.field("cache-control"), Some("no-store"), "{target}");
            assert_eq!(response.field("etag"), None, "{target}");
            assert_eq!(response.field("last-modified"), None, "{target}");
        }
    }
}
