//! What hyper alone costs: a handler that looks a path up in a table as large
//! as the site's, checks nothing, and sends one prepared answer's fields and
//! content. The distance from here to the site is what its checks cost.
//!
//! `bare_hyper PORT ANSWER-FILE`

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
    fn parse(answer: &[u8]) -> Option<Self> {
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = str::from_utf8(&answer[..end]).ok()?;
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
        // hyper writes its own.
        headers.remove(DATE);
        Some(Self { status, headers, content: Bytes::copy_from_slice(&answer[end + 4..]) })
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
        return Err("usage: bare_hyper PORT ANSWER-FILE".into());
    };
    let answer = Prepared::parse(&std::fs::read(file)?).ok_or("not an HTTP answer")?;
    let site = Site::embedded(&Settings::default());
    let table: HashMap<String, Prepared> =
        site.iter().map(|(path, _)| (path.to_owned(), answer.clone())).collect();
    let table = Arc::new((table, answer));
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let table = Arc::clone(&table);
        let answer = service_fn(move |request: Request<Incoming>| {
            let (table, otherwise) = &*table;
            let prepared = table.get(request.uri().path()).unwrap_or(otherwise);
            std::future::ready(Ok::<_, Infallible>(prepared.response()))
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}
