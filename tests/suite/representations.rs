//! HTTP.md lines 1 to 4: ETag, Vary, Content-Length, Content-Type.

use std::collections::HashSet;

use recipelog_site::site::{File, Settings, Site};

use crate::fixture::{SCRIPT, ask, files, site};

const SCRIPT_LINE: &str = "GET /app.0123abcd.js";

#[test]
fn each_variant_has_a_strong_etag_of_its_own() {
    let site = site();
    let mut etags = HashSet::new();
    for coding in ["identity", "br", "gzip"] {
        let answer = ask(&site, SCRIPT_LINE, &[("accept-encoding", coding)]);
        let etag = answer.field("etag").expect("an ETag").to_owned();
        let opaque = etag.strip_prefix('"').and_then(|etag| etag.strip_suffix('"'));
        assert!(opaque.is_some_and(|opaque| opaque.len() >= 16), "{etag}");
        assert!(etags.insert(etag), "{coding} shares its ETag with another variant");
    }
}

#[test]
fn equal_bytes_have_equal_etags_on_every_replica_and_different_bytes_different_ones() {
    let etag = |content: &'static str| {
        let site = Site::new([File::new("a.txt", content)], &Settings::default(), None);
        ask(&site, "GET /a.txt", &[]).field("etag").expect("an ETag").to_owned()
    };
    assert_eq!(etag("same"), etag("same"));
    assert_ne!(etag("same"), etag("other"));
}

#[test]
fn an_etag_does_not_depend_on_the_name_or_on_the_neighbours() {
    let alone = Site::new([File::new("b.js", SCRIPT)], &Settings::default(), None);
    assert_eq!(
        ask(&alone, "GET /b.js", &[]).field("etag"),
        ask(&site(), SCRIPT_LINE, &[]).field("etag")
    );
}

#[test]
fn vary_stands_on_every_answer_of_a_resource_with_variants_and_on_no_other() {
    let site = site();
    let etag = ask(&site, SCRIPT_LINE, &[]).field("etag").expect("an ETag").to_owned();
    let with_variants: [(&str, &[(&str, &str)]); 9] = [
        ("GET /app.0123abcd.js", &[]),
        ("GET /app.0123abcd.js", &[("accept-encoding", "identity")]),
        ("GET /app.0123abcd.js", &[("accept-encoding", "br")]),
        ("GET /app.0123abcd.js", &[("accept-encoding", "*;q=0")]),
        ("GET /app.0123abcd.js", &[("if-none-match", &etag)]),
        ("GET /app.0123abcd.js", &[("if-match", "\"other\"")]),
        ("GET /app.0123abcd.js", &[("range", "bytes=0-3")]),
        ("GET /app.0123abcd.js", &[("range", "bytes=999999-")]),
        ("HEAD /", &[]),
    ];
    for (line, fields) in with_variants {
        let answer = ask(&site, line, fields);
        assert_eq!(answer.field("vary"), Some("Accept-Encoding"), "{line} {fields:?}");
    }
    for line in ["GET /privacy", "GET /icon.svg", "GET /site.webmanifest", "GET /archive.gz"] {
        let answer = ask(&site, line, &[("accept-encoding", "br, gzip")]);
        assert_eq!(answer.field("vary"), None, "{line}");
    }
}

#[test]
fn a_404_varies_by_all_that_chose_it() {
    let site = site();
    for accept in ["text/html", "image/avif"] {
        let answer = ask(&site, "GET /none", &[("accept", accept)]);
        assert_eq!(answer.field("vary"), Some("Accept, Accept-Encoding"), "{accept}");
    }
}

#[test]
fn content_length_is_the_length_of_the_variant_that_is_sent() {
    let site = site();
    for (line, accept_encoding) in [
        ("GET /", "identity"),
        ("GET /", "br"),
        ("GET /", "gzip"),
        ("GET /app.0123abcd.js", "br"),
        ("GET /robots.txt", "br, gzip"),
        ("GET /none", "gzip"),
    ] {
        let answer = ask(&site, line, &[("accept-encoding", accept_encoding)]);
        let length = answer.content.len().to_string();
        assert_eq!(answer.field("content-length"), Some(&*length), "{line} {accept_encoding}");
    }
}

#[test]
fn head_gives_the_fields_of_get_and_no_content() {
    let site = site();
    let mut paths: Vec<String> = site.iter().map(|(path, _)| path.to_owned()).collect();
    paths.extend(["/none", "/PRIVACY/", "/privacy.html"].map(str::to_owned));
    for path in paths {
        for accept_encoding in ["identity", "br", "gzip;q=0.5, br;q=0.1", "*;q=0"] {
            let fields = [("accept-encoding", accept_encoding), ("accept", "text/html")];
            let get = ask(&site, &format!("GET {path}"), &fields);
            let head = ask(&site, &format!("HEAD {path}"), &fields);
            assert_eq!((head.status, &head.headers), (get.status, &get.headers), "{path}");
            assert!(head.content.is_empty(), "{path}");
        }
    }
}

#[test]
fn text_says_that_it_is_utf_8() {
    let site = site();
    for (line, expected) in [
        ("GET /", "text/html; charset=utf-8"),
        ("GET /none", "text/plain; charset=utf-8"),
        ("GET /app.0123abcd.js", "text/javascript; charset=utf-8"),
        ("GET /icon.svg", "image/svg+xml; charset=utf-8"),
        ("GET /robots.txt", "text/plain; charset=utf-8"),
        ("GET /site.webmanifest", "application/manifest+json; charset=utf-8"),
        ("GET /healthz", "text/plain; charset=utf-8"),
        ("GET /archive.gz", "application/gzip"),
    ] {
        assert_eq!(ask(&site, line, &[]).field("content-type"), Some(expected), "{line}");
    }
}

#[test]
fn a_variant_says_how_it_is_coded_and_the_plain_bytes_do_not() {
    let site = site();
    for (accept_encoding, expected) in
        [("br", Some("br")), ("gzip", Some("gzip")), ("identity", None)]
    {
        let answer = ask(&site, SCRIPT_LINE, &[("accept-encoding", accept_encoding)]);
        assert_eq!(answer.field("content-encoding"), expected);
    }
}

#[test]
fn a_compressed_file_without_a_plain_one_is_a_resource_of_its_own() {
    let answer = ask(&site(), "GET /archive.gz", &[("accept-encoding", "gzip")]);
    assert_eq!(answer.content, "a file of its own");
    assert_eq!(answer.field("content-encoding"), None);
}

#[test]
fn every_file_of_a_site_can_be_reached_whatever_its_name() {
    let site = site();
    let mut wanted: HashSet<_> = files().into_iter().map(|file| file.content).collect();
    for (path, _) in site.iter() {
        for coding in ["identity", "br", "gzip"] {
            let answer = ask(&site, &format!("GET {path}"), &[("accept-encoding", coding)]);
            assert_eq!(answer.status, 200, "{path}");
            wanted.remove(&answer.content);
        }
    }
    let not_found = [("accept", "text/html"), ("accept-encoding", "gzip")];
    wanted.remove(&ask(&site, "GET /none", &not_found).content);
    wanted.remove(&ask(&site, "GET /none", &not_found[..1]).content);
    assert!(wanted.is_empty(), "never sent: {wanted:?}");
}
