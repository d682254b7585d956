//! HTTP-1: ETags.

use std::collections::HashSet;

use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{SCRIPT, send, site};

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
fn equal_content_has_equal_etags_and_different_content_different_ones() {
    let etag = |content: &'static str| {
        let site = Site::new([File::new("a.txt", content)], &Settings::default(), None);
        send(&site, "GET /a.txt", &[]).field("etag").expect("an ETag").to_owned()
    };
    assert_eq!(etag("same"), etag("same"));
    assert_ne!(etag("same"), etag("other"));
}

#[test]
fn an_etag_does_not_depend_on_the_name_or_on_other_files() {
    let alone = Site::new([File::new("b.js", SCRIPT)], &Settings::default(), None);
    assert_eq!(
        send(&alone, "GET /b.js", &[]).field("etag"),
        send(&site(), SCRIPT_LINE, &[]).field("etag")
    );
}
