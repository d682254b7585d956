//! TLS on the client's side, for the health check.

use std::sync::Arc;
use std::time::SystemTime;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme};

use super::provider::provider;
use super::x509;

/// A connection that accepts any certificate, for a server on the same machine.
/// It asks for `host`, which is a name or, as in a URL, an address.
pub fn unverified_client(host: &str) -> Result<ClientConnection, Error> {
    // RFC 3986 §3.2.2: an IPv6 address in a URL is in brackets.
    let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(name).map_err(|error| Error::General(error.to_string()))?;
    ClientConnection::new(Arc::new(unverified_config()?), name)
}

/// The configuration of a client that accepts any certificate.
pub fn unverified_config() -> Result<ClientConfig, Error> {
    Ok(ClientConfig::builder_with_provider(Arc::clone(provider()))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate))
        .with_no_client_auth())
}

/// The end of a certificate's validity; `None` if it cannot be parsed.
pub fn not_after(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    x509::parse(certificate).ok().map(|fields| fields.not_after)
}

/// Checks that the server has the key of its certificate, and nothing else.
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
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &provider().signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &provider().signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider().signature_verification_algorithms.supported_schemes()
    }
}
