//! The certificate of an authority's own HTTPS, with the root that it is trusted by.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use recipelog_site::tls::provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};

/// Names of the files.
pub const ROOT_FILE: &str = "root.pem";
pub const CERTIFICATE_FILE: &str = "certificate.pem";
pub const KEY_FILE: &str = "key.pem";

/// A root, a certificate for this machine, and its key, in PEM.
#[derive(Clone)]
pub struct AuthorityCertificate {
    root: String,
    certificate: String,
    key: String,
}

impl AuthorityCertificate {
    pub fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root = params.self_signed(&key).unwrap();
        let issuer = Issuer::new(params, key);

        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.signed_by(&key, &issuer).unwrap();
        Self { root: root.pem(), certificate: certificate.pem(), key: key.serialize_pem() }
    }

    /// Writes the three files.
    pub fn write(&self, folder: &Path) {
        let Self { root, certificate, key } = self;
        for (name, pem) in [(ROOT_FILE, root), (CERTIFICATE_FILE, certificate), (KEY_FILE, key)] {
            fs::write(folder.join(name), pem).unwrap();
        }
    }

    /// Presents the certificate.
    pub fn server(&self) -> Arc<ServerConfig> {
        let chain = vec![CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::clone(provider()))
            .with_safe_default_protocol_versions()
            .unwrap();
        Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap())
    }

    /// Trusts the root.
    pub fn client(&self) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.root.as_bytes()).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::clone(provider()))
            .with_safe_default_protocol_versions()
            .unwrap();
        Arc::new(config.with_root_certificates(roots).with_no_client_auth())
    }
}
