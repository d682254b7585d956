//! The configuration of TLS: of the server (WIRE-30), and of the client of the health check.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::NoServerSessionStorage;
use rustls::version::{TLS12, TLS13};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, ServerConfig, SignatureScheme,
};

use super::certificates::{ACME_TLS_ALPN, Certificates};
use super::provider::{provider, server_provider, ticketer};

/// HTTP/2 over TLS (RFC 9113 §3.2), and only there.
pub const HTTP2_ALPN: &[u8] = b"h2";

/// TLS 1.2 and 1.3 with the certificates of `certificates`.
///
/// Clients resume sessions with tickets: the server keeps no sessions.
pub fn server_config(certificates: Arc<Certificates>) -> Result<Arc<ServerConfig>, Error> {
    let mut config = ServerConfig::builder_with_provider(server_provider().into())
        .with_protocol_versions(&[&TLS13, &TLS12])?
        .with_no_client_auth()
        .with_cert_resolver(certificates);
    // RFC 7301 §6. With `--http1.0`, curl offers http/1.0 and nothing else.
    let protocols = [HTTP2_ALPN, b"http/1.1", b"http/1.0", ACME_TLS_ALPN];
    config.alpn_protocols = protocols.map(<[u8]>::to_vec).to_vec();
    // A client that reads slowly reads whole records: with 16 KiB, it would seem to make no
    // progress for the write limit (WIRE-25).
    config.max_fragment_size = Some(8 * 1024);
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.ticketer = ticketer()?;
    Ok(Arc::new(config))
}

/// A connection that accepts any certificate, for a server on the same machine. It asks for `host`,
/// which is a name or an address, and offers `protocols` in ALPN.
pub fn unverified_client(host: &str, protocols: &[&[u8]]) -> Result<ClientConnection, Error> {
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|error| Error::General(error.to_string()))?;
    let mut config = ClientConfig::builder_with_provider(Arc::clone(provider()))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    ClientConnection::new(config.into(), name)
}

/// Accepts any certificate, and any signature.
#[derive(Debug)]
struct AnyCertificate;

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider().signature_verification_algorithms.supported_schemes()
    }
}
