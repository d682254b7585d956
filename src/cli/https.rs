//! The HTTPS settings that follow from several options together.

use std::env;
use std::path::PathBuf;

use super::list::items;
use super::options::{Cli, HttpsOptions};
use crate::acme::{self, ExternalAccount, Schedule};
use crate::server::{ListenAddress, Scheme};
use crate::site::Origin;

/// Port of HTTPS (RFC 9110 §4.2.2), and the one of plain HTTP that redirects to it.
const HTTPS_PORT: u16 = 443;
const HTTP_PORT: u16 = 80;

/// Port without HTTPS: a user without rights may listen on it.
const PLAIN_PORT: u16 = 8080;

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

impl Cli {
    /// Where the certificate comes from; `None` without HTTPS. An error in words if
    /// the options contradict each other.
    pub fn certificate_source(&self) -> Result<Option<CertificateSource>, String> {
        let https = &self.https;
        https.check()?;
        if self.is_https() && self.site.origin.as_ref().is_some_and(|origin| !origin.is_https()) {
            return Err("with HTTPS, --origin has to begin with https://".to_owned());
        }
        Ok(match (&https.tls_cert, &https.tls_key) {
            (Some(certificate), Some(key)) => Some(CertificateSource::Files {
                certificate: certificate.clone(),
                key: key.clone(),
            }),
            _ if !self.is_acme() => None,
            _ => Some(CertificateSource::Acme(Box::new(https.acme()?))),
        })
    }

    /// True if a certificate is configured.
    pub fn is_https(&self) -> bool {
        self.https.tls_cert.is_some() || self.is_acme()
    }

    /// True if an authority is asked for the certificate.
    pub fn is_acme(&self) -> bool {
        !self.https.acme_domain.is_empty()
    }

    /// An error in words if two of the addresses to listen on are one.
    pub(super) fn check_addresses(&self) -> Result<(), String> {
        let addresses = self.addresses();
        for (index, (scheme, address)) in addresses.iter().enumerate() {
            for (other_scheme, other) in &addresses[..index] {
                if address == other && scheme == other_scheme && !address.is_any_port() {
                    return Err(format!("{address} is given twice; remove one"));
                }
                if scheme != other_scheme && address.overlaps(other) {
                    return Err(format!(
                        "{other} cannot serve plain HTTP if {address} serves HTTPS; choose another \
                         port with --listen, --port or --tls-listen"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The public origin: `--origin`, else the first domain.
    pub fn origin(&self) -> Option<Origin> {
        let of_domain = || {
            let domain = items(&self.https.acme_domain).next()?;
            let port = match items(&self.https.tls_listen).next() {
                Some(ListenAddress::Tcp(address)) => address.rsplit_once(':')?.1,
                _ => "443",
            };
            // Port 0 becomes known only later.
            format!("https://{domain}:{port}").parse().ok()
        };
        self.site.origin.clone().or_else(of_domain)
    }

    /// The origin that plain HTTP is redirected to, if it is.
    pub fn redirect_origin(&self) -> Option<Origin> {
        self.origin().filter(|_| self.is_https())
    }

    /// Every address to listen on. For plain HTTP `--listen`, else `--port` on all
    /// interfaces of both families; with an own certificate and no origin, only what
    /// is named. For HTTPS `--tls-listen`, else its port on all interfaces.
    pub fn addresses(&self) -> Vec<(Scheme, ListenAddress)> {
        let all = |port| ListenAddress::Tcp(format!("[::]:{port}"));
        let plain = match (&self.listening.listen[..], self.listening.port) {
            ([], Some(port)) => vec![all(port)],
            ([], None) if !self.is_https() => vec![all(PLAIN_PORT)],
            ([], None) if self.redirect_origin().is_some() => vec![all(HTTP_PORT)],
            (listen, _) => items(listen).cloned().collect(),
        };
        let tls = match &self.https.tls_listen[..] {
            _ if !self.is_https() => Vec::new(),
            [] => vec![all(HTTPS_PORT)],
            listen => items(listen).cloned().collect(),
        };
        let plain = plain.into_iter().map(|address| (Scheme::Http, address));
        plain.chain(tls.into_iter().map(|address| (Scheme::Https, address))).collect()
    }
}

impl HttpsOptions {
    fn check(&self) -> Result<(), String> {
        let is_acme = !self.acme_domain.is_empty();
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
                None => state_folder()?,
            },
            authority: self.acme_directory.clone().unwrap_or_default(),
            root_file: self.acme_root.clone(),
            email: self.acme_email.as_ref().map(ToString::to_string),
            profile: self.acme_profile.clone(),
            external_account: external_account
                .map(|(key_id, key_file)| ExternalAccount { key_id, key_file }),
            schedule: Schedule::default(),
        })
    }
}

/// The folder that systemd made for the service, else the user's folder for state
/// (XDG Base Directory Specification, which has relative paths ignored).
fn state_folder() -> Result<PathBuf, String> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    // systemd separates several folders by colons.
    if let Some(folders) = env::var_os("STATE_DIRECTORY").filter(|folders| !folders.is_empty()) {
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
