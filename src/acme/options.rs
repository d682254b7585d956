//! Options of the operator for ACME.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::Uri;
use http::uri::Scheme;
use instant_acme::{ExternalAccountKey, LetsEncrypt};

use crate::{host_name, operator_file};

/// Options for obtaining a certificate. By setting them, the operator agrees to the terms
/// of service of the authority.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names, each with a certificate of its own; at least one.
    pub domains: BTreeSet<Domain>,
    /// The folder that keeps accounts, keys and certificates. Used by one process
    /// at a time.
    pub folder: PathBuf,
    /// The issuer.
    pub authority: Authority,
    /// A file with the root certificates, in PEM, that are trusted for the authority's
    /// own HTTPS instead of the public ones.
    pub root_file: Option<PathBuf>,
    /// Email address to which the authority can send messages.
    pub email: Option<String>,
    /// The certificate profile to order, one of those that the authority offers.
    pub profile: Option<String>,
    /// An existing account with the authority, which some authorities require.
    pub external_account: Option<ExternalAccount>,
}

/// Name of the site that a certificate can be issued for, in ASCII and lower case. Names of one
/// label are for private authorities. Wildcards are left out: TLS-ALPN-01 cannot validate them
/// (RFC 8737 §3). A trailing dot, as in DNS, is accepted and removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Domain(String);

impl fmt::Display for Domain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for Domain {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for Domain {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let name = name.strip_suffix('.').unwrap_or(name);
        if name.starts_with("*.") {
            return Err("not a single name but a wildcard, for example www.recipelog.example");
        }
        if !name.is_ascii() {
            return Err("not a domain name in ASCII, for example xn--bcher-kva.example");
        }
        if !host_name::is_valid(name) {
            return Err("not a domain name, for example recipelog.example");
        }
        Ok(Self(name.to_ascii_lowercase()))
    }
}

/// The address of an authority's directory (RFC 8555 §7.1.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority(Uri);

impl Authority {
    /// The port of the authority.
    pub(super) fn port(&self) -> u16 {
        self.0.port_u16().unwrap_or(443)
    }

    /// The name of the folder that holds the state at this authority: the address without the
    /// scheme, with `_` for each character that some file system may not accept.
    pub(super) fn folder_name(&self) -> String {
        let address = self.to_string();
        let is_plain =
            |character: char| character.is_ascii_alphanumeric() || "-.".contains(character);
        let address = address.trim_start_matches("https://").chars();
        address.map(|character| if is_plain(character) { character } else { '_' }).collect()
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self(Uri::from_static(LetsEncrypt::Production.url()))
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Authority {
    type Err = &'static str;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        // The crate `http` treats a port out of range as no port.
        let is_complete = |uri: &Uri| {
            uri.authority().is_some_and(|authority| {
                !authority.host().is_empty()
                    && (authority.as_str() == authority.host() || authority.port_u16().is_some())
            })
        };
        match url.parse::<Uri>() {
            Ok(uri) if uri.scheme() == Some(&Scheme::HTTPS) && is_complete(&uri) => Ok(Self(uri)),
            _ => Err("not an HTTPS URL, for example https://ca.example/acme/directory"),
        }
    }
}

/// An account outside of ACME that the ACME account is bound to (RFC 8555 §7.3.4).
#[derive(Clone, Debug)]
pub struct ExternalAccount {
    /// The id that the authority has given to the key.
    pub key_id: String,
    /// A file with the HMAC key in base64url.
    pub key_file: PathBuf,
}

/// RFC 8555 §7.3.4: without padding. Some authorities pad nevertheless.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

impl ExternalAccount {
    /// Reads the key. The error states the problem and the remedy in one line, without
    /// the content of the file.
    pub(super) fn key(&self) -> Result<ExternalAccountKey, String> {
        let problem = "cannot read the key of the external account:";
        let text = operator_file::read_for(problem, &self.key_file)?;
        match BASE64URL.decode(text.trim_ascii()) {
            Ok(key) if !key.is_empty() => Ok(ExternalAccountKey::new(self.key_id.clone(), &key)),
            _ => Err(format!(
                "cannot use the key of the external account: {} has no base64url text; write \
                 the key into it as the authority shows it",
                self.key_file.display()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_names_in_lower_case_that_an_authority_can_validate_over_tls() {
        for name in ["recipelog.example", "a-b.C.example", "xn--bcher-kva.example", "localhost."] {
            let domain: Domain = name.parse().unwrap();
            assert_eq!(domain.0, name.trim_end_matches('.').to_ascii_lowercase());
        }
        let long_label = format!("{}.example", "a".repeat(64));
        let long_name = format!("{}example", "a.".repeat(124));
        for name in [
            "",
            "recipelog.example..",
            ".example",
            "*.recipelog.example",
            "bücher.example",
            "a_b.example",
            "-a.example",
            "a-.example",
            "192.0.2.1",
            "A.0X10",
            "[::1]",
            "recipelog.example:443",
            "a b.example",
            &long_label,
            &long_name,
        ] {
            let error = name.parse::<Domain>().unwrap_err();
            assert!(error.starts_with("not ") && error.contains(", for example "), "{name}");
        }
    }

    #[test]
    fn each_authority_has_a_port_and_a_folder_of_its_own() {
        for (url, port, folder) in [
            (LetsEncrypt::Production.url(), 443, "acme-v02.api.letsencrypt.org_directory"),
            ("https://ca.example:9000/acme/directory", 9000, "ca.example_9000_acme_directory"),
            ("https://[::1]/../d", 443, "___1__.._d"),
        ] {
            let authority: Authority = url.parse().unwrap();
            assert_eq!((authority.port(), authority.folder_name()), (port, folder.to_owned()));
        }
        for url in [
            "",
            "ca.example",
            "http://ca.example/directory",
            "https://",
            "/directory",
            "https://:443/directory",
            "https://ca.example:/directory",
            "https://ca.example:99999/directory",
            "https://user@ca.example/directory",
        ] {
            let error = url.parse::<Authority>().unwrap_err();
            assert!(error.starts_with("not ") && error.contains(", for example "), "{url}");
        }
    }
}
