//! Answers the requests of every connection from the site, and logs them.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response, StatusCode};
use tokio_rustls::TlsAcceptor;

use super::access_log::{AccessLog, Entry};
use super::admission::OpenConnection;
use super::body::ResponseBody;
use super::client::Peer;
use crate::http::{respond, respond_insecurely, respond_securely, respond_to_plain_on_https};
use crate::site::{Origin, Site};
use crate::tls::Certificates;

/// The site and its access log. An `Arc<Site>` alone becomes a service without
/// a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    role: Arc<Role>,
}

/// What a service does with requests.
#[derive(Debug)]
enum Role {
    /// It answers them.
    Site,
    /// It redirects them from plain HTTP to the origin, which presents one of these certificates
    /// (WIRE-31).
    Insecure(String, Arc<Certificates>),
    /// It redirects those for other names to the origin (WIRE-31).
    Secure(String, Vec<String>),
    /// It rejects them: they are in plain HTTP on a port of HTTPS (WIRE-30).
    PlainOnHttps,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        Self { site, access_log, role: Arc::new(Role::Site) }
    }

    fn with_role(&self, role: Role) -> Self {
        Self { role: Arc::new(role), ..self.clone() }
    }

    /// The same service for plain HTTP where the site is served over HTTPS: it
    /// redirects to `origin`, which presents one of `certificates`.
    pub fn redirecting(&self, origin: &Origin, certificates: Arc<Certificates>) -> Self {
        self.with_role(Role::Insecure(origin.to_string(), certificates))
    }

    /// The same service for HTTPS: it redirects requests for one of `other_names` to `origin`.
    pub fn redirecting_names(&self, origin: &Origin, other_names: Vec<String>) -> Self {
        self.with_role(Role::Secure(origin.to_string(), other_names))
    }

    /// The same service for plain HTTP on a port of HTTPS.
    pub(super) fn rejecting_plain(&self) -> Self {
        self.with_role(Role::PlainOnHttps)
    }

    /// Records a request that could not be parsed.
    pub(super) fn log_rejection(&self, status: StatusCode, peer: Peer) {
        if let Some(log) = &self.access_log {
            drop(Entry::of_rejection(Arc::clone(log), status, peer));
        }
    }

    pub(super) fn answer<B>(
        &self,
        request: &Request<B>,
        connection: &Arc<OpenConnection>,
    ) -> Response<ResponseBody> {
        let log = self.access_log.as_ref().map(|log| (Arc::clone(log), Instant::now()));
        let response = match &*self.role {
            Role::Site => respond(&self.site, request),
            Role::Insecure(origin, certificates) => {
                let is_ready = certificates.current().is_some();
                respond_insecurely(&self.site, request, origin, is_ready)
            }
            Role::Secure(origin, names) => respond_securely(&self.site, request, origin, names),
            Role::PlainOnHttps => respond_to_plain_on_https(&self.site, request),
        };
        let entry = log.map(|(log, begun)| {
            Box::new(Entry::of_request(log, request, response.status(), connection.peer, begun))
        });
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

/// The service of each kind of listening socket.
#[derive(Clone)]
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
        assert_eq!(cache("/"), CachePolicy::NoStore.value());

        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
        certificates.install(Arc::new(certificate));
        assert_eq!(cache("/"), CachePolicy::Short.value());
        assert_eq!(cache("/healthz"), CachePolicy::NoStore.value());
    }
}
