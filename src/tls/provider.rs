//! The cryptography library of TLS: ring (DECISION-12), and ml-kem for one key exchange
//! (DECISION-59). To use another library, change this file, and the features in Cargo.toml.

use std::sync::{Arc, OnceLock};

use ml_kem::ml_kem_768::EncapsulationKey;
use ml_kem::{B32, KeySizeUser};
use rustls::crypto::{
    ActiveKeyExchange, CompletedKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup, ring,
};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::server::ProducesTickets;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};

/// Cipher suites, key exchange and signatures.
pub fn provider() -> &'static Arc<CryptoProvider> {
    static PROVIDER: OnceLock<Arc<CryptoProvider>> = OnceLock::new();
    PROVIDER.get_or_init(|| Arc::new(ring::default_provider()))
}

/// Cipher suites, key exchange and signatures of a server.
pub(super) fn server_provider() -> CryptoProvider {
    let mut provider = ring::default_provider();
    provider.kx_groups.insert(0, &X25519MlKem768);
    provider
}

/// Encrypts session tickets. Its key changes every six hours and is never stored.
pub(super) fn ticketer() -> Result<Arc<dyn ProducesTickets>, rustls::Error> {
    ring::Ticketer::new()
}

/// The key exchange of a server that a recording does not reveal to a future quantum computer
/// (draft-ietf-tls-ecdhe-mlkem §3): of each share and of the secret, ML-KEM-768 has the first part
/// and X25519 the second.
#[derive(Debug)]
struct X25519MlKem768;

impl SupportedKxGroup for X25519MlKem768 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Err(Error::General("X25519MLKEM768 is for servers".to_owned()))
    }

    fn start_and_complete(&self, client_share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let invalid = || Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);
        let parts = client_share.split_at_checked(EncapsulationKey::key_size());
        let (ml_kem, x25519) = parts.ok_or_else(invalid)?;
        let ml_kem = ml_kem.try_into().ok().and_then(|key| EncapsulationKey::new(key).ok());
        let ml_kem = ml_kem.ok_or_else(invalid)?;
        let x25519 = ring::kx_group::X25519.start_and_complete(x25519)?;
        let mut random = B32::default();
        provider().secure_random.fill(&mut random)?;
        let (ciphertext, secret) = ml_kem.encapsulate_deterministic(&random);
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: [&ciphertext[..], &x25519.pub_key].concat(),
            secret: SharedSecret::from([&secret[..], x25519.secret.secret_bytes()].concat()),
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}
