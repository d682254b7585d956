//! The certificates that handshakes present to visitors, and to an ACME authority that validates a
//! domain.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::certificate::Certificate;

/// The protocol of a connection on which an ACME authority validates a domain (RFC 8737 §6.2).
pub const ACME_TLS_ALPN: &[u8] = b"acme-tls/1";

/// The certificates of all workers. They can be replaced at any time: each handshake looks its
/// certificate up when it begins.
#[derive(Debug, Default)]
pub struct Certificates {
    by_name: RwLock<HashMap<String, Arc<Certificate>>>,
    /// Clients that send another name, or none, get the certificate of this name.
    default: String,
    /// By domain.
    challenges: RwLock<HashMap<String, Arc<CertifiedKey>>>,
}

impl Certificates {
    /// Clients that send no name, or one without a certificate of its own, get the certificate of
    /// `default`.
    pub fn new(default: &str) -> Self {
        Self { default: default.to_owned(), ..Self::default() }
    }

    /// True if clients that send another name, or none, get the certificate of `name`.
    pub fn is_default(&self, name: &str) -> bool {
        self.default == name
    }

    /// Presents `certificate` to clients that send `name` from now on.
    pub fn install(&self, name: &str, certificate: Certificate) {
        let mut by_name = self.by_name.write().unwrap_or_else(PoisonError::into_inner);
        by_name.insert(name.to_owned(), Arc::new(certificate));
    }

    /// Presents `certificate` to clients that send another name, or none, from now on.
    pub fn install_default(&self, certificate: Certificate) {
        self.install(&self.default, certificate);
    }

    /// The certificate of `name`.
    pub fn of(&self, name: &str) -> Option<Arc<Certificate>> {
        self.by_name.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// True if there is a certificate for clients that send another name, or none.
    pub fn has_default(&self) -> bool {
        let by_name = self.by_name.read().unwrap_or_else(PoisonError::into_inner);
        by_name.contains_key(&self.default)
    }

    /// The certificate for clients that send another name, or none. Without it, their handshakes
    /// are rejected.
    pub fn of_default(&self) -> Option<Arc<Certificate>> {
        self.of(&self.default)
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
        let own = hello.server_name().and_then(|name| self.of(name));
        Some(Arc::clone(&own.or_else(|| self.of_default())?.key))
    }
}
