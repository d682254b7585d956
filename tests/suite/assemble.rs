//! WIRE-2: Vary.

use crate::fixture::{send, site};

const SCRIPT_LINE: &str = "GET /app.0123abcd.js";

#[test]
fn only_a_404_and_responses_with_variants_carry_vary() {
    let site = site();
    let etag = send(&site, SCRIPT_LINE, &[]).field("etag").expect("an ETag").to_owned();
    let (by_coding, by_type) =
        (Some("Accept-Encoding"), Some("Accept, Accept-Encoding, Service-Worker"));
    for (line, field, expected) in [
        (SCRIPT_LINE, ("accept", "*/*"), by_coding),
        (SCRIPT_LINE, ("accept-encoding", "identity"), by_coding),
        (SCRIPT_LINE, ("accept-encoding", "br"), by_coding),
        (SCRIPT_LINE, ("accept-encoding", "*;q=0"), by_coding),
        (SCRIPT_LINE, ("if-none-match", &etag), by_coding),
        (SCRIPT_LINE, ("if-match", "\"other\""), by_coding),
        (SCRIPT_LINE, ("range", "bytes=0-3"), by_coding),
        (SCRIPT_LINE, ("range", "bytes=999999-"), by_coding),
        ("HEAD /", ("accept", "*/*"), by_coding),
        ("GET /none", ("accept", "text/html"), by_type),
        ("GET /none", ("accept", "image/avif"), by_type),
        ("GET /privacy", ("accept-encoding", "br, gzip"), None),
        ("GET /icon.svg", ("accept-encoding", "br, gzip"), None),
        ("GET /site.webmanifest", ("accept-encoding", "br, gzip"), None),
        ("GET /archive.gz", ("accept-encoding", "br, gzip"), None),
    ] {
        let response = send(&site, line, &[field]);
        assert_eq!(response.field("vary"), expected, "{line} {field:?}");
        // A compressed file without a plain one is a resource of its own (WIRE-20).
        let is_variant = response.field("content-encoding").is_some();
        assert!(!is_variant || expected.is_some(), "{line} {field:?}");
    }
}
