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

#[cfg(test)]
mod tests {
    use ml_kem::ml_kem_768::DecapsulationKey;
    use ml_kem::{Decapsulate, KeyExport};
    use rcgen::generate_simple_self_signed;
    use rustls::crypto::ring::kx_group::{SECP256R1, X25519};
    use rustls::version::{TLS12, TLS13};
    use rustls::{ClientConfig, ClientConnection, HandshakeKind, RootCertStore, ServerConnection};

    use super::super::certificate::Certificate;
    use super::super::certificates::Certificates;
    use super::super::config::server_config;
    use super::*;

    /// A client's part, whose share is cut to a number of bytes.
    #[derive(Debug)]
    struct ClientShare(usize);

    struct Exchange {
        ml_kem: DecapsulationKey,
        x25519: Box<dyn ActiveKeyExchange>,
        share: Vec<u8>,
    }

    impl SupportedKxGroup for ClientShare {
        fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
            let (ml_kem, x25519) =
                (DecapsulationKey::from_seed(Default::default()), X25519.start()?);
            let mut share = [&ml_kem.encapsulation_key().to_bytes()[..], x25519.pub_key()].concat();
            share.truncate(self.0);
            Ok(Box::new(Exchange { ml_kem, x25519, share }))
        }

        fn name(&self) -> NamedGroup {
            NamedGroup::X25519MLKEM768
        }
    }

    impl ActiveKeyExchange for Exchange {
        fn complete(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
            let (ciphertext, x25519) = share.split_at(1088);
            let secret = self.ml_kem.decapsulate(ciphertext.try_into().unwrap());
            let x25519 = self.x25519.complete(x25519)?;
            Ok(SharedSecret::from([&secret[..], x25519.secret_bytes()].concat()))
        }

        fn pub_key(&self) -> &[u8] {
            &self.share
        }

        fn group(&self) -> NamedGroup {
            NamedGroup::X25519MLKEM768
        }
    }

    fn handshake(
        client: &mut ClientConnection,
        server: &mut ServerConnection,
    ) -> Result<(), Error> {
        while client.is_handshaking() || server.is_handshaking() {
            let mut bytes = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut bytes).unwrap();
            }
            server.read_tls(&mut &*bytes).unwrap();
            server.process_new_packets()?;
            bytes.clear();
            while server.wants_write() {
                server.write_tls(&mut bytes).unwrap();
            }
            client.read_tls(&mut &*bytes).unwrap();
            client.process_new_packets()?;
        }
        Ok(())
    }

    #[test]
    fn clients_that_prefer_x25519mlkem768_get_it_and_others_need_no_retry() {
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let mut roots = RootCertStore::empty();
        roots.add(issued.cert.der().clone()).unwrap();
        let certificates = Certificates::default();
        certificates
            .install_default(Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap());
        let server_config = server_config(Arc::new(certificates)).unwrap();
        let [x25519, hybrid] = [NamedGroup::X25519, NamedGroup::X25519MLKEM768];
        let first = |group: &'static dyn SupportedKxGroup| Some(group);
        for (group, version, expected) in [
            (None, &TLS13, Some(x25519)),
            (None, &TLS12, Some(x25519)),
            (first(SECP256R1), &TLS13, Some(NamedGroup::secp256r1)),
            (first(&ClientShare(1216)), &TLS13, Some(hybrid)),
            (first(&ClientShare(1216)), &TLS12, Some(x25519)),
            (first(&ClientShare(1215)), &TLS13, None),
            (first(&ClientShare(31)), &TLS13, None),
        ] {
            let mut provider = CryptoProvider::clone(provider());
            if let Some(group) = group {
                provider.kx_groups.insert(0, group);
            }
            let config = ClientConfig::builder_with_provider(provider.into())
                .with_protocol_versions(&[version])
                .unwrap()
                .with_root_certificates(roots.clone())
                .with_no_client_auth();
            let name = "a.example".try_into().unwrap();
            let mut client = ClientConnection::new(Arc::new(config), name).unwrap();
            let mut server = ServerConnection::new(Arc::clone(&server_config)).unwrap();
            let error = handshake(&mut client, &mut server).err();
            let invalid = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);
            assert_eq!(error, expected.is_none().then_some(invalid), "{group:?}");
            if let Some(expected) = expected {
                let group = client.negotiated_key_exchange_group().map(SupportedKxGroup::name);
                assert_eq!(group, Some(expected), "{version:?}");
                assert_eq!(client.handshake_kind(), Some(HandshakeKind::Full));
            }
        }
    }
}
