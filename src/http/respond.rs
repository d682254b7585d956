//! From a request to its response.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, STRICT_TRANSPORT_SECURITY};
use http::{Request, Response, StatusCode};
use http_body_util::Full;

use super::outcome::{self, Outcome};
use super::{host, response};
use crate::site::{CachePolicy, SECURE_CONTEXT, Site};

/// Responds to `request` from `site`, over TLS. Ignores the content of the request. Never
/// waits and never panics.
pub fn respond<B>(site: &Site, request: &Request<B>) -> Response<Full<Bytes>> {
    response::build(site, request.method(), outcome::decide(site, request))
}

/// Responds to a request without TLS. Leaves out the fields that browsers ignore outside of a secure
/// context, which that of a proxy or of this machine is nevertheless (WIRE-22).
pub fn respond_without_tls<B>(site: &Site, request: &Request<B>) -> Response<Full<Bytes>> {
    let mut response = respond(site, request);
    let scheme = request.headers().get("x-forwarded-proto");
    let has_proxy = site.has_https_origin || scheme.is_some_and(|scheme| scheme == "https");
    if !has_proxy && !host::is_local(request) {
        for (name, _) in SECURE_CONTEXT {
            response.headers_mut().remove(name);
        }
    }
    response
}

/// Responds to a request over plain HTTP to a site that is served over HTTPS at
/// `origin`. The health check, `OPTIONS *` and requests with an invalid host or target
/// get the response of [`respond`], all others a redirect. Strict-Transport-Security is
/// left out (RFC 6797 §7.2). As long as the origin is not ready, no client may store
/// the redirect: it leads to a port that rejects handshakes.
pub fn redirect_to_https<B>(
    site: &Site,
    request: &Request<B>,
    origin: &str,
    is_ready: bool,
) -> Response<Full<Bytes>> {
    let outcome = outcome::decide_elsewhere(site, request, origin);
    let mut response = response::build(site, request.method(), outcome);
    response.headers_mut().remove(STRICT_TRANSPORT_SECURITY);
    if !is_ready && response.status() == StatusCode::PERMANENT_REDIRECT {
        response.headers_mut().insert(CACHE_CONTROL, CachePolicy::NoStore.value());
    }
    response
}

/// Responds to a request over HTTPS to a site that is served at `origin`. A request for one of
/// `other_names` gets a redirect, with the exceptions of [`redirect_to_https`].
pub fn redirect_names<B>(
    site: &Site,
    request: &Request<B>,
    origin: &str,
    other_names: &[String],
) -> Response<Full<Bytes>> {
    if !host::is_one_of(request, other_names) {
        return respond(site, request);
    }
    response::build(site, request.method(), outcome::decide_elsewhere(site, request, origin))
}

/// Responds to a request in plain HTTP on a port of HTTPS (WIRE-30).
pub fn reject_plain_http<B>(site: &Site, request: &Request<B>) -> Response<Full<Bytes>> {
    let authority = host::authority(request).filter(|_| host::is_valid(request));
    let url = authority.map(|authority| format!(": https://{authority}")).unwrap_or_default();
    let outcome = Outcome::PlainOnHttps(format!("This port speaks HTTPS{url}\n"));
    let mut response = response::build(site, request.method(), outcome);
    response.headers_mut().remove(STRICT_TRANSPORT_SECURITY);
    response
}
