//! Baseline of the benchmarks: hyper with a handler that looks up the path in a
//! table of the site's size and sends one prepared response without any check.
//! The difference to the site is the cost of its checks.
//!
//! `bare_hyper PORT RESPONSE-FILE`

mod prepared;

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use recipelog_site::server::bind_tcp;
use tokio::net::TcpListener;

use prepared::Responses;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, file] = &arguments[..] else {
        return Err("usage: bare_hyper PORT RESPONSE-FILE".into());
    };
    let responses = Arc::new(Responses::read(file)?);
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let responses = Arc::clone(&responses);
        let service = service_fn(move |request: Request<Incoming>| {
            std::future::ready(Ok::<_, Infallible>(responses.respond(request.uri().path())))
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
