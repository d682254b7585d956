//! The file that holds a certificate with its key. One file, so that one rename
//! replaces both (DECISION-50).

use std::sync::Arc;

use super::domain::Domain;
use crate::tls::{Certificate, CertificateError};

/// Name of the file.
pub(super) const FILE: &str = "certificate.pem";

/// The beginning of the first line. PEM allows text before the first block (RFC 7468
/// §2).
const NAMES: &str = "Names: ";

/// A certificate as the authority issued it.
pub(super) struct Issued {
    /// The chain in PEM, the site's certificate first.
    pub(super) chain: String,
    /// The key in PEM.
    pub(super) key: String,
}

impl Issued {
    /// The certificate, ready to be presented.
    pub(super) fn certificate(&self) -> Result<Certificate, CertificateError> {
        Certificate::from_pem(self.chain.as_bytes(), self.key.as_bytes())
    }

    /// The content of the file.
    pub(super) fn to_file(&self, domains: &[Domain]) -> String {
        let Self { chain, key } = self;
        format!("{NAMES}{}\n{}\n{}\n", names(domains).join(" "), key.trim(), chain.trim())
    }
}

/// A certificate with the names that it was ordered for.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Sorted.
    pub(super) names: Vec<String>,
    pub(super) certificate: Arc<Certificate>,
}

impl Stored {
    /// A certificate that was just issued for `domains`.
    pub(super) fn new(domains: &[Domain], certificate: Arc<Certificate>) -> Self {
        let names = names(domains).into_iter().map(str::to_owned).collect();
        Self { names, certificate }
    }

    /// The certificate in the file.
    pub(super) fn from_file(content: &[u8]) -> Result<Self, CertificateError> {
        let line = content.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        // Without the line, the certificate counts as one for no domain.
        let names = line.strip_prefix(NAMES).unwrap_or_default();
        let names = names.split_ascii_whitespace().map(str::to_owned).collect();
        Ok(Self { names, certificate: Arc::new(Certificate::from_pem(content, content)?) })
    }

    /// True if the certificate was ordered for this set of names.
    pub(super) fn is_for(&self, domains: &[Domain]) -> bool {
        self.names == names(domains)
    }
}

/// The set of names, in an order that does not depend on that of the options.
pub(super) fn names(domains: &[Domain]) -> Vec<&str> {
    let mut names: Vec<&str> = domains.iter().map(Domain::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::generate_simple_self_signed;

    fn domains(names: &[&str]) -> Vec<Domain> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn a_stored_certificate_is_for_the_same_set_of_names_only() {
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let issued = Issued { chain: issued.cert.pem(), key: issued.signing_key.serialize_pem() };
        let file = issued.to_file(&domains(&["b.example", "a.example"]));
        let stored = Stored::from_file(file.as_bytes()).unwrap();
        assert_eq!(stored.certificate.serial, issued.certificate().unwrap().serial);
        for (names, expected) in [
            (&["b.example", "a.example"][..], true),
            (&["a.example", "b.example", "a.example"], true),
            (&["a.example"], false),
            (&["a.example", "b.example", "c.example"], false),
        ] {
            assert_eq!(stored.is_for(&domains(names)), expected, "{names:?}");
        }
        let unnamed = Stored::from_file(file.split_once('\n').unwrap().1.as_bytes()).unwrap();
        assert!(!unnamed.is_for(&domains(&["a.example"])));
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let file = b"Names: a.example\n-----BEGIN CERTIFICATE-----\n";
        assert!(Stored::from_file(file).is_err());
    }
}
