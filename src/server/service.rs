//! Answers the requests of every connection from the site, and logs them.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::{HeaderMap, STRICT_TRANSPORT_SECURITY};
use http::{Request, Response, StatusCode};

use tokio_rustls::TlsAcceptor;

use super::access_log::AccessLog;
use super::body::ResponseBody;
use super::client::Peer;
use crate::http::{respond, respond_insecurely};
use crate::site::{Origin, Site};
use crate::tls::Certificates;

/// The site and its access log. An `Arc<Site>` alone becomes a service without
/// a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    rejection_fields: Arc<[u8]>,
    redirect: Option<Arc<Redirect>>,
}

/// Where every request is redirected to (HTTP-31).
#[derive(Debug)]
struct Redirect {
    origin: String,
    /// The certificates at the origin.
    certificates: Arc<Certificates>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        let rejection_fields = field_lines(site.error_headers());
        Self { site, access_log, rejection_fields, redirect: None }
    }

    /// The same service for plain HTTP where the site is served over HTTPS: it
    /// redirects to `origin`, which presents one of `certificates`.
    pub fn redirecting(&self, origin: &Origin, certificates: Arc<Certificates>) -> Self {
        let mut fields = self.site.error_headers().clone();
        // RFC 6797 §7.2.
        fields.remove(STRICT_TRANSPORT_SECURITY);
        Self {
            rejection_fields: field_lines(&fields),
            redirect: Some(Arc::new(Redirect { origin: origin.to_string(), certificates })),
            ..self.clone()
        }
    }

    /// The field lines of a response to a request that could not be parsed.
    pub(super) fn rejection_fields(&self) -> &[u8] {
        &self.rejection_fields
    }

    pub(super) fn log_rejection(&self, status: StatusCode, peer: Peer) {
        if let Some(log) = &self.access_log {
            log.record_rejection(status, peer);
        }
    }

    /// The response to a request that exceeds a limit. Nothing else in it is examined.
    pub(super) fn reject(&self, status: StatusCode, peer: Peer) -> Response<ResponseBody> {
        self.log_rejection(status, peer);
        let mut response = Response::new(ResponseBody::new(Bytes::new(), None));
        *response.status_mut() = status;
        *response.headers_mut() = self.site.error_headers().clone();
        response
    }

    pub(super) fn answer<B>(&self, request: &Request<B>, peer: Peer) -> Response<ResponseBody> {
        let begun = self.access_log.as_ref().map(|_| Instant::now());
        let response = match self.redirect.as_deref() {
            None => respond(&self.site, request),
            Some(Redirect { origin, certificates }) => {
                let is_ready = certificates.current().is_some();
                respond_insecurely(&self.site, request, origin, is_ready)
            }
        };
        let entry = self
            .access_log
            .as_ref()
            .zip(begun)
            .map(|(log, begun)| log.entry(request, response.status(), peer, begun));
        response.map(|content| ResponseBody::new(content.into_inner().unwrap_or_default(), entry))
    }
}

fn field_lines(fields: &HeaderMap) -> Arc<[u8]> {
    let lines = fields
        .iter()
        .flat_map(|(name, value)| [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"]);
    lines.flatten().copied().collect()
}

impl From<Arc<Site>> for Service {
    fn from(site: Arc<Site>) -> Self {
        Self::new(site, None)
    }
}

/// The service of each kind of listening socket. A [`Service`] or an `Arc<Site>`
/// alone is served in plain text.
#[derive(Clone, Debug)]
pub struct Services {
    /// On sockets for plain HTTP.
    pub http: Service,
    /// On sockets for HTTPS.
    pub https: Option<HttpsService>,
}

/// A service over TLS.
#[derive(Clone)]
pub struct HttpsService {
    /// Accepts handshakes.
    pub tls: TlsAcceptor,
    /// Answers the requests.
    pub service: Service,
}

impl<S: Into<Service>> From<S> for Services {
    fn from(service: S) -> Self {
        Self { http: service.into(), https: None }
    }
}

impl fmt::Debug for HttpsService {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpsService")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{CachePolicy, Settings};
    use crate::tls::Certificate;
    use http::header::{CACHE_CONTROL, HOST};
    use rcgen::generate_simple_self_signed;

    #[test]
    fn redirects_may_be_stored_from_the_first_certificate_on() {
        let certificates = Arc::<Certificates>::default();
        let site = Arc::new(Site::embedded(&Settings::default()));
        let origin = "https://a.example".parse().unwrap();
        let service = Service::from(site).redirecting(&origin, Arc::clone(&certificates));
        let cache = |path| {
            let request = Request::builder().uri(path).header(HOST, "a").body(()).unwrap();
            let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
            service.answer(&request, peer).headers()[CACHE_CONTROL].clone()
        };
        assert_eq!(cache("/"), "no-store");

        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
        certificates.install(Arc::new(certificate));
        assert_eq!(cache("/"), CachePolicy::Short.value());
        assert_eq!(cache("/healthz"), "no-store");
    }
}
