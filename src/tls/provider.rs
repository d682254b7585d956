//! The cryptography library of TLS: ring (DECISION-12). To use another
//! library, change this file, and the features in Cargo.toml.

use std::sync::{Arc, OnceLock};

use rustls::crypto::{CryptoProvider, ring};
use rustls::server::ProducesTickets;

/// Cipher suites, key exchange and signatures.
pub fn provider() -> &'static Arc<CryptoProvider> {
    static PROVIDER: OnceLock<Arc<CryptoProvider>> = OnceLock::new();
    PROVIDER.get_or_init(|| Arc::new(ring::default_provider()))
}

/// Encrypts session tickets. Its key changes every six hours and is never stored.
pub(super) fn ticketer() -> Result<Arc<dyn ProducesTickets>, rustls::Error> {
    ring::Ticketer::new()
}
