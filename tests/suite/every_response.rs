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
use recipelog_site::site::{Coding, File, Settings, Site};

use crate::support::client::Way::{self, Plain, Tls};
use crate::support::clock::assert_shows_time;
use crate::support::process::FREE_PORT;
use crate::support::site::{Response, request, send, send_by, send_request, site};
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
const FIELDS: [(&str, &[&str]); 12] = [
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
    ("service-worker", &["script"]),
    ("te", &["gzip"]),
];

/// Each value of a field in a request for `target`.
fn fields(site: &Site, target: &str) -> Vec<(&'static str, String)> {
    let etag = |coding| {
        let variant = site.get(target)?.variants().find(|variant| variant.coding == coding)?;
        variant.etag.to_str().ok()
    };
    let [plain, brotli] =
        [Coding::Identity, Coding::Brotli].map(|it| etag(it).unwrap_or("\"none\""));
    let fill = |value: &str| value.replace("ETAG", plain).replace("BROTLI", brotli);
    let all = FIELDS.iter().flat_map(|(name, values)| values.iter().map(move |it| (*name, it)));
    all.map(|(name, value)| (name, fill(value))).collect()
}

const ONLY_IN_A_SECURE_CONTEXT: [&str; 2] = ["cross-origin-opener-policy", "origin-agent-cluster"];

#[test]
fn any_request_gets_a_response_that_keeps_every_promise() {
    for target in TARGETS {
        let fields = fields(&SITE.site, target);
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
                    let expected =
                        if is_in_pair("service-worker") && status == 404 { 200 } else { status };
                    assert_eq!(get.status, expected, "{target} {pair:?}");
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

/// The request as a client sends it this way, and as a server sees it.
fn request_by(way: Way, line: &str, fields: &[(&str, &str)]) -> Request<()> {
    let (method, target) = line.split_once(' ').expect("method and target");
    let host = fields.iter().find(|field| field.0 == "host").map_or("a.example", |it| it.1);
    let mut request = Request::builder().method(method);
    for (name, value) in fields.iter().filter(|field| field.0 != "host") {
        request = request.header(*name, *value);
    }
    let request = if way == HTTP_2 {
        let target = format!("https://{host}{target}").parse::<Uri>().expect("a target");
        request.version(Version::HTTP_2).uri(target)
    } else {
        request.version(Version::HTTP_11).uri(target).header("host", host)
    };
    request.body(()).expect("a request")
}

const HTTP_2: Way = Tls("h2");

/// A connection.
enum Client {
    Http1(hyper::client::conn::http1::SendRequest<Empty<Bytes>>),
    Http2(h2::client::SendRequest<Bytes>),
}

impl Client {
    async fn connect(site: &TlsServer, way: Way) -> Self {
        let stream = way.connect(site).await;
        if way == HTTP_2 {
            let (client, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
            tokio::spawn(connection);
            return Self::Http2(client);
        }
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
        let too_long = format!("/{}", "a".repeat(8192));
        let mut requests = Vec::new();
        for target in TARGETS.into_iter().chain([&*too_long]) {
            requests.extend(METHODS.map(|method| (format!("{method} {target}"), None)));
            if options.is_empty() {
                let fields = fields(&front.site, target).into_iter();
                requests.extend(fields.map(|field| (format!("GET {target}"), Some(field))));
            }
        }
        for (path, _) in front.site.iter() {
            let field = |coding: &str| Some(("accept-encoding", coding.to_owned()));
            let fields = [None, field("gzip"), field("br")];
            requests.extend(fields.map(|field| (format!("GET {path}"), field)));
        }
        for way in [Plain, Tls("http/1.1"), HTTP_2] {
            let mut client = Client::connect(&site, way).await;
            for (line, field) in &requests {
                let field = field.as_ref().map(|(name, value)| (*name, &**value));
                // What HTTP/2 does not have.
                let has_slash = line.contains(" /");
                if way == HTTP_2 && (!has_slash || field.is_some_and(|it| it.0 == "te")) {
                    continue;
                }
                let forwarded = proto.map(|proto| ("x-forwarded-proto", proto));
                let fields: Vec<_> = field.into_iter().chain(forwarded).collect();
                let request = request_by(way, line, &fields);
                let arrival = match way {
                    Plain => Arrival::Plain,
                    _ => Arrival::Tls { server_name: Some("a.example") },
                };
                let expected = send_by(&front, arrival, true, &request);
                if proto.is_none() {
                    expected.assert_kept(&front.site, &request);
                }
                let is_left_out = expected.status == 421 || (way == Plain && proto.is_none());
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

/// The hashes come from `printf 'a{}' | openssl dgst -sha256 -binary | base64`.
#[test]
fn the_policy_of_a_document_names_its_inline_elements_and_what_its_settings_need() {
    const A: &str = "'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='";
    const B: &str = "'sha256-7yqHVAesot11p6HczDsgKRipvI5UPgs97z80zNXlans='";
    let scripts = "<script type=module>a{}</script><script src=/b.js></script>\
                   <script type=\"application/ld+json\">{}</script><script>b{}</script>";
    let a = "https://a.example";
    let audited = "https://a.example/robots.txt https://a.example/llms.txt";
    for (origin, contact_url, connect, forms) in [
        (None, None, "'none'", "'none'"),
        (Some("http://[::1]:8080"), None, "'none'", "'none'"),
        (None, Some("/api"), "'self'", "'self'"),
        (Some(a), None, audited, "'none'"),
        (
            Some(a),
            Some("https://b.example/f/1"),
            &format!("https://b.example {audited}"),
            "https://b.example",
        ),
    ] {
        for (markup, script_hashes, styles) in [
            ("<p>plain".as_bytes(), "", "'none'"),
            (b"<style>a{}</style><style media=print>b{}</style>", "", &format!("{A} {B}")),
            (scripts.as_bytes(), &format!(" {A} {B}"), "'none'"),
            // Not UTF-8.
            (b"<p>caf\xe9<style>a{}</style>", "", A),
        ] {
            let settings = Settings {
                origin: origin.map(|origin| origin.parse().expect("an origin")),
                contact_url: contact_url.map(str::to_owned),
                ..Settings::default()
            };
            let front = Site::new([File::new("index.html", markup)], &settings).into();
            // No field of the request decides, so a cache may give the response to everybody.
            let request = request("GET /", &[("x-forwarded-proto", "https")]);
            let document = send_by(&front, Arrival::Plain, true, &request);
            let expected = format!(
                "default-src 'none'; script-src 'self'{script_hashes}; style-src {styles}; img-src 'self' data:; \
                 font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; connect-src {connect}; \
                 form-action {forms}; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
            );
            assert_eq!(document.field("content-security-policy"), Some(&*expected));
            let secure = ONLY_IN_A_SECURE_CONTEXT.map(|name| document.field(name));
            let is_https = origin == Some(a);
            assert_eq!(secure, [is_https.then_some("same-origin"), is_https.then_some("?1")]);
            assert_eq!(document.field("vary"), None);
        }
    }
}
