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
/// which is a name or an address.
pub fn unverified_client(host: &str) -> Result<ClientConnection, Error> {
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|error| Error::General(error.to_string()))?;
    let config = ClientConfig::builder_with_provider(Arc::clone(provider()))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate))
        .with_no_client_auth();
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

#[cfg(test)]
mod tests {
    use ml_kem::ml_kem_768::DecapsulationKey;
    use ml_kem::{Decapsulate, KeyExport};
    use rcgen::generate_simple_self_signed;
    use rustls::crypto::ring::kx_group::{SECP256R1, X25519};
    use rustls::crypto::{ActiveKeyExchange, CryptoProvider, SharedSecret, SupportedKxGroup};
    use rustls::{HandshakeKind, NamedGroup, PeerMisbehaved, RootCertStore, ServerConnection};

    use super::super::certificate::Certificate;
    use super::*;

    /// A client's part, whose share is cut to a number of bytes.
    #[derive(Debug)]
    struct Client(usize);

    struct Exchange {
        ml_kem: DecapsulationKey,
        x25519: Box<dyn ActiveKeyExchange>,
        share: Vec<u8>,
    }

    impl SupportedKxGroup for Client {
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
            (first(&Client(1216)), &TLS13, Some(hybrid)),
            (first(&Client(1216)), &TLS12, Some(x25519)),
            (first(&Client(1215)), &TLS13, None),
            (first(&Client(31)), &TLS13, None),
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
