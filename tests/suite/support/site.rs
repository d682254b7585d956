//! A small site with each kind of file, and functions that send requests to it
//! without a socket.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode, Version};
use http_body_util::BodyExt;
use recipelog_site::http::{Arrival, Front, respond};
use recipelog_site::server::{Limits, Peer, Service, serve_connection};
use recipelog_site::site::{File, Settings, Site};
use tokio::io::DuplexStream;
use tokio::task::JoinHandle;

use crate::support::promises;

pub use crate::support::promises::field;

/// Length of the content of `/large.txt`: more than the initial windows.
pub const LARGE: usize = 1_000_000;

pub fn large_site() -> Service {
    let mut files = files();
    files.push(File::new("large.txt", "a".repeat(LARGE)));
    Service::new(Site::new(files, &Settings::default()).into(), None, None)
}

/// Bytes that a connection with HTTP/1.1 in memory takes before the other end reads.
pub const STREAM_BYTES: usize = 4096;

/// A connection to a server in this process, and the task that serves it.
pub fn serve_in_memory(limits: Limits, version: Version) -> (DuplexStream, JoinHandle<()>) {
    // Some tests send this much over HTTP/2 before they read.
    let bytes = if version == Version::HTTP_2 { 64 * 1024 } else { STREAM_BYTES };
    let (client, server) = tokio::io::duplex(bytes);
    let served = serve_connection(server, PEER, large_site(), limits, version);
    (client, tokio::task::spawn_local(served))
}

pub fn connect_in_memory() -> (DuplexStream, JoinHandle<()>) {
    serve_in_memory(Limits::DEFAULT, Version::HTTP_11)
}

pub const SCRIPT: &str = "document.title = 'RecipeLog'; // the quick brown fox jumps over the dog";

/// The client of a connection in memory.
pub const PEER: Peer = Peer::Tcp(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1));

const NAMES: &str = "index.html|index.html.br|index.html.gz|privacy.html|crème.html|404.html|404.html.gz|\
    google0123456789abcdef.html|app.0123abcd.js.br|app.0123abcd.js.gz|archive.gz|favicon.ico|font.woff2|\
    icon.png|icon.svg|robots.txt|robots.txt.gz|site.webmanifest|sitemap.xml|menu card.txt|100%?#.txt|\
    speisekarte-für-alle.txt";

const REDIRECTS: &str = "/index.html / 301\n/privacy.html /privacy 301\n/cr%C3%A8me.html /cr%C3%A8me 301\n\
    /privacy-policy /privacy 301\n/Old%C3%9F/ / 301\n";

/// The files of the site. `respond` does not decode variants, so their content is plain text that
/// identifies them.
pub fn files() -> Vec<File> {
    let named = NAMES.split('|').map(|name| File::new(name, format!("content of {name}")));
    let others = [("app.0123abcd.js", SCRIPT), ("_redirects", REDIRECTS)];
    named.chain(others.map(|(name, content)| File::new(name, content))).collect()
}

pub fn site() -> Front {
    site_with(&Settings::default())
}

pub fn site_with(settings: &Settings) -> Front {
    Site::new(files(), settings).into()
}

/// The paths of the pages of a site.
pub fn pages(site: &Site) -> Vec<String> {
    // An owner's own document, such as the one with which Google verifies a site, is no page.
    let is_page = |path: &str| !path.ends_with(".html");
    let pages = site.iter().filter(|(path, resource)| resource.is_document && is_page(path));
    let paths: Vec<String> = pages.map(|(path, _)| path.to_owned()).collect();
    assert!(paths.iter().any(|path| path == "/"), "no landing page: {paths:?}");
    paths
}

/// A complete response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub content: Bytes,
}

impl Response {
    /// The value of a field; `None` if it is missing.
    pub fn field(&self, name: &str) -> Option<&str> {
        field(&self.headers, name)
    }

    /// See [`promises::assert_kept`].
    pub fn assert_kept(&self, site: &Site, request: &Request<()>) {
        promises::assert_kept(site, request, self.status, &self.headers, &self.content);
    }
}

/// Each request of the lines `EXPECTED <- REQUEST | REQUEST` of a table, behind what it gets.
pub fn cases(table: &str) -> impl Iterator<Item = (&str, &str)> {
    table.lines().filter(|line| !line.trim().is_empty()).flat_map(|line| {
        let (expected, requests) = line.split_once("<- ").expect("a line of the table");
        requests.split(" | ").map(move |request| (expected.trim(), request))
    })
}

/// Each combination of one value from each list.
pub fn combinations<const N: usize>(
    values: [&[&'static str]; N],
) -> impl Iterator<Item = [&'static str; N]> {
    let count: usize = values.iter().map(|values| values.len()).product();
    (0..count).map(move |mut number| {
        values.map(|values| {
            let value = values[number % values.len()];
            number /= values.len();
            value
        })
    })
}

/// An HTTP/1.1 request with Host. `line` is the method and the target.
pub fn request(line: &str, fields: &[(&str, &str)]) -> Request<()> {
    let (method, target) = line.split_once(' ').expect("method and target");
    let request = Request::builder().method(method).uri(target).version(Version::HTTP_11);
    let request = request.header("host", "recipes.example");
    let request = fields.iter().fold(request, |all, (name, value)| all.header(*name, *value));
    request.body(()).expect("a request that `http` can express")
}

/// Sends the request of [`request`].
pub fn send(front: &Front, line: &str, fields: &[(&str, &str)]) -> Response {
    send_request(front, &request(line, fields))
}

/// Sends a request over TLS, to a server whose origin has a certificate.
pub fn send_request(front: &Front, request: &Request<()>) -> Response {
    send_by(front, Arrival::Tls { server_name: None }, true, request)
}

pub fn send_by(
    front: &Front,
    arrival: Arrival<'_>,
    has_certificate: bool,
    request: &Request<()>,
) -> Response {
    let (head, body) = respond(front, arrival, has_certificate, request).into_parts();
    let collected = pin!(body.collect()).poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(Ok(collected)) = collected else { panic!("a body in memory is ready") };
    Response { status: head.status, headers: head.headers, content: collected.to_bytes() }
}
