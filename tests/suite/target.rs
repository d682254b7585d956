//! WIRE-19, WIRE-20 and PAGE-1: request targets.

use crate::fixture::{send, site};

#[test]
fn a_target_of_more_than_8192_bytes_gets_414() {
    let site = site();
    let long = "a".repeat(8192);
    for (target, expected) in [
        (format!("/{}", &long[..8191]), 404),
        (format!("/{long}"), 414),
        (format!("/?{}", &long[..8190]), 200),
        (format!("/?{long}"), 414),
        (format!("http://{}/", &long[..8184]), 200),
        (format!("http://{}/", &long[..8185]), 414),
        (format!("https://a/?{}", &long[..8181]), 200),
        (format!("https://a/?{}", &long[..8182]), 414),
        // A fragment is not part of the target.
        (format!("/#{long}"), 200),
        (format!("/{}#a", &long[..8191]), 404),
    ] {
        let response = send(&site, &format!("GET {target}"), &[]);
        assert_eq!(response.status.as_u16(), expected, "{} bytes", target.len());
    }
}

#[test]
fn a_query_is_kept_by_redirects_and_otherwise_ignored() {
    let site = site();
    for (target, status, location) in [
        ("/?utm_source=a", 200, None),
        ("/privacy?a=b?c=d", 200, None),
        ("/privacy/?a=b", 308, Some("/privacy?a=b")),
        ("/index.html?//evil.example", 308, Some("/?//evil.example")),
        ("/privacy/?ä=ö", 308, Some("/privacy?%C3%A4=%C3%B6")),
        ("/privacy/?a|b^c\\d[e]", 308, Some("/privacy?a%7Cb%5Ec%5Cd%5Be%5D")),
        ("/none?a=b", 404, None),
    ] {
        let response = send(&site, &format!("GET {target}"), &[]);
        assert_eq!(response.status.as_u16(), status, "{target}");
        assert_eq!(response.field("location"), location, "{target}");
    }
}

#[test]
fn a_redirect_leaves_out_a_query_of_more_than_512_bytes() {
    let site = site();
    for (query, is_kept) in [("a".repeat(512), true), ("a".repeat(513), false)] {
        let response = send(&site, &format!("GET /privacy/?{query}"), &[]);
        let kept = format!("/privacy?{query}");
        let location = if is_kept { &kept } else { "/privacy" };
        assert_eq!(response.field("location"), Some(location), "{} bytes", query.len());
    }
    // Six bytes each, once they are encoded.
    let response = send(&site, &format!("GET /privacy/?{}", "ä".repeat(86)), &[]);
    assert_eq!(response.field("location"), Some("/privacy"));
}

#[test]
fn another_spelling_is_redirected_to_the_canonical_path() {
    let site = site();
    for (target, location) in [
        ("/privacy/", "/privacy"),
        ("/PRIVACY", "/privacy"),
        ("/privacy.html", "/privacy"),
        ("/privacy.HTML", "/privacy"),
        ("/%70rivacy", "/privacy"),
        ("/index.html", "/"),
        ("/%61pp.0123abcd.js", "/app.0123abcd.js"),
    ] {
        let response = send(&site, &format!("GET {target}"), &[]);
        assert_eq!(response.field("location"), Some(location), "{target}");
        assert_eq!(response.status, 308, "{target}");
    }
}

#[test]
fn a_file_is_served_under_its_exact_name_only() {
    let site = site();
    for target in ["/ROBOTS.txt", "/robots.txt/", "/app.0123abcd.js.br", "/index.html.gz", "/404"] {
        assert_eq!(send(&site, &format!("GET {target}"), &[]).status, 404, "{target}");
    }
}

#[test]
fn no_target_gets_a_file_outside_the_table_or_a_redirect_off_the_site() {
    let site = site();
    for target in [
        "/../../etc/passwd",
        "/%2e%2e%2fetc%2fpasswd",
        "/./privacy",
        "/a/../privacy",
        "//",
        "//evil.example",
        "//privacy",
        "/%2fevil.example",
        "/%5cevil.example",
        "/\\evil.example",
        "/%00",
        "/%",
        "/%zz",
        "/%ff%fe",
        "/privacy;a=b",
        "/.html",
        "/ä",
        "/privacy//",
        "/%0d%0aset-cookie:a=b",
        "/.git/config",
    ] {
        let response = send(&site, &format!("GET {target}"), &[("accept", "text/html")]);
        assert_eq!(response.status, 404, "{target}");
        assert_eq!(response.field("location"), None, "{target}");
    }
}

#[test]
fn the_authority_of_an_absolute_form_target_is_ignored() {
    let site = site();
    for (target, status, location) in [
        ("http://recipelog.example/privacy", 200, None),
        ("https://other.example:8443/privacy", 200, None),
        ("http://recipelog.example", 200, None),
        ("http://recipelog.example?a=b", 200, None),
        ("http://evil.example//evil.example/", 404, None),
        ("http://evil.example/privacy/", 308, Some("/privacy")),
    ] {
        let response = send(&site, &format!("GET {target}"), &[]);
        assert_eq!(response.status.as_u16(), status, "{target}");
        assert_eq!(response.field("location"), location, "{target}");
    }
}
