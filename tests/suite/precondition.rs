//! WIRE-10, WIRE-11, WIRE-12, WIRE-13: preconditions.

use std::time::Duration;

use recipelog_site::http::Front;
use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{LAST_MODIFIED, send, site, site_with};

const EARLIER: &str = "Fri, 20 Nov 2026 23:59:59 GMT";
const LATER: &str = "Sat, 21 Nov 2026 00:00:01 GMT";

/// The ETag of the variant of `/` in `coding`.
fn etag(site: &Front, coding: &str) -> String {
    send(site, "GET /", &[("accept-encoding", coding)]).field("etag").expect("an ETag").to_owned()
}

/// Sends GET and HEAD requests for the Brotli variant of `/` with the fields of each case. ETAG in a field
/// stands for the ETag of that variant, GZIP for the ETag of the gzip variant.
fn assert_statuses(cases: &[(&[(&str, &str)], u16)]) {
    let site = site();
    let (etag, gzip) = (etag(&site, "br"), etag(&site, "gzip"));
    for (conditions, expected) in cases {
        let fill = |value: &str| value.replace("ETAG", &etag).replace("GZIP", &gzip);
        let filled: Vec<(&str, String)> =
            conditions.iter().map(|(name, value)| (*name, fill(value))).collect();
        let mut fields: Vec<(&str, &str)> =
            filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.push(("accept-encoding", "br"));
        for method in ["GET", "HEAD"] {
            let response = send(&site, &format!("{method} /"), &fields);
            assert_eq!(response.status.as_u16(), *expected, "{method} {conditions:?}");
        }
    }
}

#[test]
fn if_match_compares_strongly_and_comes_first() {
    assert_statuses(&[
        (&[("if-match", "ETAG")], 200),
        (&[("if-match", "*")], 200),
        (&[("if-match", "\"a\", ETAG")], 200),
        (&[("if-match", "\"a,b\",ETAG,\"c\"")], 200),
        (&[("if-match", "\"a\""), ("if-match", "ETAG")], 200),
        (&[("if-match", "W/ETAG")], 412),
        (&[("if-match", "\"a\"")], 412),
        (&[("if-match", "")], 412),
        // It is evaluated before If-None-Match, and If-Unmodified-Since only without it.
        (&[("if-match", "\"a\""), ("if-none-match", "ETAG")], 412),
        (&[("if-match", "ETAG"), ("if-none-match", "ETAG")], 304),
        (&[("if-match", "ETAG"), ("if-none-match", "\"a\"")], 200),
        (&[("if-match", "ETAG"), ("if-unmodified-since", EARLIER)], 200),
        (&[("if-unmodified-since", EARLIER)], 412),
        (&[("if-unmodified-since", LAST_MODIFIED)], 200),
        (&[("if-unmodified-since", LATER)], 200),
        (&[("if-unmodified-since", LATER), ("if-none-match", "ETAG")], 304),
    ]);
}

#[test]
fn if_none_match_compares_weakly_and_accepts_lists_and_the_wildcard() {
    assert_statuses(&[
        (&[("if-none-match", "ETAG")], 304),
        (&[("if-none-match", "W/ETAG")], 304),
        (&[("if-none-match", "*")], 304),
        (&[("if-none-match", "\"a\", ETAG")], 304),
        (&[("if-none-match", "\"a\"\t ,\t,W/ETAG,\"b\"")], 304),
        (&[("if-none-match", "\"a, b\", ETAG")], 304),
        (&[("if-none-match", "\"a\""), ("if-none-match", "ETAG")], 304),
        (&[("if-none-match", "\"a\"")], 200),
        (&[("if-none-match", "\"a, ETAG\"")], 200),
        (&[("if-none-match", "\"")], 200),
        (&[("if-none-match", "")], 200),
        // The ETag of another variant.
        (&[("if-none-match", "GZIP")], 200),
        // If-Modified-Since is ignored beside it.
        (&[("if-none-match", "\"a\""), ("if-modified-since", LAST_MODIFIED)], 200),
        (&[("if-none-match", "ETAG"), ("if-modified-since", EARLIER)], 304),
    ]);
}

#[test]
fn if_modified_since_matches_only_one_exact_date_in_any_format() {
    assert_statuses(&[
        (&[("if-modified-since", LAST_MODIFIED)], 304),
        (&[("if-modified-since", "Saturday, 21-Nov-26 00:00:00 GMT")], 304),
        (&[("if-modified-since", "Sat Nov 21 00:00:00 2026")], 304),
        (&[("if-modified-since", EARLIER)], 200),
        (&[("if-modified-since", LATER)], 200),
        (&[("if-modified-since", "Sat, 21 Nov 2026")], 200),
        (&[("if-unmodified-since", "yesterday")], 200),
        (&[("if-modified-since", LAST_MODIFIED), ("if-modified-since", LAST_MODIFIED)], 200),
        (&[("if-unmodified-since", EARLIER), ("if-unmodified-since", EARLIER)], 200),
    ]);
}

#[test]
fn date_conditions_are_ignored_for_a_resource_without_a_date() {
    let site = Site::new([File::new("index.html", "undated")], &Settings::default(), None).into();
    for field in ["if-modified-since", "if-unmodified-since"] {
        let response = send(&site, "GET /", &[(field, EARLIER)]);
        assert_eq!((response.status.as_u16(), response.field("last-modified")), (200, None));
    }
}

#[test]
fn a_304_carries_only_the_fields_that_a_client_cannot_know() {
    let origin = Some("https://a.example".parse().expect("an origin"));
    let hsts = Some(Duration::from_secs(60));
    let site = site_with(&Settings { origin, hsts, ..Settings::default() });
    for line in ["GET /", "GET /app.0123abcd.js"] {
        let get = send(&site, line, &[("accept-encoding", "br")]);
        let etag = get.field("etag").expect("an ETag");
        let confirmed = send(&site, line, &[("accept-encoding", "br"), ("if-none-match", etag)]);
        assert_eq!(confirmed.status, 304);
        let mut names: Vec<&str> = confirmed.headers.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        let expected = "cache-control etag strict-transport-security vary x-content-type-options";
        assert_eq!(names.join(" "), expected);
        for name in names {
            assert_eq!(confirmed.field(name), get.field(name), "{name}");
        }
        assert!(confirmed.content.is_empty());
    }
}
