//! What answers the requests of every connection: the site, and the log that
//! is kept of it.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;

use super::access_log::{AccessLog, Entry};
use super::listener::Peer;
use crate::http::respond;
use crate::site::Site;

/// The site and how its requests are logged. An `Arc<Site>` alone becomes one
/// without a log.
#[derive(Clone, Debug)]
pub struct Service {
    site: Arc<Site>,
    access_log: Option<Arc<AccessLog>>,
    refusal_fields: Arc<[u8]>,
}

impl Service {
    /// A service that logs each request to `access_log`, if there is one.
    pub fn new(site: Arc<Site>, access_log: Option<AccessLog>) -> Self {
        let fields = site.bare_headers().iter();
        let refusal_fields = fields
            .flat_map(|(name, value)| [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"])
            .flatten()
            .copied()
            .collect();
        Self { site, access_log: access_log.map(Arc::new), refusal_fields }
    }

    /// The field lines that an answer carries where no request was read.
    pub(super) fn refusal_fields(&self) -> Arc<[u8]> {
        Arc::clone(&self.refusal_fields)
    }

    pub(super) fn answer<B>(&self, request: &Request<B>, peer: Peer) -> Response<Full<Bytes>> {
        match &self.access_log {
            None => respond(&self.site, request),
            Some(log) => {
                let entry = Entry::begin(request, peer);
                let response = respond(&self.site, request);
                log.record(entry, &response);
                response
            }
        }
    }
}

impl From<Arc<Site>> for Service {
    fn from(site: Arc<Site>) -> Self {
        Self::new(site, None)
    }
}
