//! WIRE-19: the Host field.

use http::{Request, Version};

use crate::fixture::{send_request, site};

#[test]
fn http_1_1_without_exactly_one_valid_host_is_a_bad_request() {
    let site = site();
    for (hosts, expected) in [
        (&["recipelog.example"][..], 200),
        (&["recipelog.example:8080"], 200),
        (&["[::1]:8080"], 200),
        (&["x_y.internal"], 200),
        (&["%41.example"], 200),
        (&["a.example:"], 200),
        (&["a.example:65535"], 200),
        (&["!$&'()*+,;=-._~"], 200),
        (&["[::ffff:192.0.2.1]"], 200),
        (&[""], 200),
        (&[], 400),
        (&["a.example", "a.example"], 400),
        (&["a.example", "b.example"], 400),
        (&["a.example/path"], 400),
        (&["user@a.example"], 400),
        (&["a.example:port"], 400),
        (&["a.example:65536"], 400),
        (&["a.example:+80"], 400),
        (&["[1.2.3.4]"], 400),
        (&["[::1"], 400),
        (&["[::1]:65536"], 400),
        (&["[fe80::1%eth0]"], 400),
        (&["a%"], 400),
        (&["a[b]"], 400),
    ] {
        let mut request = Request::get("/").version(Version::HTTP_11);
        for host in hosts {
            request = request.header("host", *host);
        }
        let response = send_request(&site, &request.body(()).expect("a request"));
        assert_eq!(response.status.as_u16(), expected, "Host: {hosts:?}");
    }
}

#[test]
fn http_1_0_may_omit_host_but_not_repeat_it() {
    let site = site();
    for (hosts, expected) in [(0, 200), (1, 200), (2, 400)] {
        let mut request = Request::get("/").version(Version::HTTP_10);
        for _ in 0..hosts {
            request = request.header("host", "a.example");
        }
        let response = send_request(&site, &request.body(()).expect("a request"));
        assert_eq!(response.status.as_u16(), expected, "{hosts} times Host");
    }
}
