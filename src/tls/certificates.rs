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
    by_name: RwLock<HashMap<String, Arc<Certificate>>>,
    /// The name whose certificate clients get that send another name, or none.
    default: String,
    /// By domain.
    challenges: RwLock<HashMap<String, Arc<CertifiedKey>>>,
}

impl Certificates {
    /// Clients that send another name than those of [`Self::install`], or none, get the certificate of
    /// `default`.
    pub fn new(default: &str) -> Self {
        Self { default: default.to_owned(), ..Self::default() }
    }

    /// True if clients get the certificate of `name` that send another name, or none.
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

    /// The certificate for clients that send another name, or none. Without it, their handshakes are
    /// rejected.
    pub fn current(&self) -> Option<Arc<Certificate>> {
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
        Some(Arc::clone(&own.or_else(|| self.current())?.key))
    }
}
