//! WIRE-1, WIRE-13, WIRE-22, WIRE-23, WIRE-24: what each kind of response carries over a socket, with each protocol:
//! exactly what `respond` gives in another process, and Date.

use std::time::SystemTime;

use bytes::Bytes;
use http::{Request, Uri, Version};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use recipelog_site::cli::{Parsed, parse};
use recipelog_site::http::{Arrival, Front};
use recipelog_site::site::Site;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::certified_key::TlsServer;
use crate::clock::assert_shows_time;
use crate::executable::FREE_PORT;
use crate::fixture::{Response, send_by};

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
    for (options, proto) in [
        (&[][..], None),
        (&origin, None),
        (&[&origin[..], &["--hsts", "2m", "--trust-proxy", "1"]].concat(), Some("https")),
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
