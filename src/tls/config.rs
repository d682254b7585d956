//! The configuration of TLS on the server's side (HTTP-30).

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::NoServerSessionStorage;
use rustls::version::{TLS12, TLS13};

use super::alpn::{ACME_TLS_ALPN, HTTP1_ALPN, HTTP2_ALPN};
use super::certificates::Certificates;
use super::provider::{provider, ticketer};

/// TLS 1.2 and 1.3 with the certificates of `certificates`.
///
/// Clients resume sessions with tickets: the server keeps no sessions.
pub fn server_config(certificates: Arc<Certificates>) -> Result<Arc<ServerConfig>, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::clone(provider()))
        .with_protocol_versions(&[&TLS13, &TLS12])?
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    config.alpn_protocols = [HTTP2_ALPN, HTTP1_ALPN, ACME_TLS_ALPN].map(<[u8]>::to_vec).to_vec();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.ticketer = ticketer()?;
    Ok(Arc::new(config))
}
