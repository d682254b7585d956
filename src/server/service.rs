//! Answers the requests of every connection from the site, and logs them.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response, StatusCode};
use tokio_rustls::TlsAcceptor;

use super::access_log::{AccessLog, Entry};
use super::admission::OpenConnection;
use super::body::ResponseBody;
use super::peer::Peer;
use crate::http::{
    redirect_names, redirect_to_https, reject_plain_http, respond, respond_without_tls,
};
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
    /// It answers them, without TLS.
    Answer,
    /// It answers them, over TLS.
    AnswerOverTls,
    /// It redirects them from plain HTTP to the origin, which presents one of these certificates
    /// (WIRE-31).
    RedirectToHttps { origin: String, certificates: Arc<Certificates> },
    /// It redirects those for other names to the origin (WIRE-31).
    RedirectNames { origin: String, names: Vec<String> },
    /// It rejects them: they are in plain HTTP on a port of HTTPS (WIRE-30).
    RejectPlainHttp,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        Self { site, access_log, role: Arc::new(Role::Answer) }
    }

    fn with_role(&self, role: Role) -> Self {
        Self { role: Arc::new(role), ..self.clone() }
    }

    /// The same service over TLS.
    pub fn over_tls(&self) -> Self {
        self.with_role(Role::AnswerOverTls)
    }

    /// The same service for plain HTTP where the site is served over HTTPS: it
    /// redirects to `origin`, which presents one of `certificates`.
    pub fn redirecting(&self, origin: &Origin, certificates: Arc<Certificates>) -> Self {
        self.with_role(Role::RedirectToHttps { origin: origin.to_string(), certificates })
    }

    /// The same service for HTTPS: it redirects requests for one of `other_names` to `origin`.
    pub fn redirecting_names(&self, origin: &Origin, other_names: Vec<String>) -> Self {
        self.with_role(Role::RedirectNames { origin: origin.to_string(), names: other_names })
    }

    /// The same service for plain HTTP on a port of HTTPS.
    pub(super) fn rejecting_plain(&self) -> Self {
        self.with_role(Role::RejectPlainHttp)
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
            Role::Answer => respond_without_tls(&self.site, request),
            Role::AnswerOverTls => respond(&self.site, request),
            Role::RedirectToHttps { origin, certificates } => {
                let is_ready = certificates.current().is_some();
                redirect_to_https(&self.site, request, origin, is_ready)
            }
            Role::RedirectNames { origin, names } => {
                redirect_names(&self.site, request, origin, names)
            }
            Role::RejectPlainHttp => reject_plain_http(&self.site, request),
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
    use super::super::limits::Limits;
    use super::super::peer::Peer;
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
