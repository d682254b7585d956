//! Baseline of the benchmarks: hyper with a handler that looks up the path in a
//! table of the site's size and sends one prepared response without any check.
//! The difference to the site is the cost of its checks.
//!
//! `bare_hyper PORT RESPONSE-FILE`

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{DATE, HeaderMap, HeaderName, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use recipelog_site::server::bind_tcp;
use recipelog_site::site::{Settings, Site};
use tokio::net::TcpListener;

#[derive(Clone)]
struct Prepared {
    status: StatusCode,
    headers: HeaderMap,
    content: Bytes,
}

impl Prepared {
    fn parse(response: &[u8]) -> Option<Self> {
        let end = response.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = str::from_utf8(&response[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            headers.append(
                name.parse::<HeaderName>().ok()?,
                HeaderValue::from_str(value.trim()).ok()?,
            );
        }
        // hyper adds Date itself.
        headers.remove(DATE);
        Some(Self { status, headers, content: Bytes::copy_from_slice(&response[end + 4..]) })
    }

    fn response(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.content.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, file] = &arguments[..] else {
        return Err("usage: bare_hyper PORT RESPONSE-FILE".into());
    };
    let response = Prepared::parse(&std::fs::read(file)?)
        .ok_or_else(|| format!("{file} contains no HTTP response"))?;
    let site = Site::embedded(&Settings::default());
    let table: HashMap<String, Prepared> =
        site.iter().map(|(path, _)| (path.to_owned(), response.clone())).collect();
    let table = Arc::new((table, response));
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let table = Arc::clone(&table);
        let service = service_fn(move |request: Request<Incoming>| {
            let (table, default) = &*table;
            let prepared = table.get(request.uri().path()).unwrap_or(default);
            std::future::ready(Ok::<_, Infallible>(prepared.response()))
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
