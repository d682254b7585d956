//! WIRE-19: the Host field.

use http::{Request, Version};

use crate::fixture::{send_request, site};

/// A list has the Host fields of one request.
#[test]
fn http_1_1_needs_exactly_one_valid_host_and_http_1_0_may_omit_it() {
    let (old, new) = (Version::HTTP_10, Version::HTTP_11);
    let valid = "recipes.example recipes.example:8080 [::1]:8080 x_y.internal a.example: \
                 a.example:65535 !$&'()*+,;=-._~ [::ffff:192.0.2.1]";
    let invalid = "a.example/path user@a.example a.example:port a.example:65536 a.example:+80 \
                   [::1 [::1]:65536 a%";
    let one = |host, expected| (new, vec![host], expected);
    let mut cases = vec![
        one("", 200),
        (new, vec![], 400),
        (new, vec!["a.example", "a.example"], 400),
        (new, vec!["a.example", "b.example"], 400),
        (old, vec![], 200),
        (old, vec!["a.example"], 200),
        (old, vec!["a.example", "a.example"], 400),
    ];
    cases.extend(valid.split(' ').map(|host| one(host, 200)));
    cases.extend(invalid.split(' ').map(|host| one(host, 400)));
    for (version, hosts, expected) in cases {
        let request = Request::get("/").version(version);
        let request = hosts.iter().fold(request, |request, host| request.header("host", *host));
        let response = send_request(&site(), &request.body(()).expect("a request"));
        assert_eq!(response.status, expected, "{version:?} Host: {hosts:?}");
    }
}
