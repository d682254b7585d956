//! A certificate chain with its private key. x509-parser reads what rustls does not expose.

use std::sync::Arc;
use std::time::SystemTime;

use rustls::client::verify_server_name;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

use super::chain::{is_for_servers, problems};
use super::provider::provider;
use crate::output::report;
use crate::problem::Problem;

/// A certificate that the server can present.
#[derive(Debug)]
pub struct Certificate {
    /// The chain and its key.
    pub key: Arc<CertifiedKey>,
    /// Beginning of the validity.
    pub not_before: SystemTime,
    /// End of the validity.
    pub not_after: SystemTime,
    /// The DNS names that the certificate is for.
    pub names: Vec<String>,
    /// Why clients of some kind reject the chain, each with its remedy.
    pub problems: Vec<String>,
}

/// Maximum size of a chain in bytes: OpenSSL and BoringSSL accept 100 KiB (SSL_CTX_set_max_cert_list(3)).
const CHAIN_MAX_BYTES: usize = 100_000;

const PAIR: &str = "give the chain to --tls-cert and its private key to --tls-key";

/// One of the certificates cannot be parsed.
pub fn not_x509() -> Problem {
    Problem::new("one of the certificates is not valid X.509", PAIR)
}

impl Certificate {
    /// Reads a chain, the server's certificate first, and its key, both in PEM.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, Problem> {
        let is_exchanged =
            PrivateKeyDer::from_pem_slice(chain).is_ok() && certificates_in(key).is_ok();
        let chain = certificates_in(chain).map_err(|problem| match is_exchanged {
            true => Problem::new(
                "the first file has the key, and the second one the certificate",
                "exchange --tls-cert and --tls-key",
            ),
            false => problem,
        })?;
        if chain.iter().map(|certificate| certificate.len()).sum::<usize>() > CHAIN_MAX_BYTES {
            return Err(Problem::new(
                "the chain is too long for clients",
                "leave out all certificates but the server's and those of its issuers",
            ));
        }
        // Clients parse each certificate, so all have to be valid.
        let parsed: Option<Vec<_>> = chain.iter().map(parse).collect();
        let parsed = parsed.ok_or_else(not_x509)?;
        let first = parsed.first().ok_or_else(not_x509)?;
        if !is_for_servers(first) {
            return Err(Problem::new(
                "the certificate is not for servers",
                "request one whose extended key usage has serverAuth",
            ));
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| match is_encrypted(key) {
            true => Problem::new(
                "the private key is encrypted",
                "remove its password: openssl pkey -in FILE -out NEW_FILE",
            ),
            false => Problem::new("no private key in PEM", PAIR),
        })?;
        let key = CertifiedKey::from_der(chain.clone(), key, provider());
        let key = key.map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => Problem::new(
                "the key does not belong to the first certificate",
                "give its key, or write the key's certificate first and then its issuer's",
            ),
            // Clients would reject the certificate.
            rustls::Error::InvalidCertificate(_) => Problem::new(
                "the certificate is not supported: it has an old version or an unknown critical \
                 extension",
                "request one of version 3 without such an extension",
            ),
            _ => Problem::new(
                "the private key has an unsupported type",
                "use one of ECDSA with P-256 or P-384, or of RSA with 2048 to 4096 bits",
            ),
        })?;
        Ok(Self {
            key: Arc::new(key),
            not_before: first.validity().not_before.to_datetime().into(),
            not_after: first.validity().not_after.to_datetime().into(),
            names: names(first),
            problems: problems(&parsed),
        })
    }

    /// Reports the names of the certificate with its `validity`, and then a line for each reason
    /// why clients reject it, such as that it is not for `host`.
    pub fn report(&self, validity: &str, host: Option<&str>) {
        let names = match &self.names[..] {
            // The certificate is for IP addresses alone.
            [] => "certificate".to_owned(),
            names => format!("certificate for {}", names.join(", ")),
        };
        report(format_args!("{names}: {validity}"));
        let host = host.filter(|host| !self.is_for(host));
        let unnamed = host.map(|host| format!("it does not name {host}; request one that does"));
        for problem in unnamed.iter().chain(&self.problems) {
            report(format_args!("{names}: {problem}"));
        }
    }

    /// True if the certificate is for `host`, which is a name or an address.
    pub fn is_for(&self, host: &str) -> bool {
        let name = ServerName::try_from(host);
        let certificate = self.key.cert.first().map(ParsedCertificate::try_from);
        matches!(
            (name, certificate),
            (Ok(name), Some(Ok(certificate))) if verify_server_name(&certificate, &name).is_ok()
        )
    }
}

/// The certificates in `pem`, at least one.
///
/// rustls ignores a certificate whose first line does not begin with BEGIN, such as after files
/// were joined without a line break, and what follows END in its line. Both are errors here, because
/// the chain could be incomplete.
pub fn certificates_in(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Problem> {
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";
    const END: &[u8] = b"-----END CERTIFICATE-----";
    let count = pem.windows(BEGIN.len()).filter(|&part| part == BEGIN).count();
    let lines = pem.split(|&byte| byte == b'\n' || byte == b'\r');
    let ends = lines.filter(|line| line.trim_ascii_end() == END).count();
    match CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>() {
        _ if count == 0 => Err(Problem::new("no certificate in PEM", PAIR)),
        Ok(certificates) if [certificates.len(), ends] == [count; 2] => Ok(certificates),
        // RFC 7468 §2
        _ => Err(Problem::new(
            "damaged PEM",
            "write the file again, with each BEGIN and END on a line of its own",
        )),
    }
}

/// True if `pem` contains an encrypted key: of PKCS #8 (RFC 7468 §11), or in the older form (RFC
/// 1421 §4.6.1.1).
fn is_encrypted(pem: &[u8]) -> bool {
    ["-----BEGIN ENCRYPTED PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED"]
        .iter()
        .any(|mark| pem.windows(mark.len()).any(|part| part == mark.as_bytes()))
}

/// The end of a certificate's validity; `None` if it cannot be parsed.
pub fn not_after(certificate: &CertificateDer<'_>) -> Option<SystemTime> {
    parse(certificate).map(|parsed| parsed.validity().not_after.to_datetime().into())
}

fn parse<'a>(certificate: &'a CertificateDer<'_>) -> Option<X509Certificate<'a>> {
    parse_x509_certificate(certificate).ok().map(|(_, parsed)| parsed)
}

/// The DNS names in the subject's alternative names. Empty if there are several such extensions.
fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let extension = certificate.subject_alternative_name().ok().flatten();
    let names = extension.into_iter().flat_map(|extension| &extension.value.general_names);
    let dns_name = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        _ => None,
    };
    names.filter_map(dns_name).collect()
}
