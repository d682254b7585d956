//! WIRE-10, WIRE-11, WIRE-15, WIRE-16, WIRE-17: preconditions and ranges. `promises` has the fields of a 304.

use std::sync::LazyLock;

use recipelog_site::http::Front;

use crate::support::site::{Response, SCRIPT, cases, combinations, send, site};

static SITE: LazyLock<Front> = LazyLock::new(site);

/// Dates change nothing, because no resource has one.
const DATE: &str = "Fri, 31 Dec 9999 23:59:59 GMT";
const EARLY: &str = "Thu, 01 Jan 1970 00:00:00 GMT";

/// The response to a request with fields `NAME: VALUE & NAME: VALUE`, in which ETAG stands for the script's plain
/// bytes, and BROTLI for its variant.
fn ask(method: &str, fields: &str) -> Response {
    static TAGS: LazyLock<[String; 2]> = LazyLock::new(|| {
        ["identity", "br"].map(|coding| {
            let whole = send(&SITE, "GET /app.0123abcd.js", &[("accept-encoding", coding)]);
            whole.field("etag").expect("an ETag").to_owned()
        })
    });
    let filled = fields.replace("ETAG", &TAGS[0]).replace("BROTLI", &TAGS[1]);
    let fields = filled.split(" & ").filter_map(|field| field.split_once(": "));
    send(&SITE, &format!("{method} /app.0123abcd.js"), &fields.collect::<Vec<_>>())
}

/// Status and Content-Range.
fn content_range(response: &Response) -> String {
    format!("{} {}", response.status.as_str(), response.field("content-range").unwrap_or_default())
}

/// RFC 9110 §13.2.2 and §14.2. A value that is empty stands for no field.
#[test]
fn each_combination_of_conditions_is_evaluated_in_the_order_of_rfc_9110() {
    const TAGS: [&str; 5] = ["", "*", "ETAG", "W/ETAG", "\"a\""];
    const RANGES: [&str; 3] = ["", "bytes=0-3", "bytes=9999-"];
    const IF_RANGE: [&str; 6] = ["", "*", "ETAG", "W/ETAG", "BROTLI", DATE];
    const NAMES: &str =
        "if-match if-unmodified-since if-none-match if-modified-since range if-range";
    for values in combinations([&TAGS, &["", EARLY], &TAGS, &["", DATE], &RANGES, &IF_RANGE]) {
        let [if_match, _, if_none_match, _, range, if_range] = values;
        let status = match (if_match, if_none_match, range, if_range) {
            ("W/ETAG" | "\"a\"", ..) => 412,
            (_, "*" | "ETAG" | "W/ETAG", ..) => 304,
            (.., "bytes=0-3", "" | "ETAG") => 206,
            (.., "bytes=9999-", "" | "ETAG") => 416,
            _ => 200,
        };
        let fields = NAMES.split(' ').zip(values).filter(|(_, value)| !value.is_empty());
        let fields: Vec<_> = fields.map(|(name, value)| format!("{name}: {value}")).collect();
        let fields = fields.join(" & ");
        assert_eq!(ask("GET", &fields).status, status, "{fields}");
        let of_head = if matches!(status, 206 | 416) { 200 } else { status };
        assert_eq!(ask("HEAD", &fields).status, of_head, "HEAD {fields}");
    }
}

#[test]
fn lists_of_tags_and_repeated_fields_are_read_as_rfc_9110_says() {
    for (status, request) in cases(
        r#"
        200 <- if-match: "a", ETAG | if-match: "a,b",ETAG,"c" | if-match: "a" & if-match: ETAG
        412 <- if-match:  | if-match: BROTLI
        304 <- if-none-match: "a", ETAG | if-none-match: "a, b", ETAG | if-none-match: "a"	 ,	,W/ETAG,"b"
        304 <- if-none-match: "a" & if-none-match: ETAG
        200 <- if-none-match: "a, ETAG" | if-none-match: " | if-none-match:  | if-none-match: BROTLI
        200 <- range: bytes=0-3 & if-range: ETAG & if-range: ETAG | range: bytes=0-1 & range: bytes=0-1
        200 <- range: lines=0-3 | range: bytes= | range: bytes=- | range: bytes=7-3 | range: bytes=a-b
        200 <- range: bytes=+1-2 | range: bytes=1-2-3 | range: bytes=0-1,3-4 | range: 
        "#,
    ) {
        assert_eq!(ask("GET", request).status.as_str(), status, "{request}");
    }
}

#[test]
fn a_range_gets_its_bytes_of_the_negotiated_variant_or_416_after_the_end() {
    let end = SCRIPT.len();
    for (range, first, last) in [
        ("0-0", 0, 0),
        ("5-", 5, end - 1),
        ("-4", end - 4, end - 1),
        ("-9999", 0, end - 1),
        ("0-99999999999999999999999999", 0, end - 1),
        (" 3-7 ", 3, 7),
    ] {
        let response = ask("GET", &format!("range: Bytes={range}"));
        let expected = format!("206 bytes {first}-{last}/{end}");
        assert_eq!(content_range(&response), expected, "{range}");
        assert_eq!(response.content, SCRIPT[first..=last], "{range}");
    }
    // `promises` compares bytes, length, coding and ETag.
    for coding in ["identity", "br", "gzip"] {
        let length = ask("GET", &format!("accept-encoding: {coding}")).content.len();
        for beyond in [&*format!("{length}-"), "99999999999999999999999999-", "-0"] {
            let response =
                ask("GET", &format!("accept-encoding: {coding} & range: bytes={beyond}"));
            assert_eq!(content_range(&response), format!("416 bytes */{length}"), "{beyond}");
        }
    }
    assert_eq!(ask("HEAD", "range: bytes=0-3").headers, ask("HEAD", "").headers);
}
