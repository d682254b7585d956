//! WIRE-1: ETags.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{send, site};

const SCRIPT_LINE: &str = "GET /app.0123abcd.js";

#[test]
fn each_variant_has_a_strong_etag_of_its_own() {
    let site = site();
    let mut etags = HashSet::new();
    for coding in ["identity", "br", "gzip"] {
        let response = send(&site, SCRIPT_LINE, &[("accept-encoding", coding)]);
        let etag = response.field("etag").expect("an ETag").to_owned();
        let opaque = etag.strip_prefix('"').and_then(|etag| etag.strip_suffix('"'));
        assert!(opaque.is_some_and(|opaque| opaque.len() >= 16), "{etag}");
        assert!(etags.insert(etag), "{coding} shares its ETag with another variant");
    }
}

#[test]
fn equal_content_has_equal_etags_after_a_new_build_too_and_different_content_different_ones() {
    let etag = |content: &'static str, date| {
        let site = Site::new([File::new("a.txt", content)], &Settings::default(), Some(date));
        send(&site, "GET /a.txt", &[]).field("etag").expect("an ETag").to_owned()
    };
    let (old, new) = (SystemTime::UNIX_EPOCH, SystemTime::now());
    assert_eq!(etag("same", old), etag("same", new));
    assert_ne!(etag("same", old), etag("other", old));
}

#[test]
fn the_etag_of_equal_content_changes_with_the_header_fields() {
    let etag = |name: &str, origin: Option<&str>| {
        let is_https = origin.is_some_and(|origin| origin.starts_with("https"));
        let origin = origin.map(|origin| origin.parse().expect("an origin"));
        let hsts = is_https.then_some(Duration::from_secs(60));
        let settings = Settings { origin, hsts, ..Settings::default() };
        let site = Site::new([File::new(name, "same")], &settings, None);
        let target = format!("GET /{}", name.trim_end_matches("index.html"));
        send(&site, &target, &[]).field("etag").expect("an ETag").to_owned()
    };
    for (name, reason) in [
        ("a.txt", "Strict-Transport-Security"),
        ("index.html", "the connect-src of the Content-Security-Policy"),
    ] {
        assert_ne!(etag(name, None), etag(name, Some("https://a.example")), "{reason}");
    }
    assert_ne!(etag("a.txt", None), etag("a.xml", None), "Content-Type");
    assert_eq!(etag("a.txt", None), etag("a.txt", Some("http://a.example")));
}
