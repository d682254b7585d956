//! The file that holds a certificate with its key. One file, so that one rename
//! replaces both.

use super::domain::Domain;
use crate::tls::{Certificate, CertificateError};

/// Name of the file.
pub(super) const FILE: &str = "certificate.pem";

/// What the first line begins with. PEM allows text before the first block (RFC 7468
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

/// The certificate in the file, or `None` if it is for other names.
pub(super) fn from_file(
    content: &[u8],
    domains: &[Domain],
) -> Result<Option<Certificate>, CertificateError> {
    let line = content.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if line != format!("{NAMES}{}", names(domains).join(" ")).as_bytes() {
        return Ok(None);
    }
    Certificate::from_pem(content, content).map(Some)
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
    fn a_certificate_is_reused_for_the_same_set_of_names_only() {
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let issued = Issued { chain: issued.cert.pem(), key: issued.signing_key.serialize_pem() };
        let file = issued.to_file(&domains(&["b.example", "a.example"]));
        for (names, is_reused) in [
            (&["b.example", "a.example"][..], true),
            (&["a.example", "b.example", "a.example"], true),
            (&["a.example"], false),
            (&["a.example", "b.example", "c.example"], false),
        ] {
            let stored = from_file(file.as_bytes(), &domains(names)).unwrap();
            assert_eq!(stored.is_some(), is_reused, "{names:?}");
            let serial = issued.certificate().unwrap().serial;
            assert!(stored.is_none_or(|stored| stored.serial == serial));
        }
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let file = b"Names: a.example\n-----BEGIN CERTIFICATE-----\n";
        assert!(from_file(file, &domains(&["a.example"])).is_err());
    }
}
