//! WIRE-20, WIRE-22, WIRE-23, WIRE-30, WIRE-31: handshakes, redirects to the origin, misdirected requests, and plain HTTP
//! alongside.

use std::sync::Arc;
use std::time::Duration;

use recipelog_site::http::{Arrival, Front};
use recipelog_site::site::{File, Origin, Settings, Site};
use recipelog_site::tls::provider;
use rustls::crypto::ring::kx_group::{SECP256R1, X25519};
use rustls::crypto::{ActiveKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup};
use rustls::version::{TLS12, TLS13};
use rustls::{Error, HandshakeKind, NamedGroup};

use crate::support::client::{Connection, exchange};
use crate::support::process::FREE_PORT;
use crate::support::site::{cases, combinations, files, request, send_by};
use crate::support::tls::{TlsServer, connect};

/// A server with HTTPS of its own, for an origin and for one name more.
fn front(trusts_proxy: bool) -> Front {
    let origin: Option<Origin> = "https://a.example".parse().ok();
    let hsts = Some(Duration::from_secs(60));
    let settings = Settings { origin: origin.clone(), hsts, ..Settings::default() };
    let files = files().into_iter().chain([File::new(ASSET_LINKS, "[]")]);
    let (site, other_names) = (Site::new(files, &settings), vec!["b.example".to_owned()]);
    Front { site, origin, other_names, trusts_proxy }
}

/// Android and iOS follow no redirect when they verify that an app may open the links of a name.
const ASSET_LINKS: &str = ".well-known/assetlinks.json";

/// WIRE-22, WIRE-23, WIRE-30, WIRE-31, for all combinations of how a request arrives and what it names.
#[test]
fn how_a_request_arrives_decides_between_a_redirect_a_rejection_and_the_site() {
    // The field lines of X-Forwarded-Proto. The client sent the first of two; the outer proxy of two adds the
    // first member.
    const OVER_HTTPS: [&str; 3] = ["HTTPS", "https,http", "http / https, http"];
    const OVER_HTTP: [&str; 4] = ["", "http", "http, https", "https / http"];
    let tls = |server_name| Arrival::Tls { server_name };
    let arrivals = [Arrival::Plain, tls(None), tls(Some("a.example")), tls(Some("b.example"))];
    let hosts = ["a.example", "B.example.:8443", "c.example"];
    let paths = ["/", "/.well-known/assetlinks.json", "/healthz"];
    let schemes = [&OVER_HTTPS[..], &OVER_HTTP].concat();
    let servers = [(true, true), (true, false), (false, true), (false, false)];
    for (arrival, (has_certificate, trusts_proxy)) in
        arrivals.into_iter().flat_map(|arrival| servers.map(|server| (arrival, server)))
    {
        let front = front(trusts_proxy);
        for [host, schemes, path] in combinations([&hosts, &schemes, &paths]) {
            let fields: Vec<_> = schemes.split(" / ").map(|it| ("x-forwarded-proto", it)).collect();
            let mut request = request(&format!("GET {path}"), &fields);
            request.headers_mut().insert("host", host.parse().unwrap());
            let response = send_by(&front, arrival, has_certificate, &request);

            let is_proxied = trusts_proxy && OVER_HTTPS.contains(&schemes);
            let (is_https, is_misdirected) = match arrival {
                Arrival::Tls { server_name } => {
                    (true, server_name.is_some_and(|name| !host.to_lowercase().starts_with(name)))
                }
                _ => (is_proxied, false),
            };
            let is_other = host.starts_with("B.") && path == "/";
            let status = match path {
                "/healthz" => 200,
                _ if is_misdirected => 421,
                _ if has_certificate && (is_other || !is_https) => 308,
                _ => 200,
            };
            let shown =
                format!("{arrival:?} {has_certificate} {trusts_proxy} {schemes} {host}{path}");
            assert_eq!(response.status, status, "{shown}");
            let location = (status == 308).then(|| format!("https://a.example{path}"));
            assert_eq!(response.field("location"), location.as_deref(), "{shown}");
            let has = |name| response.headers.contains_key(name);
            let has_hsts = is_https && status != 421;
            assert_eq!(has("strict-transport-security"), has_hsts, "{shown}");
            let has_policy = is_https && status == 200 && path == "/";
            assert_eq!(has("cross-origin-opener-policy"), has_policy, "{shown}");
            // A cache between the proxy and this server must not give a redirect to visitors over HTTPS.
            let mut varies = response.headers.get_all("vary").iter();
            assert_eq!(varies.any(|line| line == "x-forwarded-proto"), trusts_proxy, "{shown}");
        }
    }
}

fn with_origin(options: &[&str]) -> TlsServer {
    TlsServer::start(&[&["--origin", "https://a.example"], &FREE_PORT, options].concat())
}

/// The lines of a request whose fields follow its first line.
fn head(request: &str) -> String {
    request.replace(" Host", "\r\nHost").replace(" Service", "\r\nService") + "\r\n"
}

#[test]
fn plain_http_redirects_to_the_origin_and_never_to_the_host_of_the_request() {
    let site = with_origin(&[]);
    for (expected, request) in cases(
        r"
        308 /                     <- GET / HTTP/1.1 Host: evil.example | GET / HTTP/1.0
        308 /a/b?c=d&e=%20        <- GET /a/b?c=d&e=%20 HTTP/1.1 Host: evil.example
        308 //evil.example/       <- GET //evil.example/ HTTP/1.1 Host: a
        308 /x?y                  <- GET http://evil.example/x?y HTTP/1.1 Host: a
        308 /?y                   <- GET http://evil.example?y HTTP/1.1 Host: a
        308 /a%7Cb%5Cc?%C3%A4     <- GET /a|b\c?ä HTTP/1.1 Host: a
        308 /x                    <- POST /x HTTP/1.1 Host: a
        200                       <- GET /healthz HTTP/1.1 Host: a
        204                       <- OPTIONS * HTTP/1.1 Host: a
        405                       <- CONNECT /x HTTP/1.1 Host: a
        400                       <- GET / HTTP/1.1 Host: a/b
        200                       <- GET /sw.js HTTP/1.1 Service-Worker: script Host: a
        ",
    ) {
        let mut connection = Connection::open(site.server.address);
        connection.send(head(request) + "\r\n");
        let reply = connection.reply().expect(request);
        let (status, location) = expected.split_once(' ').unwrap_or((expected, ""));
        assert_eq!(reply.status.to_string(), status, "{request}");
        let location = (status == "308").then(|| format!("https://a.example{location}"));
        assert_eq!(reply.field("location"), location.as_deref(), "{request}");
        // RFC 6797 §7.2.
        assert_eq!(reply.field("strict-transport-security"), None, "{request}");
    }
    // What a request makes the server hold is bounded (WIRE-35): a Location has at most 1,024 bytes.
    let of = |start: &str, length: usize| format!("{start}{}", "a".repeat(length - start.len()));
    let left = 1024 - "https://a.example".len();
    for (target, location) in [
        (of("/x?", left), Some(of("/x?", left))),
        (of("/x?", left + 1), Some("/x".to_owned())),
        (of("/", left), Some(of("/", left))),
        (of("/", left + 1), None),
        ("/|".repeat(400), None),
    ] {
        let reply = Connection::open(site.server.address).get(&target);
        assert_eq!(reply.status, if location.is_some() { 308 } else { 414 }, "{target}");
        let location = location.map(|location| format!("https://a.example{location}"));
        assert_eq!(reply.field("location"), location.as_deref(), "{target}");
    }
}

/// A browser uses a connection for other names of its certificate, too, and repeats such a request on a new
/// one if it gets a 421.
#[tokio::test]
async fn a_request_for_another_host_than_that_of_the_handshake_is_misdirected() {
    let site = with_origin(&[]);
    for (status, request) in cases(
        "
        200 <- GET / HTTP/1.1 Host: A.Example.:8443 | GET / HTTP/1.1 Host: | GET / HTTP/1.0
        200 <- GET http://a.example/ HTTP/1.1 Host: b.example | GET /healthz HTTP/1.1 Host: b.example
        421 <- GET / HTTP/1.1 Host: b.example | DELETE / HTTP/1.1 Host: [::1]
        421 <- GET / HTTP/1.1 Service-Worker: script Host: b.example
        400 <- GET / HTTP/1.1 Host: b/c
        ",
    ) {
        let mut stream = site.connect(b"http/1.1").await;
        let head = head(request) + "Connection: close\r\n\r\n";
        let response = exchange(&mut stream, head.as_bytes()).await;
        assert!(response[8..].starts_with(&format!(" {status} ")), "{request}: {response}");
    }
}

#[test]
fn plain_http_on_a_port_of_https_gets_a_sentence_with_the_url_and_the_end_of_the_connection() {
    let site = with_origin(&["--header-timeout", "1s"]);
    let long = format!("GET / HTTP/1.1\r\nHost: {}", "a".repeat(260));
    for (request, url) in [
        ("GET /x HTTP/1.1\r\nHost: a.example:8443", ": https://a.example:8443"),
        ("GET /healthz HTTP/1.1\r\nHost: a", ": https://a"),
        ("POST / HTTP/1.0", ""),
        ("GET / HTTP/1.1\r\nHost: a/b", ""),
        (&long, ""),
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
        ("a\r\n\r\n", "HTTP/1.1 400 "),
        ("\0", "\u{15}"),
        ("\x16\x03\x01\x7f", ""),
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

/// A share of X25519MLKEM768 that no client makes. tests/browser has one that does.
#[derive(Clone, Copy, Debug)]
struct InvalidShare(&'static [u8]);

impl SupportedKxGroup for InvalidShare {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Ok(Box::new(*self))
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }
}

impl ActiveKeyExchange for InvalidShare {
    fn complete(self: Box<Self>, _: &[u8]) -> Result<SharedSecret, Error> {
        panic!("the server accepts {self:?}")
    }

    fn pub_key(&self) -> &[u8] {
        self.0
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }
}

#[tokio::test]
async fn a_key_exchange_needs_no_retry_and_an_invalid_share_ends_the_handshake() {
    let site = TlsServer::start(&[]);
    for (group, version, expected) in [
        (X25519, &TLS13, Some(NamedGroup::X25519)),
        (SECP256R1, &TLS13, Some(NamedGroup::secp256r1)),
        // TLS 1.2 has no shares of this kind.
        (&InvalidShare(&[]), &TLS12, Some(NamedGroup::X25519)),
        (&InvalidShare(&[0; 31]), &TLS13, None),
        (&InvalidShare(&[0; 1215]), &TLS13, None),
        (&InvalidShare(&[0xff; 1216]), &TLS13, None),
    ] {
        let mut provider = CryptoProvider::clone(provider());
        provider.kx_groups.insert(0, group);
        let config = site.certified.client_of(provider, &[H1], &[version]);
        let stream = connect(site.server.tls_address, Arc::new(config)).await;
        let agreed = stream.as_ref().ok().map(|stream| {
            let connection = stream.get_ref().1;
            assert_eq!(connection.handshake_kind(), Some(HandshakeKind::Full));
            connection.negotiated_key_exchange_group().map(SupportedKxGroup::name)
        });
        assert_eq!(agreed.flatten(), expected, "{group:?} {version:?}");
        let alert = || stream.unwrap_err().to_string();
        assert!(expected.is_some() || alert().contains("IllegalParameter"), "{group:?}");
    }
}
