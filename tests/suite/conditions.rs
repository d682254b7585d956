//! HTTP.md lines 10 to 14: preconditions.

use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{LAST_MODIFIED, ask, site};

const EARLIER: &str = "Fri, 20 Nov 2026 23:59:59 GMT";
const LATER: &str = "Sat, 21 Nov 2026 00:00:01 GMT";

/// The ETag of the variant of `/` in `coding`.
fn etag(site: &Site, coding: &str) -> String {
    ask(site, "GET /", &[("accept-encoding", coding)]).field("etag").expect("an ETag").to_owned()
}

/// Asks for `/` in Brotli, for GET and for HEAD, with each case's fields, in
/// which `ETAG` stands for that variant's entity tag.
fn assert_statuses(cases: &[(&[(&str, &str)], u16)]) {
    let site = site();
    let etag = etag(&site, "br");
    for (conditions, expected) in cases {
        let filled: Vec<(&str, String)> =
            conditions.iter().map(|(name, value)| (*name, value.replace("ETAG", &etag))).collect();
        let mut fields: Vec<(&str, &str)> =
            filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fields.push(("accept-encoding", "br"));
        for method in ["GET", "HEAD"] {
            let answer = ask(&site, &format!("{method} /"), &fields);
            assert_eq!(answer.status.as_u16(), *expected, "{method} {conditions:?}");
        }
    }
}

#[test]
fn if_match_is_strong_and_reads_lists_and_the_star() {
    assert_statuses(&[
        (&[("if-match", "ETAG")], 200),
        (&[("if-match", "*")], 200),
        (&[("if-match", "\"a\", ETAG")], 200),
        (&[("if-match", "\"a,b\",ETAG,\"c\"")], 200),
        (&[("if-match", "\"a\""), ("if-match", "ETAG")], 200),
        (&[("if-match", "W/ETAG")], 412),
        (&[("if-match", "\"a\"")], 412),
        (&[("if-match", "\"a\", \"b\"")], 412),
        (&[("if-match", "")], 412),
        (&[("if-match", "a")], 412),
    ]);
}

#[test]
fn if_match_comes_before_if_none_match() {
    assert_statuses(&[
        (&[("if-match", "\"a\""), ("if-none-match", "ETAG")], 412),
        (&[("if-match", "ETAG"), ("if-none-match", "ETAG")], 304),
        (&[("if-match", "ETAG"), ("if-none-match", "\"a\"")], 200),
    ]);
}

#[test]
fn if_unmodified_since_counts_only_without_if_match() {
    assert_statuses(&[
        (&[("if-unmodified-since", EARLIER)], 412),
        (&[("if-unmodified-since", LAST_MODIFIED)], 200),
        (&[("if-unmodified-since", LATER)], 200),
        (&[("if-unmodified-since", "yesterday")], 200),
        (&[("if-match", "ETAG"), ("if-unmodified-since", EARLIER)], 200),
        (&[("if-unmodified-since", LATER), ("if-none-match", "ETAG")], 304),
    ]);
}

#[test]
fn if_none_match_is_weak_and_reads_lists_and_the_star() {
    assert_statuses(&[
        (&[("if-none-match", "ETAG")], 304),
        (&[("if-none-match", "W/ETAG")], 304),
        (&[("if-none-match", "*")], 304),
        (&[("if-none-match", " ETAG ")], 304),
        (&[("if-none-match", "\"a\", ETAG")], 304),
        (&[("if-none-match", "\"a\"\t ,\t,W/ETAG,\"b\"")], 304),
        (&[("if-none-match", "\"a, b\", ETAG")], 304),
        (&[("if-none-match", "W/\"a\", W/ETAG")], 304),
        (&[("if-none-match", "\"a\""), ("if-none-match", "ETAG")], 304),
        (&[("if-none-match", "\"a\"")], 200),
        (&[("if-none-match", "\"a, ETAG\"")], 200),
        (&[("if-none-match", "w/ETAG")], 200),
        (&[("if-none-match", "\"")], 200),
        (&[("if-none-match", "")], 200),
    ]);
}

#[test]
fn an_etag_of_another_variant_confirms_nothing() {
    let site = site();
    let gzip = etag(&site, "gzip");
    let fields = [("accept-encoding", "br"), ("if-none-match", gzip.as_str())];
    assert_eq!(ask(&site, "GET /", &fields).status, 200);
}

#[test]
fn if_modified_since_is_ignored_beside_if_none_match() {
    assert_statuses(&[
        (&[("if-none-match", "\"a\""), ("if-modified-since", LAST_MODIFIED)], 200),
        (&[("if-none-match", "ETAG"), ("if-modified-since", EARLIER)], 304),
    ]);
}

#[test]
fn if_modified_since_counts_on_the_exact_date_alone_in_any_of_its_formats() {
    assert_statuses(&[
        (&[("if-modified-since", LAST_MODIFIED)], 304),
        (&[("if-modified-since", "Saturday, 21-Nov-26 00:00:00 GMT")], 304),
        (&[("if-modified-since", "Sat Nov 21 00:00:00 2026")], 304),
        (&[("if-modified-since", EARLIER)], 200),
        (&[("if-modified-since", LATER)], 200),
        (&[("if-modified-since", "Sat, 21 Nov 2026")], 200),
        (&[("if-modified-since", "")], 200),
        (&[("if-modified-since", "1795219200")], 200),
    ]);
}

#[test]
fn without_a_date_of_its_own_a_resource_fulfils_every_date_condition() {
    let site = Site::new([File::new("index.html", "undated")], &Settings::default(), None);
    for field in ["if-modified-since", "if-unmodified-since"] {
        let answer = ask(&site, "GET /", &[(field, EARLIER)]);
        assert_eq!((answer.status.as_u16(), answer.field("last-modified")), (200, None));
    }
}

#[test]
fn a_304_carries_what_the_200_says_of_the_representation_and_none_of_its_content() {
    let site = site();
    for coding in ["identity", "br", "gzip"] {
        let get = ask(&site, "GET /", &[("accept-encoding", coding)]);
        let etag = get.field("etag").expect("an ETag");
        let confirmed =
            ask(&site, "GET /", &[("accept-encoding", coding), ("if-none-match", etag)]);
        assert_eq!(confirmed.status, 304);
        for name in ["etag", "vary", "cache-control", "last-modified"] {
            assert_eq!(confirmed.field(name), get.field(name), "{name}");
            assert!(get.field(name).is_some(), "{name}");
        }
        for name in ["content-length", "content-type", "content-encoding", "content-range"] {
            assert_eq!(confirmed.field(name), None, "{name}");
        }
        assert!(confirmed.content.is_empty());
    }
}

#[test]
fn a_condition_never_turns_a_404_into_something_else() {
    let site = site();
    for accept in ["text/html", "*/*"] {
        for (name, value) in [
            ("if-match", "\"a\""),
            ("if-match", "*"),
            ("if-none-match", "*"),
            ("if-modified-since", LAST_MODIFIED),
            ("if-unmodified-since", EARLIER),
            ("range", "bytes=0-0"),
            ("range", "bytes=99999999-"),
        ] {
            for method in ["GET", "HEAD"] {
                let line = format!("{method} /none");
                let answer = ask(&site, &line, &[("accept", accept), (name, value)]);
                assert_eq!(answer.status, 404, "{line} {name}: {value}");
            }
        }
    }
}

#[test]
fn a_condition_never_turns_a_redirect_into_something_else() {
    let site = site();
    for (name, value) in [("if-none-match", "*"), ("if-match", "\"a\""), ("range", "bytes=0-0")] {
        assert_eq!(ask(&site, "GET /privacy/", &[(name, value)]).status, 308, "{name}");
    }
}
