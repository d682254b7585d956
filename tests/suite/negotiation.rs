//! WIRE-6, WIRE-7, WIRE-8, WIRE-9, WIRE-37, PAGE-14: content negotiation by Accept-Encoding, and what unknown paths
//! get.

use std::sync::LazyLock;

use recipelog_site::http::Front;

use crate::support::site::{cases, combinations, send, site};

static SITE: LazyLock<Front> = LazyLock::new(site);

/// The coding of the response to a request with these lines of Accept-Encoding, between which is `&`, or its
/// status.
fn negotiated(target: &str, lines: &str) -> String {
    let fields: Vec<_> = lines.split(" & ").map(|value| ("accept-encoding", value)).collect();
    let response = send(&SITE, &format!("GET {target}"), &fields);
    match response.status.as_u16() {
        200 => response.field("content-encoding").unwrap_or("identity").to_owned(),
        status => status.to_string(),
    }
}

/// RFC 9110 §12.5.3. A coding that the field does not name has the weight of `*`, and identity is acceptable even
/// without one.
#[test]
fn each_combination_of_weights_selects_the_best_variant_or_none() {
    const NAMES: [&str; 4] = ["identity", "gzip", "br", "*"];
    const WEIGHTS: [&str; 5] = ["not named", ";q=0", ";q=0.001", ";q=0.5", ""];
    for weights in combinations([&WEIGHTS; 4]) {
        let members = NAMES.iter().zip(weights).filter(|(_, weight)| *weight != WEIGHTS[0]);
        let field = members.map(|(name, weight)| [name, weight].concat()).collect::<Vec<_>>();
        let field = field.join(", ");
        let rank = |place: usize| {
            let named = [weights[place], weights[3]].into_iter().find(|it| *it != WEIGHTS[0]);
            let rank = named.and_then(|named| WEIGHTS.iter().position(|it| *it == named));
            rank.or((place == 0).then_some(0)).filter(|rank| *rank != 1)
        };
        for (target, count) in [("/", 3), ("/privacy", 1)] {
            // Of equal ranks, the last wins.
            let best = (0..count).filter(|place| rank(*place).is_some()).max_by_key(|it| rank(*it));
            let best = best.map_or("406", |place| NAMES[place]);
            assert_eq!(negotiated(target, &field), best, "{target} Accept-Encoding: {field}");
        }
    }
    assert_eq!(send(&SITE, "GET /", &[]).field("content-encoding"), None);
}

#[test]
fn names_are_whole_tokens_in_any_case_and_a_member_with_an_invalid_weight_is_ignored() {
    for (expected, request) in cases(
        "
        br       <- Br | gzip, deflate, br, zstd | gzip & br | gzip;q=0.5, br;q=0.501
        br       <- br;qs=0, gzip;q=0.5
        gzip     <- GZIP | x-gzip | X-GZip;q=0.5 | gzip;q=0.5 & br;q=0.1 |  & gzip
        gzip     <- gzip; q=0.8 , br; q=0.2 | gzip;Q=0.8,br;Q=0.2 | gzip;q=1.0, br;q=0.9
        gzip     <- br;q=0.0, gzip | br;q=0.000, gzip | br;q=2, gzip | br;q=1.001, gzip
        gzip     <- br;q=0.9999, gzip;q=0.5 | br;q=-1, gzip | br;q=, gzip | br;q, gzip
        gzip     <- br;q =1, gzip | br;q= 1, gzip
        identity <- gzipx | xgzip | deflate, zstd | ;;;,,,= |   | ,
        406      <- zstd, *;q=0
        ",
    ) {
        assert_eq!(negotiated("/", request), expected, "Accept-Encoding: {request}");
    }
}

#[test]
fn an_unknown_path_gets_the_404_page_if_accept_contains_html_and_otherwise_plain_text() {
    for (expected, accept) in cases(
        "
        page <- text/html | TEXT/HTML;charset=utf-8 | application/json, text/html;q=0.1
        page <- text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
        text <- text/html;q=0 | text/htmlx | image/avif,image/webp,*/*;q=0.8 | */* | 
        ",
    ) {
        let response = send(&SITE, "GET /assets/gone.0123abcd.js", &[("accept", accept)]);
        let is_page = response.content == "content of 404.html";
        assert_eq!((response.status.as_u16(), is_page), (404, expected == "page"), "{accept}");
        let content_type = response.field("content-type").expect("a type");
        assert_eq!(content_type.starts_with("text/html"), is_page, "{accept}");
    }
    let fields = [("accept", "text/html"), ("accept-encoding", "gzip")];
    assert_eq!(send(&SITE, "GET /none", &fields).content, "content of 404.html.gz");
}

#[test]
fn a_request_for_a_service_worker_at_an_unknown_path_gets_a_script_that_ends_it() {
    let ask = |line: &str| send(&SITE, line, &[("service-worker", "script")]);
    for line in ["GET /sw.js", "GET /old/sw.js?v=1", "GET /none"] {
        let response = ask(line);
        assert_eq!(response.status, 200, "{line}");
        assert_eq!(response.field("content-type"), Some("text/javascript; charset=utf-8"));
        assert_eq!(response.field("cache-control"), Some("no-store"));
        assert_eq!(response.field("service-worker-allowed"), Some("/"));
        assert!(String::from_utf8_lossy(&response.content).contains("unregister()"), "{line}");
    }
    assert_eq!(send(&SITE, "GET /sw.js", &[("service-worker", "other")]).status, 404);
}
