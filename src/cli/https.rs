//! Options of HTTPS.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::list::{List, items, list};
use super::values::{Time, tcp_address};
use crate::acme::{self, Authority, Domain, ExternalAccount};
use crate::server::ListenAddress;
use crate::site::EmailAddress;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "HTTPS")]
pub(super) struct HttpsOptions {
    /// Address and port of HTTPS; repeat for several [default: [::]:443]
    #[arg(long, env, value_name = "ADDR", value_parser = list(tcp_address))]
    pub(super) tls_listen: Vec<List<ListenAddress>>,
    /// Certificate chain in PEM; read again on SIGHUP and when it changes
    #[arg(long, env, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Private key of the certificate in PEM
    #[arg(long, env, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// With the command healthcheck: fail if the certificate ends sooner
    #[arg(long, env, value_name = "TIME")]
    pub(super) expires_within: Option<Time>,
    /// Obtain and renew a certificate for this domain; repeat for several. You
    /// accept the terms of service of the authority
    #[arg(long, env, value_name = "NAME", value_parser = list(Domain::from_str))]
    pub(super) acme_domain: Vec<List<Domain>>,
    /// Folder for account, keys and certificates [default: $STATE_DIRECTORY, else
    /// recipelog-site in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, env, value_name = "DIR")]
    acme_dir: Option<PathBuf>,
    /// Directory of another authority [default: Let's Encrypt]
    #[arg(long, env, value_name = "URL")]
    acme_directory: Option<Authority>,
    /// Root certificates in PEM to trust for HTTPS of the authority
    #[arg(long, env, value_name = "FILE")]
    acme_root: Option<PathBuf>,
    /// Address for messages of the authority
    #[arg(long, env, value_name = "EMAIL")]
    acme_email: Option<EmailAddress>,
    /// Kind of certificate, of those that the authority offers
    #[arg(long, env, value_name = "NAME")]
    acme_profile: Option<String>,
    /// Key id of the external account that the authority asks for
    #[arg(long, env, value_name = "ID")]
    acme_eab_kid: Option<String>,
    /// File with the HMAC key of the external account in base64url
    #[arg(long, env, value_name = "FILE")]
    acme_eab_key: Option<PathBuf>,
}

/// Where the certificate comes from.
#[derive(Clone, Debug)]
pub enum CertificateSource {
    /// Files of the operator: the chain and its key.
    Files {
        /// `--tls-cert`
        certificate: PathBuf,
        /// `--tls-key`
        key: PathBuf,
    },
    /// An authority that speaks ACME.
    Acme(Box<acme::Options>),
}

impl HttpsOptions {
    /// Where the certificate comes from; `None` without HTTPS. Returns an error message
    /// if the options contradict each other.
    pub(super) fn certificate_source(&self) -> Result<Option<CertificateSource>, String> {
        self.check()?;
        Ok(match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(CertificateSource::Files {
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            _ if self.is_acme() => Some(CertificateSource::Acme(Box::new(self.acme()?))),
            _ => None,
        })
    }

    /// True if a certificate is configured.
    pub(super) fn is_used(&self) -> bool {
        self.tls_cert.is_some() || self.is_acme()
    }

    /// True if an authority is asked for the certificate.
    pub(super) fn is_acme(&self) -> bool {
        !self.acme_domain.is_empty()
    }

    fn check(&self) -> Result<(), String> {
        let is_acme = self.is_acme();
        let has_files = self.tls_cert.is_some() || self.tls_key.is_some();
        let problem = match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => "--tls-cert needs its key; add --tls-key",
            (None, Some(_)) => "--tls-key needs its certificate; add --tls-cert",
            _ if is_acme && has_files => {
                "--tls-cert and --acme-domain exclude each other; choose one"
            }
            _ if !is_acme && self.has_acme_option() => {
                "options of ACME need a domain; add --acme-domain"
            }
            _ if !is_acme && !has_files && !self.tls_listen.is_empty() => {
                "--tls-listen needs a certificate; add --tls-cert and --tls-key, or --acme-domain"
            }
            _ if self.acme_eab_kid.is_some() != self.acme_eab_key.is_some() => {
                "an external account has an id and a key; give --acme-eab-kid and --acme-eab-key"
            }
            _ => return Ok(()),
        };
        Err(problem.to_owned())
    }

    fn has_acme_option(&self) -> bool {
        self.acme_dir.is_some()
            || self.acme_directory.is_some()
            || self.acme_root.is_some()
            || self.acme_email.is_some()
            || self.acme_profile.is_some()
            || self.acme_eab_kid.is_some()
            || self.acme_eab_key.is_some()
    }

    fn acme(&self) -> Result<acme::Options, String> {
        let external_account = self.acme_eab_kid.clone().zip(self.acme_eab_key.clone());
        Ok(acme::Options {
            domains: items(&self.acme_domain).cloned().collect(),
            folder: match &self.acme_dir {
                Some(folder) => folder.clone(),
                None => state_folder(|name| env::var_os(name))?,
            },
            authority: self.acme_directory.clone().unwrap_or_default(),
            root_file: self.acme_root.clone(),
            email: self.acme_email.as_ref().map(ToString::to_string),
            profile: self.acme_profile.clone(),
            external_account: external_account
                .map(|(key_id, key_file)| ExternalAccount { key_id, key_file }),
        })
    }
}

/// The folder in `STATE_DIRECTORY`, which systemd or the image sets, else a folder in the
/// user's folder for state. `variable` gives the value of an environment variable. Relative
/// paths in `XDG_STATE_HOME` are ignored, as the XDG Base Directory Specification requires.
fn state_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, String> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    // systemd separates several folders by colons.
    if let Some(folders) = variable("STATE_DIRECTORY").filter(|folders| !folders.is_empty()) {
        let first = env::split_paths(&folders).next().unwrap_or_default();
        return if first.is_absolute() {
            Ok(first)
        } else {
            Err("the path in STATE_DIRECTORY is not absolute; set one such as \
                 /var/lib/recipelog-site, or set --acme-dir"
                .to_owned())
        };
    }
    folder("XDG_STATE_HOME")
        .or_else(|| Some(folder("HOME")?.join(".local/state")))
        .map(|state| state.join("recipelog-site"))
        .ok_or_else(|| {
            "there is no folder for account, keys and certificates; set --acme-dir".to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_folder_is_that_of_the_service_or_else_of_the_user() {
        const SYSTEMD: (&str, &str) = ("STATE_DIRECTORY", "/var/lib/a:/var/lib/b");
        const XDG: (&str, &str) = ("XDG_STATE_HOME", "/state");
        const HOME: (&str, &str) = ("HOME", "/ada");
        let home_folder = "/ada/.local/state/recipelog-site";
        for (variables, expected) in [
            (&[SYSTEMD, XDG, HOME][..], Some("/var/lib/a")),
            (&[("STATE_DIRECTORY", ""), XDG, HOME], Some("/state/recipelog-site")),
            (&[XDG, HOME], Some("/state/recipelog-site")),
            (&[("XDG_STATE_HOME", "state"), HOME], Some(home_folder)),
            (&[HOME], Some(home_folder)),
            (&[("HOME", "home")], None),
            (&[], None),
        ] {
            let folder = state_folder(|name| {
                let variable = variables.iter().find(|(other, _)| *other == name);
                variable.map(|(_, value)| value.into())
            });
            assert_eq!(folder.ok(), expected.map(PathBuf::from), "{variables:?}");
        }
    }
}
