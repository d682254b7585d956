//! Answers the requests of every connection from the site, and logs them.

use std::sync::Arc;
use std::time::Instant;

use http::header::{CONNECTION, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body::Body;

use super::access_log::AccessLog;
use super::admission::OpenConnection;
use super::body::ResponseBody;
use super::client::Peer;
use crate::http::respond;
use crate::site::Site;

/// Last response of a connection (RFC 9112 §9.6).
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The site and its access log. An `Arc<Site>` alone becomes a service without
/// a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    rejection_fields: Arc<[u8]>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<Arc<AccessLog>>) -> Self {
        let fields = site.bare_headers().iter();
        let rejection_fields = fields
            .flat_map(|(name, value)| [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"])
            .flatten()
            .copied()
            .collect();
        Self { site, access_log, rejection_fields }
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

    pub(super) fn answer<B: Body>(
        &self,
        request: &Request<B>,
        connection: &OpenConnection,
    ) -> Response<ResponseBody> {
        let (mut response, entry) = match &self.access_log {
            None => (respond(&self.site, request), None),
            Some(log) => {
                let begun = Instant::now();
                let response = respond(&self.site, request);
                let entry = log.entry(request, response.status(), connection.peer, begun);
                (response, Some(entry))
            }
        };
        if !request.body().is_end_stream() {
            connection.state.skip_content();
        }
        if connection.is_ending() {
            response.headers_mut().insert(CONNECTION, CLOSE);
        }
        response.map(|content| ResponseBody::new(content.into_inner().unwrap_or_default(), entry))
    }
}

impl From<Arc<Site>> for Service {
    fn from(site: Arc<Site>) -> Self {
        Self::new(site, None)
    }
}
