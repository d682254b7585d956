//! Answers the requests of every connection from the site, and logs them.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response, StatusCode};

use tokio_rustls::TlsAcceptor;

use super::access_log::AccessLog;
use super::admission::OpenConnection;
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
    redirect: Option<Arc<Redirect>>,
}

/// Where every request is redirected to (WIRE-31).
#[derive(Debug)]
struct Redirect {
    origin: String,
    /// The certificates at the origin.
    certificates: Arc<Certificates>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        Self { site, access_log, redirect: None }
    }

    /// The same service for plain HTTP where the site is served over HTTPS: it
    /// redirects to `origin`, which presents one of `certificates`.
    pub fn redirecting(&self, origin: &Origin, certificates: Arc<Certificates>) -> Self {
        Self {
            redirect: Some(Arc::new(Redirect { origin: origin.to_string(), certificates })),
            ..self.clone()
        }
    }

    /// Records a request that could not be parsed.
    pub(super) fn log_rejection(&self, status: StatusCode, peer: Peer) {
        if let Some(log) = &self.access_log {
            log.record_rejection(status, peer);
        }
    }

    pub(super) fn answer<B>(
        &self,
        request: &Request<B>,
        connection: &Arc<OpenConnection>,
    ) -> Response<ResponseBody> {
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
            .map(|(log, begun)| log.entry(request, response.status(), connection.peer, begun));
        response.map(|content| {
            let bytes = content.into_inner().unwrap_or_default();
            ResponseBody::new(bytes, entry, Arc::clone(connection))
        })
    }
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
    use super::super::admission::Connections;
    use super::super::client::Peer;
    use super::super::limits::Limits;
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
            let connection = Connections::new(&Limits::DEFAULT).admit_beyond_cap(Peer::Unix);
            service.answer(&request, &connection).headers()[CACHE_CONTROL].clone()
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
