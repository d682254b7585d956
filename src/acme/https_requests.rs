//! HTTPS requests to the authority.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::HOST;
use http::{HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use rustls::pki_types::ServerName;
use rustls::{CertificateError as Rejected, ClientConfig, RootCertStore};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::reason::{problem_in, words};
use crate::host_name::without_brackets;
use crate::operator_file;
use crate::problem::{Problem, words_of};
use crate::tls::{certificates_in, day, not_x509, provider};

/// Maximum time of a request, from name resolution to the end of the response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum time for one address of the authority to accept a connection, as over a broken IPv6
/// route.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

const HTTPS_PORT: u16 = 443;

/// Maximum size of a response in bytes. A certificate chain has about 4 KiB.
const RESPONSE_MAX: usize = 1024 * 1024;

/// Sends the requests of instant-acme. Its own client would read the root certificates of the
/// system, but the executable needs no file.
#[derive(Clone)]
pub(super) struct HttpsRequests(TlsConnector);

impl HttpsRequests {
    /// Requests that trust the root certificates in `root_file` or, if that is `None`, those
    /// that Mozilla trusts. The error states the problem and the remedy in one line.
    pub(super) fn new(root_file: Option<&Path>) -> Result<Self, Problem> {
        let roots = match root_file {
            Some(path) => read_roots(path)?,
            None => RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() },
        };
        let config = ClientConfig::builder_with_provider(Arc::clone(provider()))
            .with_safe_default_protocol_versions()
            .map_err(Problem::of_process("cannot configure TLS to the authority"))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config).into()))
    }
}

fn read_roots(path: &Path) -> Result<RootCertStore, Problem> {
    let content = operator_file::read_for("--acme-root", path)?;
    let mut roots = RootCertStore::empty();
    let added = certificates_in(&content).and_then(|certificates| {
        match roots.add_parsable_certificates(certificates) {
            (0, _) => Err(not_x509()),
            _ => Ok(()),
        }
    });
    added.map(|()| roots).map_err(|problem| {
        let what = format!("cannot use {} of --acme-root", path.display());
        Problem::new(what, "write the authority's root certificate into it, in PEM")
            .because(problem.what())
    })
}

impl HttpClient for HttpsRequests {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let connector = self.0.clone();
        Box::pin(async move {
            let authority = request.uri().authority().map(ToString::to_string).unwrap_or_default();
            let response = timeout(REQUEST_TIMEOUT, exchange(&connector, request)).await;
            let response = response.unwrap_or_else(|_| {
                Err(format!("no answer within {} seconds", REQUEST_TIMEOUT.as_secs()))
            });
            response.map_err(|reason| Error::Other(format!("{authority}: {reason}").into()))
        })
    }
}

/// The response to `request`, over a connection of its own, or the reason why there is none.
async fn exchange(
    connector: &TlsConnector,
    mut request: Request<BodyWrapper<Bytes>>,
) -> Result<BytesResponse, String> {
    let (url, is_post) = (request.uri().clone(), request.method() == Method::POST);
    let invalid = || format!("{url} has no host");
    let authority = url.authority().ok_or_else(invalid)?;
    let host = without_brackets(authority.host());
    let name = ServerName::try_from(host.to_owned()).map_err(|_| invalid())?;
    let stream = connect(host, authority.port_u16().unwrap_or(HTTPS_PORT)).await;
    let stream = stream.map_err(|error| {
        format!(
            "cannot connect: {}; check --acme-directory, the network and the name servers",
            words_of(&error)
        )
    })?;
    let stream = connector.connect(name, stream).await;
    let stream = stream.map_err(|error| tls_problem(&error))?;
    let host_field = HeaderValue::try_from(authority.as_str()).map_err(|_| invalid())?;
    request.headers_mut().insert(HOST, host_field);
    *request.uri_mut() = url.path_and_query().cloned().map_or_else(Uri::default, Uri::from);

    let no_response = |error: hyper::Error| format!("no response: {error}");
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(no_response)?;
    // The task ends with `sender`, and the response reports its errors.
    tokio::spawn(connection);
    let (parts, body) = sender.send_request(request).await.map_err(no_response)?.into_parts();
    let body = Limited::new(body, RESPONSE_MAX).collect().await;
    let body = body.map_err(|error| format!("no complete response: {error}"))?.to_bytes();
    // instant-acme expects an error of ACME (RFC 8555 §6.7) as the answer to POST alone, and one
    // without a problem document comes from a proxy.
    if !(parts.status.is_success() || is_post && problem_in(&body).is_some()) {
        let remedy = match parts.status {
            StatusCode::NOT_FOUND => "; check --acme-directory",
            _ => "",
        };
        return Err(format!("answer {}{}{remedy}", parts.status, words(&body)));
    }
    Ok(BytesResponse { parts, body: Box::new(body) })
}

/// Why there is no TLS to the authority, with the remedy if there is one.
fn tls_problem(error: &io::Error) -> String {
    let rejected = match error.get_ref().and_then(|error| error.downcast_ref()) {
        Some(rustls::Error::InvalidCertificate(rejected)) => rejected,
        _ => return format!("cannot start TLS: {error}"),
    };
    let reason = match rejected {
        Rejected::UnknownIssuer => {
            "is from an unknown authority; name its root certificate with --acme-root".to_owned()
        }
        Rejected::NotValidForNameContext { .. } => {
            "is for another name; give --acme-directory a name that it has".to_owned()
        }
        Rejected::NotValidYetContext { .. } | Rejected::ExpiredContext { .. } => {
            let today = day(SystemTime::now());
            format!("is not valid on {today}, the date of this machine's clock; correct the clock")
        }
        // rustls has no value for this error of webpki.
        other if other.to_string().contains("CaUsedAsEndEntity") => {
            "is an authority's own (CA:TRUE), as openssl req -x509 makes it; make one for it with \
             -addext basicConstraints=critical,CA:FALSE"
                .to_owned()
        }
        other => format!("is not accepted: {other}"),
    };
    format!("its certificate for HTTPS {reason}")
}

/// The first connection to one of the addresses of `host`, which are tried in their order.
async fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut last_error = io::Error::other("the name has no address");
    for address in lookup_host((host, port)).await? {
        match timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last_error = error,
            Err(elapsed) => last_error = elapsed.into(),
        }
    }
    Err(last_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_answer_ends_the_request() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = silent.local_addr().unwrap();
        let request = Request::get(format!("https://{address}/directory"));
        let request = request.body(BodyWrapper::default()).unwrap();
        let answer = HttpsRequests::new(None).unwrap().request(request);
        let answer = tokio::time::timeout(2 * REQUEST_TIMEOUT, answer).await;
        let error = answer.expect("an end").err().expect("an error");
        assert_eq!(error.to_string(), format!("{address}: no answer within 30 seconds"));
    }
}
