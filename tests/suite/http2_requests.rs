//! HTTP-19 and RFC 9113 §8: heads and content of requests. The sections are those of
//! the RFC.

use std::sync::Arc;

use recipelog_site::server::{Limits, Peer, serve_http2_connection};

use crate::duplex::Duplex;
use crate::fixture::site;
use crate::http2_client::Event::{Reset, Response};
use crate::http2_client::{
    CONTINUATION, END_HEADERS, END_STREAM, HEADERS, WHOLE, fields, frame, get, post, request,
};
use crate::http2_conversation::{Case, PROTOCOL_ERROR, REFUSED_STREAM, assert_cases, bare, head};

fn block() -> Vec<u8> {
    fields(&request("GET", "/"))
}

#[tokio::test(start_paused = true)]
async fn malformed_requests_are_protocol_errors() {
    let malformed = &[Reset(1, PROTOCOL_ERROR), Response(3, 200)][..];
    let accepted = &[Response(1, 200), Response(3, 200)][..];
    let all = request("GET", "/");
    let without = |name: &str| {
        bare(&all.iter().filter(|(other, _)| *other != name).copied().collect::<Vec<_>>())
    };
    let cases: Vec<Case<'_>> = vec![
        ("8.2.1 upper case", head(&[("X-Test", "ok")]), malformed),
        ("8.2.1 space in a name", head(&[("x y", "ok")]), malformed),
        ("8.2.1 line break in a value", head(&[("x", "a\r\nb: c")]), malformed),
        ("8.2.1 white space around a value", head(&[("x", " \ta\t ")]), malformed),
        ("8.2.2 Connection", head(&[("connection", "keep-alive")]), malformed),
        ("8.2.2 Keep-Alive", head(&[("keep-alive", "1")]), malformed),
        ("8.2.2 Transfer-Encoding", head(&[("transfer-encoding", "chunked")]), malformed),
        ("8.2.2 Upgrade", head(&[("upgrade", "h2c")]), malformed),
        ("8.2.2 TE: gzip", head(&[("te", "gzip")]), malformed),
        ("8.2.2 TE: trailers", head(&[("te", "trailers")]), accepted),
        ("8.2.2 Proxy-Connection", head(&[("proxy-connection", "close")]), malformed),
        ("8.2.1 NUL in a value", head(&[("x", "a\0")]), malformed),
        ("8.2.1 empty name", head(&[("", "a")]), malformed),
        ("8.2.1 empty value", head(&[("x", "")]), accepted),
        ("8.1.1 length with a sign", head(&[("content-length", "+0")]), malformed),
        ("8.1.1 length that is not a number", head(&[("content-length", "a")]), malformed),
        ("8.1.1 two lengths", head(&[("content-length", "0"), ("content-length", "0")]), malformed),
        ("8.1.1 length of 0", head(&[("content-length", "0")]), accepted),
        ("8.3 unknown pseudo-header field", head(&[(":test", "ok")]), malformed),
        ("8.3 that of a response", head(&[(":status", "200")]), malformed),
        ("8.3 after another field", bare(&[&[("x", "y")], &all[..]].concat()), malformed),
        ("8.3.1 no method", without(":method"), malformed),
        ("8.3.1 no scheme", without(":scheme"), malformed),
        ("8.3.1 no path", without(":path"), malformed),
        ("8.3.1 empty path", frame(HEADERS, WHOLE, 1, &fields(&request("GET", ""))), malformed),
        (
            "8.3.1 path without a slash",
            frame(HEADERS, WHOLE, 1, &fields(&request("GET", "a"))),
            malformed,
        ),
        (
            "8.3.1 path that begins with a question mark",
            frame(HEADERS, WHOLE, 1, &fields(&request("GET", "?a"))),
            malformed,
        ),
        ("8.3.1 two methods", bare(&[&[(":method", "GET")], &all[..]].concat()), malformed),
        ("8.3.1 two schemes", bare(&[&[(":scheme", "https")], &all[..]].concat()), malformed),
        ("8.3.1 two authorities", bare(&[&[(":authority", "a")], &all[..]].concat()), malformed),
        ("8.3.1 two paths", bare(&[&[(":path", "/")], &all[..]].concat()), malformed),
        (
            "8.3.1 asterisk",
            frame(HEADERS, WHOLE, 1, &fields(&request("OPTIONS", "*"))),
            &[Response(1, 204), Response(3, 200)],
        ),
        (
            "8.5 CONNECT",
            bare(&[(":method", "CONNECT"), (":authority", "a:443")]),
            &[Response(1, 405), Response(3, 200)],
        ),
        ("8.5 CONNECT without an authority", bare(&[(":method", "CONNECT")]), malformed),
        (
            "8.5 CONNECT with a path",
            bare(&[(":method", "CONNECT"), (":authority", "a:443"), (":path", "/")]),
            malformed,
        ),
        (
            "RFC 8441 4 extended CONNECT",
            bare(&[
                (":method", "CONNECT"),
                (":protocol", "websocket"),
                (":scheme", "https"),
                (":path", "/"),
                (":authority", "a"),
            ]),
            malformed,
        ),
    ];
    // After an error of its stream alone, the connection answers another request.
    let cases = cases
        .into_iter()
        .map(|(name, sent, expected)| (name, [sent, get(3, "/privacy")].concat(), expected));
    assert_cases(cases.collect()).await;
}

#[tokio::test(start_paused = true)]
async fn host_rules_apply_to_the_authority() {
    let with = |authority: &'static [(&'static str, &'static str)]| {
        bare(&[&[(":method", "GET"), (":scheme", "https"), (":path", "/")], authority].concat())
    };
    let malformed = &[Reset(1, PROTOCOL_ERROR)][..];
    assert_cases(vec![
        ("authority", with(&[(":authority", "a.example")]), &[Response(1, 200)]),
        ("authority with a port", with(&[(":authority", "[::1]:8443")]), &[Response(1, 200)]),
        ("Host alone", with(&[("host", "a.example")]), &[Response(1, 200)]),
        (
            "both, equal",
            with(&[(":authority", "a.example"), ("host", "A.example")]),
            &[Response(1, 200)],
        ),
        ("neither", with(&[]), &[Response(1, 400)]),
        ("two hosts", with(&[("host", "a"), ("host", "a")]), &[Response(1, 400)]),
        (
            "authority and two hosts",
            with(&[(":authority", "a"), ("host", "a"), ("host", "a")]),
            &[Response(1, 400)],
        ),
        ("both, different", with(&[(":authority", "a"), ("host", "b")]), &[Response(1, 400)]),
        ("empty authority", with(&[(":authority", "")]), malformed),
        ("space in an authority", with(&[(":authority", "a b")]), malformed),
        ("slash in an authority", with(&[(":authority", "a/b")]), malformed),
        ("percent sign in an authority", with(&[(":authority", "a%20")]), malformed),
        ("open bracket in an authority", with(&[(":authority", "[::1")]), malformed),
        ("two ports", with(&[(":authority", "a:1:2")]), malformed),
        ("port that is not a number", with(&[(":authority", "a:b")]), &[Response(1, 400)]),
        ("user information", with(&[(":authority", "user@a")]), &[Response(1, 400)]),
        ("invalid Host", with(&[("host", "a/b")]), &[Response(1, 400)]),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn http_2_requests_above_the_size_limits_get_414_or_431() {
    let many = |count: usize| head(&vec![("x", "y"); count]);
    let target = |length: usize| get(1, &format!("/{}", "a".repeat(length - 1)));
    let long = "a".repeat(16 * 1024);
    assert_cases(vec![
        ("100 fields", many(100), &[Response(1, 200)]),
        ("101 fields", many(101), &[Response(1, 431)]),
        // Scheme and authority count, as they do in an absolute-form target.
        ("target of 8192 bytes", target(8192 - "https://a.example".len()), &[Response(1, 404)]),
        ("longer target", target(8193 - "https://a.example".len()), &[Response(1, 414)]),
        (
            "head above 16 KiB",
            [
                frame(HEADERS, END_STREAM, 1, &block()),
                frame(CONTINUATION, END_HEADERS, 1, &fields(&[("x", &long[..16_300])])),
            ]
            .concat(),
            &[Response(1, 431)],
        ),
    ])
    .await;
}

/// With the fields of HTTP-21 and HTTP-23, whatever the size of the head.
#[tokio::test(start_paused = true)]
async fn a_head_above_16_kib_gets_a_response_of_the_site() {
    let (stream, server) = tokio::io::duplex(64 * 1024);
    let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
    let site = Arc::new(site());
    tokio::spawn(serve_http2_connection(Duplex(server), peer, site, Limits::DEFAULT));
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    // Method, scheme, authority, path and the field.
    let rest = (7 + 3) + (7 + 5) + (10 + 9) + (5 + 1) + 1 + 5 * 32;
    for (size, status) in [(16 * 1024, 200), (16 * 1024 + 1, 431), (31 * 1024, 431)] {
        let request = http::Request::get("https://a.example/");
        let request = request.header("x", "a".repeat(size - rest)).body(()).unwrap();
        let (response, _) = client.send_request(request, true).unwrap();
        let response = response.await.unwrap();
        assert_eq!(response.status(), status, "{size}");
        for name in ["date", "x-content-type-options", "cross-origin-resource-policy"] {
            assert!(response.headers().contains_key(name), "{size}: {response:?}");
        }
        // HTTP-21.
        let may_be_stored = response.headers()["cache-control"] != "no-store";
        assert_eq!(may_be_stored, status == 200, "{size}: {response:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_101st_stream_is_rejected() {
    let streams: Vec<u8> = (0..101).flat_map(|index| post(index * 2 + 1, &[])).collect();
    assert_cases(vec![("101 streams", streams, &[Reset(201, REFUSED_STREAM)])]).await;
}
