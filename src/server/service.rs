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

/// The site and its access log. An `Arc<Site>` alone becomes a service without
/// a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    rejection_fields: Arc<[u8]>,
    /// The origin that every request is redirected to.
    redirect_origin: Option<Arc<str>>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        let rejection_fields = field_lines(site.bare_headers());
        Self { site, access_log, rejection_fields, redirect_origin: None }
    }

    /// The same service for plain HTTP where the site is served over HTTPS: it
    /// redirects to `origin`.
    pub fn redirecting(&self, origin: &Origin) -> Self {
        let mut fields = self.site.bare_headers().clone();
        // RFC 6797 §7.2.
        fields.remove(STRICT_TRANSPORT_SECURITY);
        Self {
            rejection_fields: field_lines(&fields),
            redirect_origin: Some(origin.to_string().into()),
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

    /// The response to a request that is too large to be looked at.
    pub(super) fn reject(&self, status: StatusCode, peer: Peer) -> Response<ResponseBody> {
        self.log_rejection(status, peer);
        let mut response = Response::new(ResponseBody::new(Bytes::new(), None));
        *response.status_mut() = status;
        *response.headers_mut() = self.site.bare_headers().clone();
        response
    }

    pub(super) fn answer<B>(&self, request: &Request<B>, peer: Peer) -> Response<ResponseBody> {
        let begun = self.access_log.as_ref().map(|_| Instant::now());
        let response = match &self.redirect_origin {
            None => respond(&self.site, request),
            Some(origin) => respond_insecurely(&self.site, request, origin),
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
    /// What is served.
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
