//! HTTP.md lines 18 to 20: methods, Host, and targets of every kind.

use http::{Request, Version};

use crate::fixture::{answer, ask, request, site};

const ALLOW: Option<&str> = Some("GET, HEAD, OPTIONS");

#[test]
fn any_other_method_is_refused_with_what_is_allowed() {
    let site = site();
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "QUERY", "PROPFIND", "get", "M-X"] {
        for path in ["/", "/none", "/app.0123abcd.js", "/privacy/"] {
            let answer = ask(&site, &format!("{method} {path}"), &[]);
            assert_eq!((answer.status.as_u16(), answer.field("allow")), (405, ALLOW), "{method}");
        }
    }
    let connect = ask(&site, "CONNECT recipelog.example:443", &[]);
    assert_eq!((connect.status.as_u16(), connect.field("allow")), (405, ALLOW));
}

#[test]
fn options_says_what_is_allowed_and_nothing_else() {
    let site = site();
    for target in ["*", "/", "/none", "/app.0123abcd.js"] {
        let answer = ask(&site, &format!("OPTIONS {target}"), &[]);
        assert_eq!((answer.status.as_u16(), answer.field("allow")), (204, ALLOW), "{target}");
        assert!(answer.content.is_empty());
        // RFC 9110 §8.6: a 204 has no Content-Length.
        assert_eq!(answer.field("content-length"), None);
    }
}

#[test]
fn http_1_1_without_exactly_one_valid_host_is_a_bad_request() {
    let site = site();
    for (hosts, expected) in [
        (&["recipelog.example"][..], 200),
        (&["recipelog.example:8080"], 200),
        (&["127.0.0.1:8080"], 200),
        (&["[::1]:8080"], 200),
        (&["localhost"], 200),
        (&["x_y.internal"], 200),
        (&["%41.example"], 200),
        (&[""], 200),
        (&[], 400),
        (&["a.example", "a.example"], 400),
        (&["a.example", "b.example"], 400),
        (&["a.example b.example"], 400),
        (&["a.example, b.example"], 400),
        (&["a.example/path"], 400),
        (&["http://a.example"], 400),
        (&["user@a.example"], 400),
        (&["a.example?"], 400),
        (&["a.example:port"], 400),
        (&["a.example:80:80"], 400),
        (&["a\"b"], 400),
        (&["<script>"], 400),
    ] {
        let mut request = Request::get("/").version(Version::HTTP_11);
        for host in hosts {
            request = request.header("host", *host);
        }
        let answer = answer(&site, &request.body(()).expect("a request"));
        assert_eq!(answer.status.as_u16(), expected, "Host: {hosts:?}");
    }
}

#[test]
fn http_1_0_may_go_without_a_host_but_not_with_two() {
    let site = site();
    for (hosts, expected) in [(0, 200), (1, 200), (2, 400)] {
        let mut request = Request::get("/").version(Version::HTTP_10);
        for _ in 0..hosts {
            request = request.header("host", "a.example");
        }
        let answer = answer(&site, &request.body(()).expect("a request"));
        assert_eq!(answer.status.as_u16(), expected, "{hosts} times Host");
    }
}

#[test]
fn a_target_that_is_too_long_is_refused_wherever_its_length_comes_from() {
    let site = site();
    let long = "a".repeat(8192);
    for (target, expected) in [
        (format!("/{}", &long[..8191]), 404),
        (format!("/{long}"), 414),
        (format!("/?{}", &long[..8190]), 200),
        (format!("/?{long}"), 414),
        (format!("http://{}/", &long[..8000]), 200),
        (format!("http://{long}/"), 414),
    ] {
        let answer = ask(&site, &format!("GET {target}"), &[]);
        assert_eq!(answer.status.as_u16(), expected, "{} bytes", target.len());
    }
}

#[test]
fn a_query_is_kept_by_redirects_and_otherwise_ignored() {
    let site = site();
    for (target, status, location) in [
        ("/?utm_source=a", 200, None),
        ("/privacy?", 200, None),
        ("/privacy?a=b?c=d", 200, None),
        ("/app.0123abcd.js?v=1", 200, None),
        ("/privacy/?a=b", 308, Some("/privacy?a=b")),
        ("/index.html?//evil.example", 308, Some("/?//evil.example")),
        ("/privacy/?ä=ö", 308, Some("/privacy?%C3%A4=%C3%B6")),
        ("/none?a=b", 404, None),
    ] {
        let answer = ask(&site, &format!("GET {target}"), &[]);
        assert_eq!(answer.status.as_u16(), status, "{target}");
        assert_eq!(answer.field("location"), location, "{target}");
    }
}

#[test]
fn another_spelling_of_a_page_is_sent_to_its_one_address() {
    let site = site();
    for (target, location) in [
        ("/privacy/", "/privacy"),
        ("/PRIVACY", "/privacy"),
        ("/Privacy/", "/privacy"),
        ("/privacy.html", "/privacy"),
        ("/privacy.HTML", "/privacy"),
        ("/%70rivacy", "/privacy"),
        ("/%70%72ivacy%2F", "/privacy"),
        ("/index.html", "/"),
        ("/index", "/"),
        ("/%2E%2F", "/"),
        ("/%61pp.0123abcd.js", "/app.0123abcd.js"),
        ("/icon%2Esvg", "/icon.svg"),
    ] {
        let expected = if target == "/%2E%2F" { None } else { Some(location) };
        let answer = ask(&site, &format!("GET {target}"), &[]);
        assert_eq!(answer.field("location"), expected, "{target}");
        assert_eq!(answer.status.as_u16(), if expected.is_some() { 308 } else { 404 }, "{target}");
    }
}

#[test]
fn a_redirect_leads_to_a_page_that_answers_at_once() {
    let site = site();
    for path in ["/privacy/", "/INDEX.html", "/menu%20card.txt", "/menu%20car%64.txt"] {
        let mut target = path.to_owned();
        let mut redirects = 0;
        loop {
            let answer = ask(&site, &format!("GET {target}"), &[]);
            let Some(location) = answer.field("location") else {
                assert_eq!(answer.status, 200, "{path} → {target}");
                break;
            };
            redirects += 1;
            assert!(redirects <= 1, "{path} → {target} → {location}");
            target = location.to_owned();
        }
    }
}

#[test]
fn files_have_one_spelling() {
    let site = site();
    for target in ["/ROBOTS.txt", "/robots.txt/", "/app.0123abcd.js.br", "/index.html.gz", "/404"] {
        assert_eq!(ask(&site, &format!("GET {target}"), &[]).status, 404, "{target}");
    }
}

#[test]
fn no_target_leaves_the_table_or_redirects_off_the_site() {
    let site = site();
    for target in [
        "/..",
        "/../",
        "/../../etc/passwd",
        "/%2e%2e/",
        "/%2e%2e%2fetc%2fpasswd",
        "/./privacy",
        "/a/../privacy",
        "//",
        "//evil.example",
        "//evil.example/privacy",
        "///privacy",
        "//privacy",
        "/%2fevil.example",
        "/%5cevil.example",
        "/\\evil.example",
        "/%00",
        "/privacy%00",
        "/privacy%00.html",
        "/%",
        "/%p",
        "/%zz",
        "/privacy%",
        "/privacy%2",
        "/%ff%fe",
        "/%c0%ae%c0%ae/",
        "/%ed%a0%80",
        "/privacy;a=b",
        "/privacy.html.html",
        "/.html",
        "/.",
        "/ä",
        "/%252e%252e",
        "/privacy//",
        "/%0d%0aset-cookie:a=b",
        "/.git/config",
    ] {
        let answer = ask(&site, &format!("GET {target}"), &[("accept", "text/html")]);
        assert_eq!(answer.status, 404, "{target}");
        assert_eq!(answer.field("location"), None, "{target}");
    }
}

#[test]
fn absolute_form_means_its_path_whatever_its_authority() {
    let site = site();
    for (target, status, location) in [
        ("http://recipelog.example/privacy", 200, None),
        ("https://other.example:8443/privacy", 200, None),
        ("http://recipelog.example", 200, None),
        ("http://recipelog.example?a=b", 200, None),
        ("http://evil.example//evil.example/", 404, None),
        ("http://evil.example/privacy/", 308, Some("/privacy")),
    ] {
        let answer = ask(&site, &format!("GET {target}"), &[]);
        assert_eq!(answer.status.as_u16(), status, "{target}");
        assert_eq!(answer.field("location"), location, "{target}");
    }
}

/// RFC 9112 §3.2: these two forms belong to CONNECT and to OPTIONS.
#[test]
fn a_target_without_a_path_is_a_bad_request() {
    let site = site();
    for line in ["GET *", "HEAD *", "GET recipelog.example:80", "GET recipelog.example"] {
        assert_eq!(ask(&site, line, &[]).status, 400, "{line}");
    }
}

#[test]
fn an_answer_to_an_unusable_request_is_still_an_answer() {
    let site = site();
    let mut without_host = request("GET /", &[]);
    without_host.headers_mut().clear();
    let refused = answer(&site, &without_host);
    assert_eq!(refused.field("cache-control"), Some("no-store"));
    assert_eq!(refused.field("content-type"), Some("text/plain; charset=utf-8"));
    assert!(!refused.content.is_empty());
}
