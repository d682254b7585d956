//! Names of the site that a certificate can be issued for.

use std::fmt;
use std::str::FromStr;

use crate::host_name;

/// A domain name in ASCII and lower case. Names of one label are for private
/// authorities. Wildcards are left out: TLS-ALPN-01 cannot validate them
/// (RFC 8737 §3). A trailing dot, as in DNS, is accepted and removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Domain(String);

impl Domain {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case() {
        for name in ["recipelog.example", "a-b.C.example", "xn--bcher-kva.example", "localhost"] {
            for typed in [name.to_owned(), format!("{name}.")] {
                let domain: Domain = typed.parse().unwrap();
                assert_eq!(domain.as_str(), name.to_ascii_lowercase());
            }
        }
    }

    #[test]
    fn names_that_no_authority_can_issue_for_over_tls_are_rejected() {
        let long_label = format!("{}.example", "a".repeat(64));
        let long_name = format!("{}example", "a.".repeat(124));
        for name in [
            "",
            ".",
            "..",
            "recipelog.example..",
            ".example",
            "a..example",
            "*.recipelog.example",
            "*",
            "bücher.example",
            "a_b.example",
            "-a.example",
            "a-.example",
            "192.0.2.1",
            "a.0x10",
            "A.0X10",
            "1",
            "::1",
            "[::1]",
            "recipelog.example:443",
            "https://recipelog.example",
            "a b.example",
            &long_label,
            &long_name,
        ] {
            let error = name.parse::<Domain>().unwrap_err();
            assert!(error.starts_with("not ") && error.contains(", for example "), "{name}");
        }
    }
}
