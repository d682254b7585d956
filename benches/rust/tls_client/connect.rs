//! One connection with TLS 1.3.

use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{
    ClientSessionStore, Resumption, Tls12ClientSessionValue, Tls13ClientSessionValue,
};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::version::TLS13;
use rustls::{ClientConfig, DigitallySignedStruct, Error, NamedGroup, SignatureScheme};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// The handshakes of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Full,
    Resumed,
}

/// A client that offers one protocol and stores its tickets in `tickets`.
pub fn client(tickets: Arc<Tickets>, protocol: &[u8]) -> Result<TlsConnector, Error> {
    let provider = ring::default_provider();
    // The suite that browsers prefer.
    let cipher_suites = vec![ring::cipher_suite::TLS13_AES_128_GCM_SHA256];
    let provider = Arc::new(CryptoProvider { cipher_suites, ..provider });
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Unverified))
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    config.resumption = Resumption::store(tickets);
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Connects to `port` of this machine.
pub async fn connect(client: &TlsConnector, port: u16) -> io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    stream.set_nodelay(true)?;
    let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
    client.connect(name, stream).await
}

/// Session tickets of a client. All are collected before the first one is used, because some
/// servers send no ticket after a resumed handshake. Each ticket is used once.
#[derive(Debug, Default)]
pub struct Tickets {
    collected: Mutex<Vec<Tls13ClientSessionValue>>,
    is_spending: AtomicBool,
}

impl Tickets {
    /// Ends the collection: from now on, each new connection resumes a session with one of
    /// the collected tickets.
    pub fn spend(&self) {
        self.is_spending.store(true, Ordering::Relaxed);
    }

    pub fn is_empty(&self) -> bool {
        self.collected().is_empty()
    }

    fn collected(&self) -> MutexGuard<'_, Vec<Tls13ClientSessionValue>> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientSessionStore for Tickets {
    fn set_kx_hint(&self, _: ServerName<'static>, _: NamedGroup) {}

    fn kx_hint(&self, _: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }

    fn set_tls12_session(&self, _: ServerName<'static>, _: Tls12ClientSessionValue) {}

    fn tls12_session(&self, _: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        None
    }

    fn remove_tls12_session(&self, _: &ServerName<'static>) {}

    fn insert_tls13_ticket(&self, _: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.collected().push(ticket);
    }

    fn take_tls13_ticket(&self, _: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.is_spending.load(Ordering::Relaxed).then(|| self.collected().pop())?
    }
}

/// Verifies nothing.
#[derive(Debug)]
struct Unverified;

impl ServerCertVerifier for Unverified {
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
        vec![SignatureScheme::ECDSA_NISTP256_SHA256]
    }
}
