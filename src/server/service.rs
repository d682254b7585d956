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
    redirect_names, redirect_to_https, reject_misdirected, reject_plain_http, respond,
    respond_without_tls,
};
use crate::site::Site;
use crate::tls::Certificates;

/// The site and its access log. An `Arc<Site>` alone becomes a service without
/// a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    role: Arc<Role>,
    /// The host that the client named in its handshake.
    server_name: Option<Arc<str>>,
}

/// What a service does with requests.
#[derive(Debug)]
pub enum Role {
    /// It answers them, without TLS.
    Answer,
    /// It answers them, over TLS.
    AnswerOverTls,
    /// It redirects them to the origin, which presents one of these certificates (WIRE-31): from plain HTTP
    /// or, over TLS, those for these names.
    Redirect {
        /// The origin.
        origin: String,
        /// Its certificates.
        certificates: Arc<Certificates>,
        /// The names over TLS.
        names: Option<Vec<String>>,
    },
    /// It rejects them: they are in plain HTTP on a port of HTTPS (WIRE-30).
    RejectPlainHttp,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        Self { site, access_log, role: Arc::new(Role::Answer), server_name: None }
    }

    /// The same service with another role.
    pub fn with_role(&self, role: Role) -> Self {
        Self { role: Arc::new(role), ..self.clone() }
    }

    /// The same service for one connection over TLS: it rejects requests for other hosts than the one that
    /// the client named in its handshake, if it named one (WIRE-31).
    pub(super) fn for_server_name(&self, name: Option<&str>) -> Self {
        Self { server_name: name.map(Arc::from), ..self.clone() }
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
        let misdirected = self
            .server_name
            .as_ref()
            .and_then(|name| reject_misdirected(&self.site, request, name));
        let response = misdirected.unwrap_or_else(|| match &*self.role {
            Role::Answer => respond_without_tls(&self.site, request),
            Role::AnswerOverTls => respond(&self.site, request),
            Role::Redirect { origin, certificates, names } => {
                let origin = certificates.current().is_some().then_some(&**origin);
                match names {
                    Some(names) => redirect_names(&self.site, request, origin, names),
                    None => redirect_to_https(&self.site, request, origin),
                }
            }
            Role::RejectPlainHttp => reject_plain_http(&self.site, request),
        });
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

impl<S: Into<Service>> From<S> for Services {
    fn from(service: S) -> Self {
        Self { http: service.into(), https: None }
    }
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
    use crate::site::Settings;
    use crate::tls::Certificate;
    use http::header::HOST;
    use rcgen::generate_simple_self_signed;

    #[test]
    fn requests_are_redirected_to_an_origin_from_its_first_certificate_on() {
        let certificates = Arc::new(Certificates::new("a.example"));
        let site = Arc::new(Site::embedded(&Settings::default()));
        let service = Service::from(site);
        let redirect = |names| {
            let origin = "https://a.example".to_owned();
            service.with_role(Role::Redirect {
                origin,
                certificates: Arc::clone(&certificates),
                names,
            })
        };
        let (plain, other) = (redirect(None), redirect(Some(vec!["b.example".to_owned()])));
        let statuses = || {
            [&plain, &other].map(|service| {
                let request = Request::builder().uri("/terms").header(HOST, "b.example");
                let connection = Connections::new(&Limits::DEFAULT).admit_beyond_cap(Peer::Unix);
                service.answer(&request.body(()).unwrap(), &connection).status().as_u16()
            })
        };
        for (name, expected) in [("b.example", 200), ("a.example", 308)] {
            let issued = generate_simple_self_signed([name.to_owned()]).unwrap();
            let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
            let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
            certificates.install(name, certificate);
            assert_eq!(statuses(), [expected; 2], "{name}");
        }
    }
}
