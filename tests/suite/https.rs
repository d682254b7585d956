//! WIRE-20, WIRE-22, WIRE-23, WIRE-30, WIRE-31: handshakes, redirects to the origin, misdirected requests, and plain HTTP
//! alongside. The error messages for files that cannot be used.

use std::sync::Arc;
use std::time::Duration;

use recipelog_site::http::{Arrival, Front};
use recipelog_site::site::{File, Settings, Site};
use rustls::HandshakeKind;
use rustls::version::{TLS12, TLS13};

use crate::support::client::{Connection, Reply, exchange};
use crate::support::process::FREE_PORT;
use crate::support::site::{files, request, send_by, site_with};
use crate::support::tls::{TlsServer, connect};

/// A server with HTTPS of its own, for an origin and for one name more.
fn front(trusts_proxy: bool) -> Front {
    let origin = "https://a.example".parse().ok();
    let hsts = Some(Duration::from_secs(60));
    let settings = Settings { origin: origin.clone(), hsts, ..Settings::default() };
    Front {
        origin,
        other_names: vec!["b.example".to_owned()],
        trusts_proxy,
        ..site_with(&settings)
    }
}

/// WIRE-22, WIRE-23, WIRE-30, WIRE-31.
#[test]
fn how_a_request_arrives_decides_between_a_redirect_a_rejection_and_the_site() {
    let tls = |server_name| Arrival::Tls { server_name };
    let (plain, on_tls_port) = (Arrival::Plain, Arrival::PlainOnTlsPort);
    let proxied = Some("https");
    for (arrival, has_certificate, trusts_proxy, scheme, host, status, has_hsts) in [
        (plain, true, false, None, "a.example", 308, false),
        (plain, true, false, proxied, "a.example", 308, false),
        (plain, true, true, None, "a.example", 308, false),
        (plain, true, true, Some("http"), "a.example", 308, false),
        (plain, true, true, proxied, "a.example", 200, true),
        (plain, true, true, proxied, "b.example", 308, true),
        (plain, true, true, Some("HTTPS"), "a.example", 200, true),
        // The outer proxy of two adds the first member.
        (plain, true, true, Some("https,http"), "a.example", 200, true),
        (plain, true, true, Some("http, https"), "a.example", 308, false),
        // The client sent the first line.
        (plain, true, true, Some("https / http"), "a.example", 308, false),
        (plain, true, true, Some("http / https, http"), "a.example", 200, true),
        (on_tls_port, true, true, proxied, "a.example", 400, false),
        (tls(None), true, false, None, "a.example", 200, true),
        (tls(None), true, false, None, "B.example.:8443", 308, true),
        (tls(None), true, false, None, "c.example", 200, true),
        (tls(Some("a.example")), true, false, None, "a.example", 200, true),
        (tls(Some("a.example")), true, false, None, "c.example", 421, false),
        (tls(Some("a.example")), true, false, None, "b.example", 421, false),
        (tls(Some("b.example")), true, false, None, "b.example", 308, true),
        // Before it has a certificate, the origin rejects handshakes.
        (plain, false, false, None, "b.example", 200, false),
        (tls(None), false, false, None, "b.example", 200, true),
    ] {
        let schemes = scheme.into_iter().flat_map(|lines| lines.split(" / "));
        let fields: Vec<_> = schemes.map(|scheme| ("x-forwarded-proto", scheme)).collect();
        let mut request = request("GET /", &fields);
        request.headers_mut().insert("host", host.parse().unwrap());
        let response = send_by(&front(trusts_proxy), arrival, has_certificate, &request);
        let shown = format!("{arrival:?} {has_certificate} {trusts_proxy} {scheme:?} {host}");
        assert_eq!(response.status, status, "{shown}");
        assert_eq!(response.field("strict-transport-security").is_some(), has_hsts, "{shown}");
        let has_policy = response.headers.contains_key("cross-origin-opener-policy");
        assert_eq!(has_policy, has_hsts && status == 200, "{shown}");
        // A cache between the proxy and this server must not give a redirect to visitors over HTTPS.
        let varies = |line: &http::HeaderValue| line == "x-forwarded-proto";
        assert_eq!(response.headers.get_all("vary").iter().any(varies), trusts_proxy, "{shown}");
    }
}

/// WIRE-31: Android and iOS follow no redirect when they verify that an app may open the links of a name.
#[test]
fn files_in_well_known_are_served_on_every_name_over_https() {
    let files = files().into_iter().chain([File::new(".well-known/assetlinks.json", "[]")]);
    let front = Front { site: Site::new(files, &Settings::default()), ..front(false) };
    let tls = Arrival::Tls { server_name: Some("b.example") };
    for (arrival, path, status) in [
        (tls, "/.well-known/assetlinks.json", 200),
        (tls, "/.well-known/none", 404),
        (tls, "/privacy", 308),
        (Arrival::Plain, "/.well-known/assetlinks.json", 308),
    ] {
        let mut request = request(&format!("GET {path}"), &[]);
        request.headers_mut().insert("host", "b.example".parse().unwrap());
        let response = send_by(&front, arrival, true, &request);
        assert_eq!(response.status, status, "{arrival:?} {path}");
    }
}

/// WIRE-20, WIRE-35: what a request makes the server hold is bounded.
#[test]
fn a_location_has_at_most_1024_bytes_and_loses_a_query_that_is_too_long() {
    let front = front(false);
    let path = |length: usize| format!("/{}", "a".repeat(length - 1));
    // Without the origin and the question mark.
    let left = 1024 - "https://a.example".len();
    for (target, expected) in [
        (path(left), Some(path(left))),
        (path(left + 1), None),
        ("/|".repeat(300), None),
        (format!("/x?{}", "q".repeat(left - 3)), Some(format!("/x?{}", "q".repeat(left - 3)))),
        (format!("/x?{}", "q".repeat(left - 2)), Some("/x".to_owned())),
        (format!("/x?{}", "|".repeat(left / 3)), Some("/x".to_owned())),
    ] {
        let response =
            send_by(&front, Arrival::Plain, true, &request(&format!("GET {target}"), &[]));
        let expected = expected.map(|target| format!("https://a.example{target}"));
        assert_eq!(response.status, if expected.is_some() { 308 } else { 414 }, "{target}");
        assert_eq!(response.field("location"), expected.as_deref(), "{target}");
    }
    let mut request = request("GET /", &[]);
    for (length, names_url) in [(253, true), (260, false)] {
        request.headers_mut().insert("host", "a".repeat(length).parse().unwrap());
        let response = send_by(&front, Arrival::PlainOnTlsPort, true, &request);
        assert_eq!(response.content.len() > 100, names_url, "{length}");
    }
}

const ORIGIN: [&str; 2] = ["--origin", "https://a.example"];

fn with_origin() -> TlsServer {
    TlsServer::start(&[&ORIGIN[..], &FREE_PORT].concat())
}

fn get(site: &TlsServer, request: &str) -> Reply {
    let mut connection = Connection::open(site.server.address);
    connection.send(format!("{request}\r\n\r\n"));
    connection.reply().unwrap_or_else(|error| panic!("{request}: {error}"))
}

#[test]
fn plain_http_redirects_to_the_origin_and_never_to_the_host_of_the_request() {
    let site = with_origin();
    let upgrade = "GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n\
                   Connection: Upgrade, HTTP2-Settings";
    for (request, location) in [
        ("GET / HTTP/1.1\r\nHost: evil.example", "/"),
        ("GET /a/b?c=d&e=%20 HTTP/1.1\r\nHost: evil.example", "/a/b?c=d&e=%20"),
        ("GET //evil.example/ HTTP/1.1\r\nHost: a", "//evil.example/"),
        ("GET http://evil.example/x?y HTTP/1.1\r\nHost: a", "/x?y"),
        ("GET http://evil.example?y HTTP/1.1\r\nHost: a", "/?y"),
        ("GET /a|b\\c?ä HTTP/1.1\r\nHost: a", "/a%7Cb%5Cc?%C3%A4"),
        ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0", "/x"),
        ("GET / HTTP/1.0", "/"),
        (upgrade, "/x"),
    ] {
        let reply = get(&site, request);
        assert_eq!(reply.status, 308, "{request}");
        let expected = format!("https://a.example{location}");
        assert_eq!(reply.field("location"), Some(&*expected), "{request}");
        // RFC 6797 §7.2.
        assert_eq!(reply.field("strict-transport-security"), None, "{request}");
        assert_eq!(reply.field("x-content-type-options"), Some("nosniff"), "{request}");
    }
    for (request, status) in [
        ("GET /healthz HTTP/1.1\r\nHost: a", 200),
        ("OPTIONS * HTTP/1.1\r\nHost: a", 204),
        ("GET /sw.js HTTP/1.1\r\nHost: a\r\nService-Worker: script", 200),
        ("CONNECT /x HTTP/1.1\r\nHost: a", 405),
        ("GET / HTTP/1.1\r\nHost: a/b", 400),
    ] {
        let reply = get(&site, request);
        assert_eq!(reply.status, status, "{request}");
        assert_eq!(reply.field("location"), None, "{request}");
        assert_eq!(reply.field("strict-transport-security"), None, "{request}");
    }
}

/// A browser uses a connection for other names of its certificate, too, and repeats such a request on a new
/// one if it gets a 421.
#[tokio::test]
async fn a_request_for_another_host_than_that_of_the_handshake_is_misdirected() {
    let site = with_origin();
    let end = "Connection: close\r\n\r\n";
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: a.example\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: A.Example.:8443\r\n", 200),
        ("GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n", 200),
        ("GET / HTTP/1.1\r\nHost:\r\n", 200),
        ("GET / HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.1\r\nHost: b.example\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: b.example\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: [::1]\r\n", 421),
        ("DELETE / HTTP/1.1\r\nHost: b.example\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: b.example\r\nService-Worker: script\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: b/c\r\n", 400),
    ] {
        let mut stream = site.connect(b"http/1.1").await;
        let response = exchange(&mut stream, format!("{request}{end}").as_bytes()).await;
        assert!(response[8..].starts_with(&format!(" {status} ")), "{request}: {response}");
    }
}

#[test]
fn plain_http_on_a_port_of_https_gets_a_sentence_with_the_url_and_the_end_of_the_connection() {
    let site = TlsServer::start(&[&ORIGIN[..], &FREE_PORT, &["--header-timeout", "1s"]].concat());
    for (request, url) in [
        ("GET /x HTTP/1.1\r\nHost: a.example:8443", ": https://a.example:8443"),
        ("GET /healthz HTTP/1.1\r\nHost: a", ": https://a"),
        ("POST / HTTP/1.0", ""),
        ("GET / HTTP/1.1\r\nHost: a/b", ""),
    ] {
        let mut connection = Connection::open(site.server.tls_address);
        connection.send(format!("{request}\r\n\r\n"));
        let reply = connection.reply().expect(request);
        let text = format!("This port speaks HTTPS{url}\n");
        assert_eq!((reply.status, &*reply.content), (400, text.as_bytes()), "{request}");
        assert_eq!(reply.field("connection"), Some("close"), "{request}");
        assert_eq!(reply.field("strict-transport-security"), None, "{request}");
        assert!(connection.ends_here(), "{request}");
    }
    for (bytes, response) in [
        ("G", ""),
        ("", ""),
        ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("\0", "\u{15}"),
        ("\x16\x03\x01\x7f\x7f", ""),
    ] {
        let mut connection = Connection::open(site.server.tls_address);
        connection.send(bytes);
        let rest = connection.rest().expect("the end");
        assert!(String::from_utf8_lossy(&rest).starts_with(response), "{bytes:?}: {rest:?}");
    }
    site.server.assert_reported_nothing();
}

const H1: &[u8] = b"http/1.1";

const HEAD: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn sessions_of_tls_1_2_and_1_3_are_resumed() {
    let site = TlsServer::start(&[]);
    for version in [&TLS12, &TLS13] {
        let config = Arc::new(site.certified.client(&[H1], &[version]));
        for expected in [HandshakeKind::Full, HandshakeKind::Resumed] {
            let mut stream = connect(site.server.tls_address, Arc::clone(&config)).await.unwrap();
            let connection = stream.get_ref().1;
            assert_eq!(connection.protocol_version(), Some(version.version));
            assert_eq!(connection.handshake_kind(), Some(expected), "{version:?}");
            // Tickets of TLS 1.3 arrive with the response.
            assert!(exchange(&mut stream, HEAD).await.starts_with("HTTP/1.1 200 OK\r\n"));
        }
    }
}

#[tokio::test]
async fn a_handshake_without_h2_agrees_on_http_1_1_if_the_client_may_know_it() {
    let site = TlsServer::start(&[]);
    // Without ALPN, the protocol is HTTP/1.1. With an unknown protocol, the handshake fails.
    let http10 = &[&b"http/1.0"[..]];
    for (protocols, is_accepted) in
        [(&[][..], true), (&[H1], true), (http10, true), (&[b"h3"], false)]
    {
        let config = site.certified.client(protocols, rustls::DEFAULT_VERSIONS);
        let stream = connect(site.server.tls_address, Arc::new(config)).await;
        assert_eq!(stream.is_ok(), is_accepted, "{protocols:?}");
        if let Ok(mut stream) = stream {
            assert!(exchange(&mut stream, HEAD).await.ends_with("\r\n\r\nok\n"));
        }
    }
}
