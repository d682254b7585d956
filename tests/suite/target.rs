//! WIRE-19, WIRE-20 and PAGE-1: request targets.

use crate::fixture::{send, site};

/// Targets with the status and the Location that they get.
fn assert_outcomes(cases: &[(&str, u16, Option<&str>)]) {
    let site = site();
    for (target, status, location) in cases {
        let response = send(&site, &format!("GET {target}"), &[("accept", "text/html")]);
        let outcome = (response.status.as_u16(), response.field("location"));
        assert_eq!(outcome, (*status, *location), "{target}, {} bytes", target.len());
    }
}

#[test]
fn a_target_of_more_than_8192_bytes_gets_414_and_a_location_has_at_most_1024() {
    let long = "a".repeat(8192);
    // Six bytes each, once they are encoded.
    let encoded = "ä".repeat(170);
    let kept = format!("/privacy?{}", &long[..1015]);
    assert_outcomes(&[
        (&format!("/{}", &long[..8191]), 404, None),
        (&format!("/{long}"), 414, None),
        (&format!("/?{}", &long[..8190]), 200, None),
        (&format!("/?{long}"), 414, None),
        (&format!("http://{}/", &long[..8184]), 200, None),
        (&format!("http://{}/", &long[..8185]), 414, None),
        (&format!("https://a/?{}", &long[..8181]), 200, None),
        (&format!("https://a/?{}", &long[..8182]), 414, None),
        // A fragment is not part of the target.
        (&format!("/#{long}"), 200, None),
        (&format!("/{}#a", &long[..8191]), 404, None),
        (&format!("/privacy/?{}", &long[..1015]), 308, Some(&kept)),
        (&format!("/privacy/?{}", &long[..1016]), 308, Some("/privacy")),
        (&format!("/privacy/?{encoded}"), 308, Some("/privacy")),
    ]);
}

#[test]
fn only_another_spelling_is_redirected_to_the_canonical_path_with_its_query() {
    assert_outcomes(&[
        ("/privacy/", 308, Some("/privacy")),
        ("/PRIVACY", 308, Some("/privacy")),
        ("/privacy.html", 308, Some("/privacy")),
        ("/privacy.HTML", 308, Some("/privacy")),
        ("/%70rivacy", 308, Some("/privacy")),
        ("/index.html", 308, Some("/")),
        ("/%61pp.0123abcd.js", 308, Some("/app.0123abcd.js")),
        ("/privacy/?a=b", 308, Some("/privacy?a=b")),
        // Joined by a program with a slash too many, or in a folder.
        ("//", 308, Some("/")),
        ("//privacy", 308, Some("/privacy")),
        ("///privacy//", 308, Some("/privacy")),
        ("/privacy//?a=b", 308, Some("/privacy?a=b")),
        ("/./privacy", 308, Some("/privacy")),
        ("/privacy/.", 308, Some("/privacy")),
        ("/a/../privacy", 308, Some("/privacy")),
        ("/../..//privacy", 308, Some("/privacy")),
        ("/%2e%2E/privacy", 308, Some("/privacy")),
        ("/%2fprivacy", 308, Some("/privacy")),
        ("/..", 308, Some("/")),
        ("//robots.txt/", 308, Some("/robots.txt")),
        ("http://evil.example//privacy", 308, Some("/privacy")),
        // Aliases, in each spelling that a page has.
        ("/privacy-policy", 308, Some("/privacy")),
        ("/privacy-policy?a=b", 308, Some("/privacy?a=b")),
        ("/privacy-policy/", 308, Some("/privacy")),
        ("/Privacy-Policy", 308, Some("/privacy")),
        ("/privacy-policy.html", 308, Some("/privacy")),
        ("/privacy%2Dpolicy/index.html", 308, Some("/privacy")),
        ("//privacy-policy//", 308, Some("/privacy")),
        ("/Old%c3%9f", 308, Some("/")),
        ("/oldß/", 308, Some("/")),
        // A document that is no page is a file.
        ("/google0123456789abcdef.html", 200, None),
        ("/google0123456789abcdef", 308, Some("/google0123456789abcdef.html")),
        ("/index.html?//evil.example", 308, Some("/?//evil.example")),
        ("/privacy/?ä=ö", 308, Some("/privacy?%C3%A4=%C3%B6")),
        ("/privacy/?a|b^c\\d[e]", 308, Some("/privacy?a%7Cb%5Ec%5Cd%5Be%5D")),
        ("http://evil.example/privacy/", 308, Some("/privacy")),
        // A query and the authority of an absolute-form target do not matter otherwise.
        ("/?utm_source=a", 200, None),
        ("/privacy?a=b?c=d", 200, None),
        ("/none?a=b", 404, None),
        ("http://recipelog.example/privacy", 200, None),
        ("https://other.example:8443/privacy", 200, None),
        ("http://recipelog.example", 200, None),
        ("http://recipelog.example?a=b", 200, None),
        ("http://evil.example//evil.example/", 404, None),
    ]);
}

#[test]
fn no_target_gets_a_file_outside_the_table_or_a_redirect_off_the_site() {
    for target in [
        "/../../etc/passwd",
        "/%2e%2e%2fetc%2fpasswd",
        "//evil.example",
        "//evil.example/privacy",
        "//evil.example/..//other.example",
        "/%2fevil.example",
        "/%2f%2fevil.example/%2e",
        "/%5cevil.example",
        "/\\evil.example",
        "/%00",
        "/%",
        "/%zz",
        "/%ff%fe",
        "/privacy;a=b",
        "/.html",
        "/ä",
        "/privacy/x",
        "/_redirects",
        "/%0d%0aset-cookie:a=b",
        "/.git/config",
        // A file has its exact name only.
        "/ROBOTS.txt",
        "/app.0123abcd.js.br",
        "/index.html.gz",
        "/404",
    ] {
        assert_outcomes(&[(target, 404, None)]);
    }
}
