//! WIRE-2, WIRE-3, WIRE-4: Vary, Content-Length, HEAD, Content-Type.

use crate::fixture::{send, site};

const SCRIPT_LINE: &str = "GET /app.0123abcd.js";

#[test]
fn every_response_for_a_resource_with_variants_carries_vary_and_no_other_does() {
    let site = site();
    let etag = send(&site, SCRIPT_LINE, &[]).field("etag").expect("an ETag").to_owned();
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
        let response = send(&site, line, fields);
        assert_eq!(response.field("vary"), Some("Accept-Encoding"), "{line} {fields:?}");
    }
    for line in ["GET /privacy", "GET /icon.svg", "GET /site.webmanifest", "GET /archive.gz"] {
        let response = send(&site, line, &[("accept-encoding", "br, gzip")]);
        assert_eq!(response.field("vary"), None, "{line}");
    }
}

#[test]
fn a_404_varies_by_accept_and_accept_encoding() {
    let site = site();
    for accept in ["text/html", "image/avif"] {
        let response = send(&site, "GET /none", &[("accept", accept)]);
        assert_eq!(response.field("vary"), Some("Accept, Accept-Encoding"), "{accept}");
    }
}

#[test]
fn text_formats_carry_charset_utf_8_and_binary_formats_none() {
    let site = site();
    for (line, expected) in [
        ("GET /", "text/html; charset=utf-8"),
        ("GET /none", "text/plain; charset=utf-8"),
        ("GET /app.0123abcd.js", "text/javascript; charset=utf-8"),
        ("GET /icon.svg", "image/svg+xml; charset=utf-8"),
        ("GET /robots.txt", "text/plain; charset=utf-8"),
        ("GET /site.webmanifest", "application/manifest+json; charset=utf-8"),
        ("GET /healthz", "text/plain; charset=utf-8"),
        ("GET /sitemap.xml", "text/xml; charset=utf-8"),
        ("GET /archive.gz", "application/octet-stream"),
        ("GET /favicon.ico", "image/vnd.microsoft.icon"),
        ("GET /font.woff2", "font/woff2"),
        ("GET /icon.png", "image/png"),
    ] {
        assert_eq!(send(&site, line, &[]).field("content-type"), Some(expected), "{line}");
    }
}
