//! The certificates that handshakes present: the current one, and those that
//! answer the challenges of an ACME authority.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::certificate::Certificate;

/// The protocol of a connection on which an ACME authority validates a domain
/// (RFC 8737 §6.2).
pub const ACME_TLS_ALPN: &[u8] = b"acme-tls/1";

/// The certificates of all workers. They can be replaced at any time: a
/// handshake looks up the one to present when it begins.
#[derive(Debug, Default)]
pub struct Certificates {
    current: RwLock<Option<Arc<Certificate>>>,
    /// By domain.
    challenges: RwLock<HashMap<String, Arc<CertifiedKey>>>,
}

impl Certificates {
    /// Presents `certificate` from now on.
    pub fn install(&self, certificate: Arc<Certificate>) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(certificate);
    }

    /// The certificate that handshakes present. Without a certificate, handshakes are
    /// rejected.
    pub fn current(&self) -> Option<Arc<Certificate>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Presents `key` to the authority that validates `domain` (RFC 8737), until the next
    /// validation of this domain.
    pub fn add_challenge(&self, domain: &str, key: CertifiedKey) {
        let mut challenges = self.challenges.write().unwrap_or_else(PoisonError::into_inner);
        challenges.insert(domain.to_owned(), Arc::new(key));
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // An authority offers this protocol alone (RFC 8737 §3).
        if hello.alpn().is_some_and(|mut offered| offered.any(|protocol| protocol == ACME_TLS_ALPN))
        {
            let challenges = self.challenges.read().unwrap_or_else(PoisonError::into_inner);
            return challenges.get(hello.server_name()?).cloned();
        }
        Some(Arc::clone(&self.current()?.key))
    }
}
