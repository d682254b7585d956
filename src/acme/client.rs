//! HTTPS requests to the authority: one connection each.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::HOST;
use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Request, Uri};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::failure::Unreachable;
use super::response;

/// Maximum time of a request, from name resolution to the end of the response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a response in bytes. A certificate chain has about 4 KiB.
const RESPONSE_MAX: usize = 1024 * 1024;

const HTTPS_PORT: u16 = 443;

/// Sends requests of instant-acme.
#[derive(Clone)]
pub(super) struct Client(TlsConnector);

impl Client {
    /// A client that trusts servers as `config` does.
    pub(super) fn new(config: Arc<ClientConfig>) -> Self {
        Self(config.into())
    }
}

impl HttpClient for Client {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let connector = self.0.clone();
        Box::pin(async move {
            let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
            let result = tokio::time::timeout(REQUEST_TIMEOUT, exchange(&connector, request)).await;
            let result = result.unwrap_or_else(|_| {
                Err(format!("no answer within {} seconds", REQUEST_TIMEOUT.as_secs()))
            });
            result.map_err(|reason| {
                Error::Other(Box::new(Unreachable(format!("{authority}: {reason}"))))
            })
        })
    }
}

/// The response to `request`, or the reason why there is none.
async fn exchange(
    connector: &TlsConnector,
    mut request: Request<BodyWrapper<Bytes>>,
) -> Result<BytesResponse, String> {
    let target = Target::of(request.uri())?;
    let stream = TcpStream::connect((target.host.as_str(), target.port))
        .await
        .map_err(|error| format!("cannot connect: {error}"))?;
    let stream = connector
        .connect(target.server_name, stream)
        .await
        .map_err(|error| format!("cannot start TLS: {error}"))?;
    request.headers_mut().insert(HOST, target.host_field);
    *request.uri_mut() = target.path.into();

    let explain = |error: hyper::Error| format!("no response: {error}");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(explain)?;
    let mut connection = pin!(connection);
    let mut exchange = pin!(async move {
        let (parts, body) = sender.send_request(request).await.map_err(explain)?.into_parts();
        let body = Limited::new(body, RESPONSE_MAX).collect().await;
        let body = body.map_err(|error| format!("no complete response: {error}"))?.to_bytes();
        Ok::<_, String>((parts, body))
    });
    let (mut parts, body) = tokio::select! {
        result = &mut exchange => result?,
        // The connection has ended. The exchange knows how.
        _ = &mut connection => exchange.await?,
    };
    response::check(&mut parts, &body)?;
    Ok(BytesResponse { parts, body: Box::new(body) })
}

/// What a URL says about its server.
struct Target {
    host: String,
    port: u16,
    host_field: HeaderValue,
    server_name: ServerName<'static>,
    path: PathAndQuery,
}

impl Target {
    fn of(uri: &Uri) -> Result<Self, String> {
        // RFC 8555 §6.1: HTTPS only.
        if uri.scheme() != Some(&Scheme::HTTPS) {
            return Err(format!("{uri} is not an HTTPS URL"));
        }
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = uri.port_u16();
        let invalid = || format!("{uri} has no valid host");
        let server_name = ServerName::try_from(host.clone()).map_err(|_| invalid())?;
        let authority = uri.authority().map(ToString::to_string).unwrap_or_default();
        let host_field = HeaderValue::try_from(authority).map_err(|_| invalid())?;
        let path = uri.path_and_query().cloned();
        let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
        Ok(Self { host, port: port.unwrap_or(HTTPS_PORT), host_field, server_name, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_server_and_path() {
        for (url, host, port, field, path) in [
            ("https://ca.example/dir?a=b", "ca.example", 443, "ca.example", "/dir?a=b"),
            ("https://ca.example:9000", "ca.example", 9000, "ca.example:9000", "/"),
            ("https://[::1]:14000/dir", "::1", 14000, "[::1]:14000", "/dir"),
        ] {
            let target = Target::of(&url.parse().unwrap()).unwrap();
            assert_eq!((target.host.as_str(), target.port), (host, port));
            assert_eq!(
                (target.host_field.as_bytes(), target.path.as_str()),
                (field.as_bytes(), path)
            );
        }
    }

    #[test]
    fn urls_without_https_are_refused() {
        for url in ["http://ca.example/dir", "/dir", "ca.example:443"] {
            assert!(Target::of(&url.parse().unwrap()).is_err(), "{url}");
        }
    }
}
