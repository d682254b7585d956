//! WIRE-10, WIRE-11, WIRE-13: preconditions.

use std::time::Duration;

use recipelog_site::http::Front;
use recipelog_site::site::Settings;

use crate::fixture::{send, site, site_with};

const EARLY: &str = "Thu, 01 Jan 1970 00:00:00 GMT";
const LATE: &str = "Fri, 31 Dec 9999 23:59:59 GMT";

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
        // It is evaluated before If-None-Match.
        (&[("if-match", "\"a\""), ("if-none-match", "ETAG")], 412),
        (&[("if-match", "ETAG"), ("if-none-match", "ETAG")], 304),
        (&[("if-match", "ETAG"), ("if-none-match", "\"a\"")], 200),
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
    ]);
}

#[test]
fn dates_are_ignored_because_no_resource_has_one() {
    assert_eq!(send(&site(), "GET /", &[]).field("last-modified"), None);
    assert_statuses(&[
        (&[("if-modified-since", LATE)], 200),
        (&[("if-unmodified-since", EARLY)], 200),
        (&[("if-none-match", "ETAG"), ("if-modified-since", EARLY)], 304),
        (&[("if-match", "\"a\""), ("if-unmodified-since", LATE)], 412),
    ]);
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
