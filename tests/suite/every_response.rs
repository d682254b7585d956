//! WIRE-1, WIRE-13, WIRE-14, WIRE-22, WIRE-23, WIRE-24: what every response carries. For each combination of a method, a
//! target and two fields, it keeps the promises; with each protocol, a socket carries exactly what `respond` gives in
//! another process, and Date.

use std::sync::LazyLock;
use std::time::SystemTime;

use bytes::Bytes;
use http::{Request, Uri, Version};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use recipelog_site::cli::{Parsed, parse};
use recipelog_site::http::{Arrival, Front};
use recipelog_site::site::{Coding, Settings, Site};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::support::clock::assert_shows_time;
use crate::support::process::FREE_PORT;
use crate::support::site::{Response, request, send, send_by, send_request, site, site_with};
use crate::support::tls::TlsServer;

static SITE: LazyLock<Front> = LazyLock::new(site);

const METHODS: [&str; 4] = ["GET", "HEAD", "OPTIONS", "get*~9"];

#[rustfmt::skip]
const TARGETS: [&str; 22] = [
    "/", "/?a=b", "/index.html", "/privacy", "/privacy/", "/PRIVACY/?//evil.example", "/privacy%2F",
    "/app.0123abcd.js", "/app.0123abcd.js.br", "/icon.svg", "/archive.gz", "/menu%20card.txt", "/robots.txt",
    "/healthz", "/none", "/none/%2e%2e/privacy", "//evil.example/", "/%ff%00", "/privacy/?\u{e9}|\\", "*",
    "http://b@c/privacy", "https://b.example:1//d",
];

/// ETAG stands for the ETag of the plain bytes, BROTLI for the ETag in Brotli.
#[rustfmt::skip]
const FIELDS: [(&str, &[&str]); 11] = [
    ("accept", &["text/html"]),
    ("accept-encoding", &["gzip, br", "br;q=0, *;q=0.5", "x-gzip;q=2", "identity;q=0", "*;q=0"]),
    ("expect", &["100-continue"]),
    ("host", &["b.example"]),
    ("if-match", &["*", "\"a,b\", ETAG", "BROTLI"]),
    ("if-modified-since", &["Fri, 31 Dec 9999 23:59:59 GMT"]),
    ("if-none-match", &["*", "W/BROTLI, ETAG", "\"a"]),
    ("if-range", &["ETAG", "Fri, 31 Dec 9999 23:59:59 GMT"]),
    ("if-unmodified-since", &["Thu, 01 Jan 1970 00:00:00 GMT"]),
    ("range", &["bytes=0-0", "bytes=-5", "bytes=9999-", "bytes=0-1,3-4", "lines=0-1"]),
    ("te", &["gzip"]),
];

const ONLY_IN_A_SECURE_CONTEXT: [&str; 2] = ["cross-origin-opener-policy", "origin-agent-cluster"];

#[test]
fn any_request_gets_a_response_that_keeps_every_promise() {
    for target in TARGETS {
        let etag = |coding| {
            let resource = SITE.site.get(target)?;
            let variant = resource.variants().find(|variant| variant.coding == coding)?;
            variant.etag.to_str().ok()
        };
        let [plain, brotli] =
            [Coding::Identity, Coding::Brotli].map(|it| etag(it).unwrap_or("\"none\""));
        let fill = |value: &str| value.replace("ETAG", plain).replace("BROTLI", brotli);
        let fields = FIELDS
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (*name, fill(value))));
        let fields: Vec<(&str, String)> = fields.collect();
        let bare = send(&SITE, &format!("GET {target}"), &[]);
        let status = bare.status.as_u16();
        for (index, (first, first_value)) in fields.iter().enumerate() {
            for (second, second_value) in &fields[index..] {
                let pair = [(*first, &**first_value), (*second, &**second_value)];
                let [get, head, options, other] = METHODS.map(|method| {
                    let request = request(&format!("{method} {target}"), &pair);
                    let mut response = send_request(&SITE, &request);
                    response.assert_kept(&SITE.site, &request);
                    let plain = send_by(&SITE, Arrival::Plain, true, &request);
                    for name in ONLY_IN_A_SECURE_CONTEXT {
                        response.headers.remove(name);
                    }
                    assert_eq!(response, plain, "{method} {target} {pair:?}");
                    response
                });
                let is_in_pair = |name| pair.iter().any(|field| field.0 == name);
                if matches!(status, 308 | 404) && !is_in_pair("host") {
                    assert_eq!(get.status, status, "{target} {pair:?}");
                }
                if get.status != 400 {
                    let statuses = [options, other].map(|response| response.status.as_u16());
                    assert_eq!(statuses, [204, 405], "{target} {pair:?}");
                }
                if target == "/healthz" && get.status != 400 {
                    assert_eq!(get, bare, "{pair:?}");
                }
                if target == "/healthz" || !is_in_pair("range") {
                    assert_eq!((head.status, head.headers), (get.status, get.headers), "{pair:?}");
                }
            }
        }
    }
}

/// Requests that together get every kind of response.
const KINDS: [(&str, &[(&str, &str)]); 26] = [
    ("GET /", &[]),
    ("GET /", &[("accept-encoding", "gzip")]),
    ("HEAD /privacy", &[]),
    ("GET /?a=b", &[("host", "b.example")]),
    ("GET /og.png", &[("range", "bytes=2-40")]),
    ("HEAD /og.png", &[("range", "bytes=2-40")]),
    ("GET /egg.svg", &[("accept-encoding", "br")]),
    ("GET /robots.txt", &[]),
    ("GET /sitemap.xml", &[]),
    ("GET /healthz", &[]),
    ("HEAD /healthz", &[("host", "b.example")]),
    ("OPTIONS /", &[]),
    ("OPTIONS *", &[]),
    ("GET /", &[("if-none-match", "*")]),
    ("GET /privacy/?a=b", &[]),
    ("GET /index.html", &[]),
    ("GET /", &[("host", "b/c")]),
    ("GET /none", &[("accept", "text/html")]),
    ("GET /none", &[("accept", "text/html"), ("accept-encoding", "gzip")]),
    ("HEAD /none", &[]),
    ("POST /none", &[]),
    ("DELETE /", &[]),
    ("GET /", &[("if-match", "\"a\"")]),
    ("GET /og.png", &[("range", "bytes=99999999-")]),
    ("GET /", &[("accept-encoding", "identity;q=0, br;q=0, *;q=0")]),
    ("GET /sw.js", &[("service-worker", "script")]),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Plain,
    Tls,
    Http2,
}

impl Way {
    /// The request as a client sends it this way, and as a server sees it.
    fn request(self, line: &str, fields: &[(&str, &str)]) -> Request<()> {
        let (method, target) = line.split_once(' ').expect("method and target");
        let host = fields.iter().find(|field| field.0 == "host").map_or("a.example", |it| it.1);
        let mut request = Request::builder().method(method);
        for (name, value) in fields.iter().filter(|field| field.0 != "host") {
            request = request.header(*name, *value);
        }
        let request = if self == Self::Http2 {
            let target = format!("https://{host}{target}").parse::<Uri>().expect("a target");
            request.version(Version::HTTP_2).uri(target)
        } else {
            request.version(Version::HTTP_11).uri(target).header("host", host)
        };
        request.body(()).expect("a request")
    }

    fn arrival(self) -> Arrival<'static> {
        match self {
            Self::Plain => Arrival::Plain,
            _ => Arrival::Tls { server_name: Some("a.example") },
        }
    }
}

/// A connection.
enum Client {
    Http1(hyper::client::conn::http1::SendRequest<Empty<Bytes>>),
    Http2(h2::client::SendRequest<Bytes>),
}

impl Client {
    async fn connect(site: &TlsServer, way: Way) -> Self {
        match way {
            Way::Plain => {
                Self::http1(TcpStream::connect(site.server.address).await.expect("a connection"))
                    .await
            }
            Way::Tls => Self::http1(site.connect(b"http/1.1").await).await,
            Way::Http2 => {
                let stream = site.connect(b"h2").await;
                let (client, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
                tokio::spawn(connection);
                Self::Http2(client)
            }
        }
    }

    async fn http1(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let connected = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (client, connection) = connected.expect("HTTP/1.1");
        tokio::spawn(connection);
        Self::Http1(client)
    }

    async fn ask(&mut self, request: Request<()>) -> Response {
        let shown = format!("{request:?}");
        let (head, content) = match self {
            Self::Http1(client) => {
                client.ready().await.expect("an open connection");
                let response = client.send_request(request.map(|()| Empty::new())).await;
                let (head, body) = response.expect(&shown).into_parts();
                (head, body.collect().await.expect(&shown).to_bytes())
            }
            Self::Http2(client) => {
                let (response, _) = client.send_request(request, true).expect(&shown);
                let (head, mut body) = response.await.expect(&shown).into_parts();
                let mut content = Vec::new();
                while let Some(data) = body.data().await {
                    let data = data.expect(&shown);
                    body.flow_control().release_capacity(data.len()).expect(&shown);
                    content.extend_from_slice(&data);
                }
                (head, content.into())
            }
        };
        Response { status: head.status, headers: head.headers, content }
    }
}

/// What the executable serves with these options.
fn front(site: &TlsServer, options: &[&str]) -> Front {
    let files = ["certificate.pem", "key.pem"].map(|name| site.folder.path().join(name));
    let files = files.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let own = ["recipelog-site", "--tls-cert", files[0], "--tls-key", files[1]];
    let words: Vec<_> = own.iter().chain(options).map(Into::into).collect();
    let Parsed::Run(None, config) = parse(&words) else { panic!("{options:?}") };
    Front {
        site: Site::embedded(&config.settings),
        origin: config.redirect,
        other_names: config.other_names,
        trusts_proxy: config.logging.trusted_proxies > 0,
    }
}

#[tokio::test]
async fn each_way_carries_exactly_what_another_process_responds_and_the_time() {
    let origin = ["--origin", "https://a.example"];
    let proxied = [&origin[..], &["--hsts", "2m", "--trust-proxy", "1"]].concat();
    for (options, proto, hsts) in [
        (&[][..], None, None),
        (&origin, None, Some("max-age=31536000")),
        (&proxied, Some("https"), Some("max-age=120")),
    ] {
        let site = TlsServer::start(&[options, &FREE_PORT].concat());
        let front = front(&site, options);
        for way in [Way::Plain, Way::Tls, Way::Http2] {
            let mut client = Client::connect(&site, way).await;
            let paths = front.site.iter().map(|(path, _)| format!("GET {path}"));
            let paths: Vec<String> = paths.collect();
            let codings = [&[][..], &[("accept-encoding", "gzip")], &[("accept-encoding", "br")]];
            let whole =
                codings.iter().flat_map(|coding| paths.iter().map(move |path| (&**path, *coding)));
            for (line, fields) in KINDS.into_iter().chain(whole) {
                // The rest is not a target of HTTP/2's client.
                if way == Way::Http2 && (line.ends_with('*') || fields.contains(&("host", "b/c"))) {
                    continue;
                }
                let forwarded = proto.map(|proto| ("x-forwarded-proto", proto));
                let fields: Vec<_> = fields.iter().copied().chain(forwarded).collect();
                let request = way.request(line, &fields);
                let expected = send_by(&front, way.arrival(), true, &request);
                if proto.is_none() {
                    expected.assert_kept(&front.site, &request);
                }
                let is_left_out = expected.status == 421 || (way == Way::Plain && proto.is_none());
                let hsts = hsts.filter(|_| !is_left_out);
                assert_eq!(expected.field("strict-transport-security"), hsts, "{way:?} {line}");
                let begun = SystemTime::now();
                let mut response = client.ask(request).await;
                let date = response.headers.remove("date").expect("Date");
                assert_shows_time(date.to_str().expect("ASCII"), begun);
                assert!(
                    response == expected,
                    "{options:?} {way:?} {line} {fields:?}: {:?} instead of {:?}",
                    response.headers,
                    expected.headers
                );
            }
        }
    }
}

const DOCUMENT_FIELDS: [(&str, &str); 4] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("origin-agent-cluster", "?1"),
];

#[test]
fn the_policies_of_a_document_allow_files_of_the_site_and_its_inline_styles_only() {
    // printf 'p{color:red}' | openssl dgst -sha256 -binary | base64
    let style = "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='";
    let policy_with = |style| {
        format!(
            "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; font-src 'self'; \
             media-src 'self'; manifest-src 'self'; base-uri 'none'; connect-src 'none'; form-action 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        )
    };
    let site = site();
    for line in ["GET /", "GET /privacy", "GET /none"] {
        let document = send(&site, line, &[("accept", "text/html")]);
        let policy = document.field("content-security-policy").expect("a policy");
        assert_eq!(policy, policy_with(if line == "GET /" { style } else { "'none'" }), "{line}");
        for (name, value) in DOCUMENT_FIELDS {
            assert_eq!(document.field(name), Some(value), "{name}");
        }
        let permissions = document.field("permissions-policy").expect("a policy");
        let allowed = permissions.split(", ").filter(|feature| !feature.ends_with("=()"));
        assert_eq!(allowed.collect::<Vec<_>>(), ["fullscreen=(self)"]);
        for feature in "camera microphone geolocation payment usb display-capture".split(' ') {
            assert!(permissions.contains(&format!("{feature}=()")), "{feature}");
        }
    }
}

/// No field of the request decides, so a cache may give the response to everybody.
#[test]
fn fields_that_only_a_secure_context_can_use_need_an_https_origin() {
    for (origin, scheme, is_secure) in [
        ("http://kitchen.lan", "https", false),
        ("https://kitchen.lan", "http", true),
        ("https://kitchen.lan", "https", true),
    ] {
        let site = site_with(&Settings { origin: origin.parse().ok(), ..Settings::default() });
        let request = request("GET /", &[("x-forwarded-proto", scheme)]);
        let response = send_by(&site, Arrival::Plain, true, &request);
        for name in ONLY_IN_A_SECURE_CONTEXT {
            assert_eq!(response.field(name).is_some(), is_secure, "{origin} {scheme}: {name}");
        }
        assert_eq!(response.field("vary"), Some("Accept-Encoding"));
    }
}

#[test]
fn the_policy_of_an_svg_allows_nothing() {
    let response = send(&site(), "GET /icon.svg", &[]);
    let policy = response.field("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; frame-ancestors 'none'; sandbox"));
}
