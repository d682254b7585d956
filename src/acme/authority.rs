//! The authority that issues certificates.

use std::fmt;
use std::str::FromStr;

use http::Uri;
use instant_acme::LetsEncrypt;

use super::target::Target;

/// An authority with the addresses of its directories (RFC 8555 §7.1.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The directory whose certificates browsers trust.
    pub directory: String,
    /// A directory with generous rate limits, which a try after a failure uses first.
    pub staging: Option<String>,
}

impl Default for Authority {
    fn default() -> Self {
        Self::at(LetsEncrypt::Production.url())
    }
}

impl Authority {
    fn at(directory: &str) -> Self {
        let staging = (directory == LetsEncrypt::Production.url())
            .then(|| LetsEncrypt::Staging.url().to_owned());
        Self { directory: directory.to_owned(), staging }
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.directory)
    }
}

impl FromStr for Authority {
    type Err = &'static str;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        // `Uri` drops a fragment, which the name of the folder would keep.
        let uri = url.parse::<Uri>().ok().filter(|_| !url.contains('#'));
        match uri.map(|uri| Target::of(&uri)) {
            Some(Ok(_)) => Ok(Self::at(url)),
            _ => Err("not an HTTPS URL, for example https://ca.example/acme/directory"),
        }
    }
}

/// The name of the folder that holds the state at a directory: its URL without the
/// scheme, with `_` for each character that some file system may not accept.
pub(super) fn folder_name(directory: &str) -> String {
    let address = directory.split_once("://").map_or(directory, |(_, address)| address);
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-.".contains(character);
    address.chars().map(|character| if is_plain(character) { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lets_encrypts_production_has_a_staging_directory() {
        let default = Authority::default();
        assert_eq!(default.staging.as_deref(), Some(LetsEncrypt::Staging.url()));
        assert_eq!(default.to_string().parse(), Ok(default));
        for directory in [LetsEncrypt::Staging.url(), "https://ca.example:9000/acme/directory"] {
            let authority: Authority = directory.parse().unwrap();
            assert_eq!(authority, Authority { directory: directory.to_owned(), staging: None });
        }
    }

    #[test]
    fn directories_that_are_no_https_urls_are_rejected() {
        for url in [
            "",
            "ca.example",
            "http://ca.example/directory",
            "https://",
            "/directory",
            "https:///directory",
            "https://:443/directory",
            "https://ca.example:/directory",
            "https://ca.example:99999/directory",
            "https://ca.example:https/directory",
            "https://user@ca.example/directory",
            "https://user:secret@ca.example/directory",
            "https://ca_example../directory",
            "https://ca.example/directory#fragment",
        ] {
            let error = url.parse::<Authority>().unwrap_err();
            assert!(error.starts_with("not ") && error.contains(", for example "), "{url}");
        }
    }

    #[test]
    fn each_directory_has_a_folder_of_its_own() {
        for (directory, name) in [
            (LetsEncrypt::Production.url(), "acme-v02.api.letsencrypt.org_directory"),
            ("https://ca.example:9000/acme/directory", "ca.example_9000_acme_directory"),
            ("https://[::1]/../d", "___1__.._d"),
        ] {
            assert_eq!(folder_name(directory), name);
        }
    }
}
