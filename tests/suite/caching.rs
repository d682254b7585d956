//! HTTP.md line 21: how long an answer may be kept.

use crate::fixture::{ask, site};

#[test]
fn a_name_with_a_hash_is_kept_for_ever_a_page_is_asked_for_again_a_fixed_name_kept_briefly() {
    let site = site();
    for (target, expected) in [
        ("/app.0123abcd.js", "public, max-age=31536000, immutable"),
        ("/", "no-cache"),
        ("/privacy", "no-cache"),
        ("/robots.txt", "public, max-age=3600"),
        ("/icon.svg", "public, max-age=3600"),
        ("/site.webmanifest", "public, max-age=3600"),
        ("/healthz", "no-store"),
    ] {
        for method in ["GET", "HEAD"] {
            let answer = ask(&site, &format!("{method} {target}"), &[]);
            assert_eq!(answer.field("cache-control"), Some(expected), "{target}");
            assert!(answer.field("etag").is_some(), "{target}");
        }
    }
}

#[test]
fn a_404_is_kept_by_nobody_whatever_the_name_says() {
    let site = site();
    for target in ["/none", "/app.deadbeef.js", "/privacy/none", "/pictures/a.0123abcd.avif"] {
        for accept in ["text/html", "*/*"] {
            let answer = ask(&site, &format!("GET {target}"), &[("accept", accept)]);
            assert_eq!(answer.status, 404);
            assert_eq!(answer.field("cache-control"), Some("no-store"), "{target}");
            assert_eq!(answer.field("etag"), None, "{target}");
            assert_eq!(answer.field("last-modified"), None, "{target}");
        }
    }
}

#[test]
fn a_refusal_is_kept_by_nobody() {
    let site = site();
    for (line, name, value) in [
        ("POST /app.0123abcd.js", "accept", "*/*"),
        ("GET /app.0123abcd.js", "if-match", "\"a\""),
        ("GET /app.0123abcd.js", "accept-encoding", "*;q=0"),
        ("GET /app.0123abcd.js", "range", "bytes=9999-"),
        ("GET /app.0123abcd.js", "host", "a.example"),
    ] {
        let answer = ask(&site, line, &[(name, value)]);
        assert!(answer.status.is_client_error(), "{line} {name}: {value}");
        assert_eq!(answer.field("cache-control"), Some("no-store"), "{line} {name}: {value}");
    }
}

#[test]
fn people_get_a_page_for_an_unknown_path_and_programs_a_line() {
    let site = site();
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (accept, is_page) in [
        (Some(browser), true),
        (Some("text/html"), true),
        (Some("TEXT/HTML;charset=utf-8"), true),
        (Some("application/json, text/html;q=0.1"), true),
        (Some("text/html;q=0"), false),
        (Some("text/htmlx"), false),
        (Some("image/avif,image/webp,*/*;q=0.8"), false),
        (Some("*/*"), false),
        (None, false),
    ] {
        let fields: Vec<_> = accept.map(|accept| ("accept", accept)).into_iter().collect();
        let answer = ask(&site, "GET /assets/gone.0123abcd.js", &fields);
        let content_type = answer.field("content-type").expect("a type");
        assert_eq!(answer.status, 404);
        assert_eq!(content_type.starts_with("text/html"), is_page, "{accept:?}");
        assert_eq!(answer.content.starts_with(b"<!doctype html>"), is_page, "{accept:?}");
    }
}
