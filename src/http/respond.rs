//! From a request to its response.

use bytes::Bytes;
use http::header::STRICT_TRANSPORT_SECURITY;
use http::{Request, Response};
use http_body_util::Full;

use super::outcome::{self, Outcome};
use super::{host, response};
use crate::site::{HEALTH_PATH, SECURE_CONTEXT, Site};

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
        remove_fields_of_secure_contexts(&mut response);
    }
    response
}

fn remove_fields_of_secure_contexts(response: &mut Response<Full<Bytes>>) {
    for (name, _) in SECURE_CONTEXT {
        response.headers_mut().remove(name);
    }
}

/// Responds to a request over plain HTTP to a site that is served over HTTPS at
/// `origin`. The health check, `OPTIONS *` and requests with an invalid host or target
/// get the response of [`respond`], all others a redirect. Strict-Transport-Security is
/// left out (RFC 6797 §7.2). Without an origin, which is not ready yet, there is no redirect: it would
/// lead to a port that rejects handshakes.
pub fn redirect_to_https<B>(
    site: &Site,
    request: &Request<B>,
    origin: Option<&str>,
) -> Response<Full<Bytes>> {
    let outcome = outcome::decide_elsewhere(site, request, origin);
    let mut response = response::build(site, request.method(), outcome);
    response.headers_mut().remove(STRICT_TRANSPORT_SECURITY);
    remove_fields_of_secure_contexts(&mut response);
    response
}

/// Responds to a request over HTTPS to a site that is served at `origin`. A request for one of
/// `other_names` gets a redirect, with the exceptions of [`redirect_to_https`].
pub fn redirect_names<B>(
    site: &Site,
    request: &Request<B>,
    origin: Option<&str>,
    other_names: &[String],
) -> Response<Full<Bytes>> {
    let host = host::name(request);
    let origin = origin.filter(|_| other_names.iter().any(|name| name.eq_ignore_ascii_case(host)));
    response::build(site, request.method(), outcome::decide_elsewhere(site, request, origin))
}

/// Responds to a request for another host than `server_name`, which the client named in its handshake
/// (WIRE-31). `None` for other requests, for those without a valid host, and for the health check.
pub fn reject_misdirected<B>(
    site: &Site,
    request: &Request<B>,
    server_name: &str,
) -> Option<Response<Full<Bytes>>> {
    let host = host::name(request);
    let is_misdirected = !host.is_empty()
        && !host.eq_ignore_ascii_case(server_name)
        && host::is_valid(request)
        && request.uri().path() != HEALTH_PATH;
    is_misdirected.then(|| {
        let mut response = response::build(site, request.method(), Outcome::Misdirected);
        response.headers_mut().remove(STRICT_TRANSPORT_SECURITY);
        response
    })
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
