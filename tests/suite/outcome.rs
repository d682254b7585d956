//! PAGE-14 and WIRE-37: what unknown paths get. `respond` has methods and the health check.

use crate::fixture::{send, site};

#[test]
fn a_request_for_a_service_worker_at_an_unknown_path_gets_a_script_that_ends_it() {
    let site = site();
    let ask = |target: &str| send(&site, &format!("GET {target}"), &[("service-worker", "script")]);
    for target in ["/sw.js", "/old/sw.js?v=1", "/none"] {
        let response = ask(target);
        assert_eq!(response.status, 200, "{target}");
        assert_eq!(response.field("content-type"), Some("text/javascript; charset=utf-8"));
        assert_eq!(response.field("cache-control"), Some("no-store"));
        assert_eq!(response.field("service-worker-allowed"), Some("/"));
        assert!(String::from_utf8_lossy(&response.content).contains("unregister()"), "{target}");
        // A cache that stores it nevertheless gives it to no visitor.
        assert_eq!(response.field("vary"), Some("Accept, Accept-Encoding, Service-Worker"));
    }
    for target in ["/", "/app.0123abcd.js", "/healthz", "/privacy/"] {
        assert_eq!(ask(target), send(&site, &format!("GET {target}"), &[]), "{target}");
    }
    assert_eq!(send(&site, "GET /sw.js", &[("service-worker", "other")]).status, 404);
    assert_eq!(send(&site, "POST /sw.js", &[("service-worker", "script")]).status, 405);
}

#[test]
fn an_unknown_path_gets_the_404_page_if_accept_contains_html_and_otherwise_plain_text() {
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
        let response = send(&site, "GET /assets/gone.0123abcd.js", &fields);
        let content_type = response.field("content-type").expect("a type");
        assert_eq!(response.status, 404);
        assert_eq!(content_type.starts_with("text/html"), is_page, "{accept:?}");
        assert_eq!(response.content.starts_with(b"<!doctype html>"), is_page, "{accept:?}");
    }
}
