//! WIRE-20, WIRE-22, WIRE-23, WIRE-30, WIRE-31: handshakes, redirects to the origin, misdirected requests, and plain HTTP
//! alongside.

use std::io::{Read, Write};
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
use crate::support::site::{combinations, files, request, send_by};
use crate::support::texts::assert_outcomes;
use crate::support::tls::{NAMES, TlsServer, connect, connect_unverified};

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

/// What the end of a connection leaves of the response: its status, the fields that say where to go, and a short content.
fn answer(mut stream: impl Read + Write, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let response = String::from_utf8_lossy(&response).replace('\r', "");
    let (head, content) = response.split_once("\n\n").expect("a head");
    let names = ["HTTP", "location", "strict-transport-security", "connection"];
    let lines = head.lines().filter(|line| names.iter().any(|name| line.starts_with(name)));
    let content = Some(content.trim_end()).filter(|it| !it.is_empty() && !it.starts_with("<!"));
    lines.chain(content).collect::<Vec<_>>().join("\n")
}

/// A line is a port, and a request whose fields follow its first line. A browser uses a connection for other names of
/// its certificate, too, and repeats such a request on a new one if it gets a 421.
#[test]
fn plain_ports_redirect_to_the_origin_and_misdirected_requests_are_rejected() {
    let site = with_origin(&["--header-timeout", "1s"]);
    let [plain, tls] = [site.server.address, site.server.tls_address];
    assert_outcomes("ports", |line| {
        let (port, request) = line.split_once(": ").expect("a port and a request");
        let request = request.replace(" Host", "\r\nHost").replace(" Service", "\r\nService");
        let (request, close) = (format!("{request}\r\n"), "Connection: close\r\n\r\n");
        match port {
            "http" => answer(Connection::open(plain).stream, &(request + close)),
            "https" => answer(connect_unverified(&site.server, NAMES[0]), &(request + close)),
            // Its end follows without a wish of the client.
            _ => answer(Connection::open(tls).stream, &(request + "\r\n")),
        }
    });
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
        let reply = Connection::open(plain).get(&target);
        assert_eq!(reply.status, if location.is_some() { 308 } else { 414 }, "{target}");
        let location = location.map(|location| format!("https://a.example{location}"));
        assert_eq!(reply.field("location"), location.as_deref(), "{target}");
    }
    for bytes in ["G", "", "\0", "\x16\x03\x01\x7f"] {
        let mut connection = Connection::open(tls);
        connection.send(bytes);
        let rest = connection.rest().expect("the end");
        // At most an alert of TLS.
        assert!(rest.is_empty() || rest[0] == 0x15, "{bytes:?}: {rest:?}");
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
        let config = site.certified.client_of(provider.into(), &[version]);
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
