//! Answers the requests of every connection from the site, and logs them.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response, StatusCode};
use tokio_rustls::TlsAcceptor;

use super::activity::Activity;
use super::body::ResponseBytes;
use crate::http::{Arrival, Front, respond};
use crate::server::access_log::{AccessLog, Entry};
use crate::server::peer::Peer;
use crate::site::{HEALTH_PATH, Site};
use crate::tls::Certificates;

/// What all connections share: the site, its certificates, and the access log.
#[derive(Clone)]
pub struct Service {
    pub(in crate::server) front: Arc<Front>,
    tls: Option<Tls>,
    access_log: Option<Arc<AccessLog>>,
}

/// What HTTPS needs.
#[derive(Clone)]
pub struct Tls {
    /// Accepts handshakes.
    pub acceptor: TlsAcceptor,
    /// What handshakes present.
    pub certificates: Arc<Certificates>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(front: Front, tls: Option<Tls>, access_log: Option<Arc<AccessLog>>) -> Self {
        Self { front: Arc::new(front), tls, access_log }
    }

    /// What accepts handshakes; `None` without HTTPS.
    pub(in crate::server) fn acceptor(&self) -> Option<&TlsAcceptor> {
        self.tls.as_ref().map(|tls| &tls.acceptor)
    }

    /// Records a request that could not be parsed.
    pub(super) fn log_rejection(&self, status: StatusCode, peer: Peer) {
        if let Some(log) = &self.access_log {
            let request = None::<&Request<()>>;
            drop(Entry::new(Arc::clone(log), request, status, peer, Instant::now()));
        }
    }

    pub(super) fn answer<B>(
        &self,
        request: &Request<B>,
        arrival: Arrival<'_>,
        activity: &Rc<Activity>,
    ) -> Response<ResponseBytes> {
        let log = self.access_log.as_ref().filter(|_| request.uri().path() != HEALTH_PATH);
        let log = log.map(|log| (Arc::clone(log), Instant::now()));
        let has_certificate = self.front.origin.is_some()
            && self.tls.as_ref().is_some_and(|tls| tls.certificates.has_default());
        let response = respond(&self.front, arrival, has_certificate, request);
        let entry = log.map(|(log, begun)| {
            Box::new(Entry::new(log, Some(request), response.status(), activity.permit.peer, begun))
        });
        response.map(|content| {
            let bytes = content.into_inner().unwrap_or_default();
            ResponseBytes::new(bytes, entry, Rc::clone(activity))
        })
    }
}

/// A service of a site alone: without HTTPS, and without a log.
impl From<Site> for Service {
    fn from(site: Site) -> Self {
        Self::new(site.into(), None, None)
    }
}
