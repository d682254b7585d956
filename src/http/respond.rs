//! From a request to its response.

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue, VARY};
use http::{Request, Response};
use http_body_util::Full;

use super::assemble::assemble;
use super::host::Host;
use super::outcome::{Outcome, decide};
use super::request_fields::lines;
use crate::site::{HEALTH_PATH, ONLY_OVER_HTTPS, Origin, Site};

/// The field by which a proxy says how a visitor reached it.
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The site, and where the public finds it.
#[derive(Debug)]
pub struct Front {
    /// The site.
    pub site: Site,
    /// The HTTPS origin to which this server redirects plain HTTP and `other_names` (WIRE-31);
    /// `None` without HTTPS of its own.
    pub origin: Option<Origin>,
    /// The domains that the server has besides the origin's.
    pub other_names: Vec<String>,
    /// True if every client is a proxy, whose X-Forwarded-Proto counts.
    pub trusts_proxy: bool,
}

/// A site that this server redirects nowhere.
impl From<Site> for Front {
    fn from(site: Site) -> Self {
        Self { site, origin: None, other_names: Vec::new(), trusts_proxy: false }
    }
}

impl Front {
    /// True if X-Forwarded-Proto decides between a page and a redirect.
    fn heeds_proxy(&self) -> bool {
        self.trusts_proxy && self.origin.is_some()
    }

    /// True if a visitor has sent this plain request to a proxy over HTTPS. Without HTTPS of its
    /// own, an HTTPS origin means that there is such a proxy.
    fn is_behind_https<B>(&self, request: &Request<B>) -> bool {
        if self.origin.is_none() {
            return self.site.has_https_origin;
        }
        // A proxy may add a line of its own behind one that the client sent. Of several proxies that add to one line, the
        // outermost one comes first.
        let added = lines(request.headers(), &X_FORWARDED_PROTO).last().unwrap_or_default();
        let first = added.split(|&byte| byte == b',').next().unwrap_or_default();
        self.heeds_proxy() && first.trim_ascii().eq_ignore_ascii_case(b"https")
    }
}

/// How a request arrived.
#[derive(Clone, Copy, Debug)]
pub enum Arrival<'a> {
    /// On a port of plain HTTP.
    Plain,
    /// Over TLS.
    Tls {
        /// The host that the client named in its handshake.
        server_name: Option<&'a str>,
    },
    /// In plain HTTP on a port of HTTPS (WIRE-30).
    PlainOnTlsPort,
}

/// Responds to `request`. `has_certificate` is true if the origin of `front` can be reached over
/// HTTPS. Ignores the content of the request. Never waits and never panics.
pub fn respond<B>(
    front: &Front,
    arrival: Arrival<'_>,
    has_certificate: bool,
    request: &Request<B>,
) -> Response<Full<Bytes>> {
    let is_over_https = match arrival {
        Arrival::Plain => front.is_behind_https(request),
        Arrival::Tls { .. } => true,
        Arrival::PlainOnTlsPort => false,
    };
    let outcome = match (Host::of(request), arrival) {
        (host, Arrival::PlainOnTlsPort) => Outcome::PlainOnHttps(host.map(|host| host.authority)),
        (None, _) => Outcome::BadRequest,
        (Some(host), Arrival::Tls { server_name: Some(name) })
            if is_misdirected(host, name) && request.uri().path() != HEALTH_PATH =>
        {
            Outcome::Misdirected
        }
        (Some(host), _) => {
            let is_named = |name: &String| name.eq_ignore_ascii_case(host.name);
            // Android and iOS follow no redirect when they verify the links of a name.
            let is_well_known = request.uri().path().starts_with("/.well-known/");
            let is_other = !is_well_known && front.other_names.iter().any(is_named);
            let is_elsewhere = !is_over_https || is_other;
            let origin = front.origin.as_ref().filter(|_| has_certificate && is_elsewhere);
            decide(&front.site, origin, request)
        }
    };
    // A misdirected request is for a host that this server cannot speak for.
    let speaks_for_host = is_over_https && !matches!(outcome, Outcome::Misdirected);
    let mut response = assemble(&front.site, request.method(), outcome);
    let headers = response.headers_mut();
    if !speaks_for_host {
        for name in &ONLY_OVER_HTTPS {
            headers.remove(name);
        }
    }
    if front.heeds_proxy() {
        headers.append(VARY, HeaderValue::from_name(X_FORWARDED_PROTO));
    }
    response
}

/// True if the client named another host in the handshake than in the request (WIRE-31).
fn is_misdirected(host: Host<'_>, server_name: &str) -> bool {
    !host.name.is_empty() && !host.name.eq_ignore_ascii_case(server_name)
}
