//! WIRE-19: the Host field.

use http::{Request, Version};

use crate::fixture::{send, send_request, site};

#[test]
fn http_1_1_needs_exactly_one_valid_host_and_http_1_0_may_omit_it() {
    const HTTP_1_0: Version = Version::HTTP_10;
    const HTTP_1_1: Version = Version::HTTP_11;
    let site = site();
    for (version, hosts, expected) in [
        (HTTP_1_1, &["recipelog.example"][..], 200),
        (HTTP_1_1, &["recipelog.example:8080"], 200),
        (HTTP_1_1, &["[::1]:8080"], 200),
        (HTTP_1_1, &["x_y.internal"], 200),
        (HTTP_1_1, &["a.example:"], 200),
        (HTTP_1_1, &["a.example:65535"], 200),
        (HTTP_1_1, &["!$&'()*+,;=-._~"], 200),
        (HTTP_1_1, &["[::ffff:192.0.2.1]"], 200),
        (HTTP_1_1, &[""], 200),
        (HTTP_1_1, &[], 400),
        (HTTP_1_1, &["a.example", "a.example"], 400),
        (HTTP_1_1, &["a.example", "b.example"], 400),
        (HTTP_1_1, &["a.example/path"], 400),
        (HTTP_1_1, &["user@a.example"], 400),
        (HTTP_1_1, &["a.example:port"], 400),
        (HTTP_1_1, &["a.example:65536"], 400),
        (HTTP_1_1, &["a.example:+80"], 400),
        (HTTP_1_1, &["[::1"], 400),
        (HTTP_1_1, &["[::1]:65536"], 400),
        (HTTP_1_1, &["a%"], 400),
        (HTTP_1_0, &[], 200),
        (HTTP_1_0, &["a.example"], 200),
        (HTTP_1_0, &["a.example", "a.example"], 400),
    ] {
        let request = Request::get("/").version(version);
        let request = hosts.iter().fold(request, |request, host| request.header("host", *host));
        let response = send_request(&site, &request.body(()).expect("a request"));
        assert_eq!(response.status.as_u16(), expected, "{version:?} Host: {hosts:?}");
    }
}

/// As with HTTP/2, where a request has no other place for it.
#[test]
fn a_target_with_user_information_is_refused() {
    for (target, expected) in [
        ("http://a.example/", 200),
        ("http://[::1]:8080/", 200),
        ("http://user@a.example/", 400),
        ("http://user:secret@a.example/", 400),
        ("http://a.example:65536/", 400),
    ] {
        assert_eq!(send(&site(), &format!("GET {target}"), &[]).status, expected, "{target}");
    }
}
