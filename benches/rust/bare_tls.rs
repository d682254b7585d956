//! Baseline of the benchmarks over TLS: hyper over rustls, with the configuration of
//! the site, and one prepared response without any check.
//!
//! `bare_tls PORT RESPONSE-FILE CERTIFICATE KEY`

mod prepared;

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use recipelog_site::server::bind_tcp;
use recipelog_site::tls::{Certificate, Certificates, HTTP2_ALPN, server_config};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use prepared::Responses;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, file, certificate, key] = &arguments[..] else {
        return Err("usage: bare_tls PORT RESPONSE-FILE CERTIFICATE KEY".into());
    };
    let responses = Arc::new(Responses::read(file)?);
    let certificates = Arc::new(Certificates::default());
    let pair = Certificate::from_pem(&std::fs::read(certificate)?, &std::fs::read(key)?)?;
    certificates.install(Arc::new(pair));
    let acceptor = TlsAcceptor::from(server_config(certificates)?);
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(serve(stream, acceptor.clone(), Arc::clone(&responses)));
    }
}

/// Serves one connection. An error ends only this connection.
async fn serve(stream: TcpStream, acceptor: TlsAcceptor, responses: Arc<Responses>) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2_ALPN);
    let service = service_fn(move |request: Request<Incoming>| {
        std::future::ready(Ok::<_, Infallible>(responses.respond(request.uri().path())))
    });
    let stream = TokioIo::new(stream);
    if is_http2 {
        let server = http2::Builder::new(TokioExecutor::new());
        server.serve_connection(stream, service).await.ok();
    } else {
        http1::Builder::new().serve_connection(stream, service).await.ok();
    }
}
