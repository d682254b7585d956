//! WIRE-19, WIRE-20, PAGE-1: the Host field and request targets.

use http::{Request, Version};

use crate::support::site::{send, send_request, site};

/// Each list has requests, which are Host fields with `|` between them; `-` has none.
#[test]
fn http_1_1_needs_exactly_one_valid_host_and_http_1_0_may_omit_it() {
    let valid = "a.example a.example:8080 [::1]:8080 x_y.internal a.example: a.example:65535 \
                 !$&'()*+,;=-._~ [::ffff:192.0.2.1]";
    let invalid = "- a.example|a.example a.example|b.example a.example/path user@a.example \
                   a.example:port a.example:65536 a.example:+80 [::1 [::1]:65536 a%";
    for (version, status, requests) in [
        (Version::HTTP_11, 200, valid),
        (Version::HTTP_11, 200, ""),
        (Version::HTTP_11, 400, invalid),
        (Version::HTTP_10, 200, "- a.example"),
        (Version::HTTP_10, 400, "a.example|a.example"),
    ] {
        for hosts in requests.split(' ') {
            let request = Request::get("/").version(version);
            let hosts = hosts.split('|').filter(|host| *host != "-");
            let request = hosts.fold(request, |request, host| request.header("host", host));
            let request = request.body(()).expect("a request");
            assert_eq!(send_request(&site(), &request).status, status, "{request:?}");
        }
    }
}

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

/// Percent-encoding in any place, upper case, slashes and dots that a program added, and `.html`.
#[test]
fn every_spelling_of_a_page_leads_to_it_with_its_query() {
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut target = random.choice(["/", "//", "/./", "/%2f"]).expect("a beginning").to_owned();
        for letter in "privacy".chars() {
            let letter = if random.bool() { letter } else { letter.to_ascii_uppercase() };
            match random.u8(0..3) {
                0 => target += &format!("%{:02x}", u32::from(letter)),
                1 => target += &format!("%{:02X}", u32::from(letter)),
                _ => target.push(letter),
            }
        }
        target += random.choice(["", "/", ".html", ".HTML/", "//", "/."]).expect("an end");
        if target != "/privacy" {
            assert_outcomes(&[(&format!("{target}?a=%20b"), 308, Some("/privacy?a=%20b"))]);
        }
    }
}

/// Each list has targets that lead to the same path.
#[test]
fn only_another_spelling_is_redirected_to_the_canonical_path_with_its_query() {
    for (location, targets) in [
        // In a folder.
        ("/privacy", "/a/../privacy /../..//privacy /%2e%2E/privacy"),
        ("/privacy", "http://evil.example//privacy http://evil.example/privacy/"),
        // Aliases, in each spelling that a page has.
        ("/privacy", "/privacy-policy /privacy-policy/ /Privacy-Policy /privacy-policy.html"),
        ("/privacy", "/privacy%2Dpolicy/index.html //privacy-policy//"),
        ("/", "/index.html // /.. /Old%c3%9f /oldß/"),
        ("/app.0123abcd.js", "/%61pp.0123abcd.js"),
        ("/robots.txt", "//robots.txt/"),
        // A document that is no page is a file.
        ("/google0123456789abcdef.html", "/google0123456789abcdef"),
        ("/privacy?a=b", "/privacy/?a=b /privacy//?a=b /privacy-policy?a=b"),
        ("/privacy?%C3%A4=%C3%B6", "/privacy/?ä=ö"),
        ("/privacy?a%7Cb%5Ec%5Cd%5Be%5D%60", "/privacy/?a|b^c\\d[e]`"),
        ("/privacy?aZ09-._~!$&'()*+,;=:@/?/%20%zz", "/privacy/?aZ09-._~!$&'()*+,;=:@/?/%20%zz"),
        ("/cr%C3%A8me", "/crème/ /crème.html /CR%c3%a8me"),
        ("/100%25%3F%23.txt", "/%3100%25%3f%23.txt"),
        ("/?//evil.example", "/index.html?//evil.example"),
    ] {
        for target in targets.split(' ') {
            assert_outcomes(&[(target, 308, Some(location))]);
        }
    }
    // A query and the authority of an absolute-form target do not matter otherwise.
    assert_outcomes(&[
        ("/google0123456789abcdef.html", 200, None),
        ("/cr%C3%A8me", 200, None),
        ("/100%25%3F%23.txt", 200, None),
        ("/?utm_source=a", 200, None),
        ("/privacy?a=b?c=d", 200, None),
        ("/none?a=b", 404, None),
        ("http://recipes.example/privacy", 200, None),
        ("https://other.example:8443/privacy", 200, None),
        ("http://recipes.example", 200, None),
        ("http://recipes.example?a=b", 200, None),
        ("http://evil.example//evil.example/", 404, None),
        ("http://[::1]:8080/", 200, None),
        // As with HTTP/2, where a request has no other place for its host.
        ("http://user@a.example/", 400, None),
        ("http://user:secret@a.example/", 400, None),
        ("http://a.example:65536/", 400, None),
    ]);
}

#[test]
fn no_target_gets_a_file_outside_the_table_or_a_redirect_off_the_site() {
    for targets in [
        "/../../etc/passwd /%2e%2e%2fetc%2fpasswd /_redirects /.git/config /privacy/x /404",
        "//evil.example //evil.example/privacy //evil.example/..//other.example /%2fevil.example",
        "/%2f%2fevil.example/%2e /%5cevil.example /\\evil.example /%0d%0aset-cookie:a=b",
        "/%00 /% /%zz /%ff%fe /privacy;a=b /.html /ä",
        // A file has its exact name only.
        "/ROBOTS.txt /app.0123abcd.js.br /index.html.gz",
    ] {
        for target in targets.split(' ') {
            assert_outcomes(&[(target, 404, None)]);
        }
    }
}
