//! The certificate that answers a challenge (RFC 8737 §3, DECISION-47).

use instant_acme::Error;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::CertifiedKey;

use super::failure;
use crate::tls::provider;

/// Length of a SHA-256 digest in bytes.
const DIGEST_LENGTH: usize = 32;

/// A self-signed certificate that shows the SHA-256 `digest` of a key authorization.
pub(super) fn certificate(domain: &str, digest: &[u8]) -> Result<CertifiedKey, Error> {
    if digest.len() != DIGEST_LENGTH {
        return Err(Error::Crypto);
    }
    let rcgen_error = |error: rcgen::Error| failure::error(error.to_string());
    let mut params = CertificateParams::new([domain.to_owned()]).map_err(rcgen_error)?;
    params.distinguished_name = DistinguishedName::new();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
    let key = KeyPair::generate().map_err(rcgen_error)?;
    let certificate = params.self_signed(&key).map_err(rcgen_error)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let key = provider().key_provider.load_private_key(key);
    let key = key.map_err(|error| failure::error(error.to_string()))?;
    // Not `CertifiedKey::from_der`, which rejects the extension: it is critical, and
    // rustls does not support it.
    Ok(CertifiedKey::new(vec![certificate.into()], key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificate_for_a_challenge_contains_the_digest() {
        let digest = [7; DIGEST_LENGTH];
        let key = certificate("recipelog.example", &digest).unwrap();
        let der = key.cert.first().unwrap();
        assert!(der.windows(DIGEST_LENGTH).any(|bytes| bytes == digest));
        assert!(certificate("recipelog.example", &digest[1..]).is_err());
    }
}
