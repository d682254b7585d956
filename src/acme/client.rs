//! HTTPS requests to the authority: one connection each.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http::header::HOST;
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use rustls::ClientConfig;
use tokio_rustls::TlsConnector;

use super::connect::connect;
use super::failure::Unreachable;
use super::response;
use super::target::Target;

/// Maximum time of a request, from name resolution to the end of the response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a response in bytes. A certificate chain has about 4 KiB.
const RESPONSE_MAX: usize = 1024 * 1024;

/// Sends requests of instant-acme.
#[derive(Clone)]
pub(super) struct Client(TlsConnector);

impl Client {
    /// A client that verifies servers by `config`.
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
    let stream = connect(&target).await.map_err(|error| format!("cannot connect: {error}"))?;
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
        // The connection has ended. `exchange` has the response or the error.
        _ = &mut connection => exchange.await?,
    };
    response::check(&mut parts, &body)?;
    Ok(BytesResponse { parts, body: Box::new(body) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acme::failure;
    use crate::acme::roots::client_config;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_answer_ends_the_request() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = silent.local_addr().unwrap();
        let request = Request::get(format!("https://{address}/directory"));
        let request = request.body(BodyWrapper::default()).unwrap();
        let answer = Client::new(client_config(None).unwrap()).request(request);
        let answer = tokio::time::timeout(2 * REQUEST_TIMEOUT, answer).await;
        let error = answer.expect("an end").err().expect("an error");
        let expected = format!("{address}: no answer within 30 seconds");
        assert_eq!(failure::reason(&error), expected);
        assert!(failure::is_unreachable(&error));
    }
}
