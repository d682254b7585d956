//! WIRE-15, WIRE-16, WIRE-17: Range and If-Range.

use crate::fixture::{SCRIPT, send, site};

const LINE: &str = "GET /app.0123abcd.js";

/// Status, Content-Range and content of the response to a request with `range`.
fn partial(range: &str) -> (u16, Option<String>, Vec<u8>) {
    let response = send(&site(), LINE, &[("range", range)]);
    let content_range = response.field("content-range").map(str::to_owned);
    (response.status.as_u16(), content_range, response.content.into())
}

#[test]
fn a_single_range_gets_its_bytes_and_one_after_the_end_is_not_satisfiable() {
    let end = SCRIPT.len();
    for (range, first, last) in [
        ("bytes=0-0", 0, 0),
        ("bytes=5-", 5, end - 1),
        ("bytes=-4", end - 4, end - 1),
        ("bytes=-9999", 0, end - 1),
        ("bytes=0-99999999", 0, end - 1),
        ("bytes=0-99999999999999999999999999", 0, end - 1),
        ("bytes= 3-7 ", 3, 7),
        ("Bytes=3-7", 3, 7),
    ] {
        let content_range = Some(format!("bytes {first}-{last}/{end}"));
        let content = SCRIPT.as_bytes()[first..=last].to_vec();
        assert_eq!(partial(range), (206, content_range, content), "{range}");
    }
    let beyond =
        format!("bytes={end}- bytes={end}-{end} bytes=99999999999999999999999999- bytes=-0");
    for range in beyond.split(' ') {
        let (status, content_range, _) = partial(range);
        assert_eq!((status, content_range), (416, Some(format!("bytes */{end}"))), "{range}");
    }
}

#[test]
fn a_range_that_is_malformed_or_not_single_or_comes_with_head_is_ignored() {
    let ignored =
        "lines=0-3 bytes= bytes=- bytes=7-3 bytes=a-b bytes=+1-2 bytes=1-2-3 bytes=0-1,3-4 ";
    for range in ignored.split(' ') {
        assert_eq!(partial(range), (200, None, SCRIPT.into()), "{range}");
    }
    let site = site();
    let twice = send(&site, LINE, &[("range", "bytes=0-1"), ("range", "bytes=0-1")]);
    assert_eq!(twice.status, 200);
    let head = send(&site, "HEAD /app.0123abcd.js", &[("range", "bytes=0-3")]);
    let whole = send(&site, "HEAD /app.0123abcd.js", &[]);
    assert_eq!((head.status.as_u16(), head.headers), (200, whole.headers));
}

#[test]
fn offsets_length_and_etag_belong_to_the_negotiated_variant() {
    let site = site();
    for coding in ["identity", "br", "gzip"] {
        let whole = send(&site, LINE, &[("accept-encoding", coding)]);
        let part = send(&site, LINE, &[("accept-encoding", coding), ("range", "bytes=2-")]);
        let length = whole.content.len();
        assert_eq!(part.content, whole.content.slice(2..), "{coding}");
        let content_range = format!("bytes 2-{}/{length}", length - 1);
        assert_eq!(part.field("content-range"), Some(&*content_range), "{coding}");
        assert_eq!(part.field("content-length"), Some(&*(length - 2).to_string()), "{coding}");
        for name in ["etag", "content-encoding", "content-type", "vary", "cache-control"] {
            assert_eq!(part.field(name), whole.field(name), "{coding} {name}");
        }
        let beyond = send(&site, LINE, &[("accept-encoding", coding), ("range", "bytes=1000-")]);
        assert_eq!(beyond.field("content-range"), Some(&*format!("bytes */{length}")));
    }
}

#[test]
fn if_range_has_to_be_the_strong_etag_and_preconditions_come_first() {
    let site = site();
    let etag = |coding| {
        let whole = send(&site, LINE, &[("accept-encoding", coding)]);
        whole.field("etag").expect("an ETag").to_owned()
    };
    let (etag, brotli) = (&etag("identity"), &etag("br"));
    let weak = &format!("W/{etag}");
    let part = ("range", "bytes=0-3");
    for (fields, expected) in [
        (&[part, ("if-range", etag)][..], 206),
        (&[part, ("if-range", weak)], 200),
        (&[part, ("if-range", brotli)], 200),
        (&[part, ("if-range", "\"a\"")], 200),
        (&[part, ("if-range", "*")], 200),
        (&[part, ("if-range", "Fri, 31 Dec 9999 23:59:59 GMT")], 200),
        (&[part, ("if-range", etag), ("if-range", etag)], 200),
        (&[part, ("if-range", etag), ("if-range", "\"a\"")], 200),
        (&[("range", "bytes=1000-"), ("if-range", "\"a\"")], 200),
        (&[("range", "bytes=1000-"), ("if-range", etag)], 416),
        (&[("if-range", etag)], 200),
        (&[("if-range", "\"a\"")], 200),
        (&[part, ("if-none-match", etag)], 304),
        (&[part, ("if-match", "\"a\"")], 412),
        (&[part, ("if-match", "*")], 206),
    ] {
        assert_eq!(send(&site, LINE, fields).status.as_u16(), expected, "{fields:?}");
    }
}
