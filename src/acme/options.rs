//! Options of the operator for ACME.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD_INDIFFERENT;
use clap::Args;
use http::Uri;
use instant_acme::{ExternalAccountKey, LetsEncrypt};

use crate::host_name;
use crate::operator_file;
use crate::problem::Problem;
use crate::site::email_address;

/// Options for obtaining a certificate.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "HTTPS")]
pub struct Options {
    /// Get and renew a Let's Encrypt certificate for NAME
    ///
    /// Repeat for several domains. You accept the certificate authority's terms of service
    #[arg(long, env, value_name = "NAME", value_delimiter = ',', value_parser = domain)]
    acme_domain: Vec<String>,
    /// Folder for account, keys and certificates [default: $STATE_DIRECTORY, or recipelog-site in
    /// $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, env, hide_short_help = true, value_name = "DIR", value_parser = folder)]
    acme_dir: Option<PathBuf>,
    /// URL of another certificate authority's ACME directory [default: Let's Encrypt]
    #[arg(long, env, hide_short_help = true, value_name = "URL", value_parser = directory)]
    acme_directory: Option<Uri>,
    /// Root certificates (PEM) for connecting to a private authority
    #[arg(long, env, hide_short_help = true, value_name = "FILE")]
    pub(super) acme_root: Option<PathBuf>,
    /// Your address for messages from the certificate authority
    #[arg(long, env, hide_short_help = true, value_name = "EMAIL", value_parser = email_address)]
    pub(super) acme_email: Option<String>,
    /// Certificate profile to request, if the certificate authority offers several
    #[arg(long, env, hide_short_help = true, value_name = "NAME")]
    pub(super) acme_profile: Option<String>,
    /// Key id for external account binding, if the certificate authority requires it
    #[arg(long, env, hide_short_help = true, value_name = "ID")]
    acme_eab_kid: Option<String>,
    /// File with the HMAC key for external account binding, in base64url
    #[arg(long, env, hide_short_help = true, value_name = "FILE")]
    acme_eab_key: Option<PathBuf>,
}

impl Options {
    /// True if an authority is asked for a certificate.
    pub fn is_used(&self) -> bool {
        !self.acme_domain.is_empty()
    }

    /// Returns an error message if the options contradict each other.
    pub fn check(&self) -> Result<(), Problem> {
        if !self.is_used() && *self != Self::default() {
            return Err(Problem::new("the --acme options need a domain", "add --acme-domain"));
        }
        if self.acme_eab_kid.is_some() != self.acme_eab_key.is_some() {
            let what = "--acme-eab-kid and --acme-eab-key belong together";
            return Err(Problem::new(what, "give both"));
        }
        if self.is_used() { self.folder().map(drop) } else { Ok(()) }
    }

    /// The names, in the order of the options.
    pub fn domains(&self) -> impl Iterator<Item = &String> {
        self.acme_domain.iter()
    }

    /// The folder that keeps accounts, keys and certificates. Used by one process at a time.
    pub fn folder(&self) -> Result<PathBuf, Problem> {
        self.acme_dir.clone().map_or_else(|| state_folder(|name| env::var_os(name)), Ok)
    }

    /// The address of the authority's directory.
    pub(super) fn directory(&self) -> Uri {
        let default = || Uri::from_static(LetsEncrypt::Production.url());
        self.acme_directory.clone().unwrap_or_else(default)
    }

    /// The port of the authority.
    pub(super) fn port(&self) -> u16 {
        self.directory().port_u16().unwrap_or(443)
    }

    /// The name of the folder that holds the state at this authority: the address without the
    /// scheme, with `_` for each character that some file system may not accept.
    pub(super) fn authority_folder(&self) -> String {
        let is_special = |it: char| !it.is_ascii_alphanumeric() && !"-.".contains(it);
        self.directory().to_string().trim_start_matches("https://").replace(is_special, "_")
    }

    /// Reads the key of the external account that the ACME account is bound to (RFC 8555 §7.3.4).
    /// The error does not reveal the content of the file.
    pub(super) fn external_account(&self) -> Result<Option<ExternalAccountKey>, Problem> {
        let (Some(id), Some(file)) = (&self.acme_eab_kid, &self.acme_eab_key) else {
            return Ok(None);
        };
        let text = operator_file::read_for("--acme-eab-key", file)?;
        // RFC 8555 §7.3.4: without padding. Some authorities pad anyway.
        match URL_SAFE_NO_PAD_INDIFFERENT.decode(text.trim_ascii()) {
            Ok(key) if !key.is_empty() => Ok(Some(ExternalAccountKey::new(id.clone(), &key))),
            _ => {
                let what =
                    format!("cannot use {} of --acme-eab-key: no base64url text", file.display());
                Err(Problem::new(what, "write the key into it as the authority shows it"))
            }
        }
    }
}

/// The path of a folder. Only a shell replaces `~`, and only at the start of a word.
fn folder(path: &str) -> Result<PathBuf, &'static str> {
    match path == "~" || path.starts_with("~/") {
        true => Err("expected a whole path, because only a shell knows ~, such as /srv/certs"),
        false => Ok(path.into()),
    }
}

/// Name of the site that a certificate can be issued for, in ASCII and lower case. Names of one
/// label are for private authorities. Wildcards are left out: TLS-ALPN-01 cannot validate them (RFC
/// 8737 §3). A trailing dot, as in DNS, is accepted and removed.
fn domain(name: &str) -> Result<String, &'static str> {
    let name = name.trim();
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.starts_with("*.") {
        return Err("wildcards are not supported; list each name, such as www.recipes.example");
    }
    if !name.is_ascii() {
        return Err("expected a domain name in ASCII, such as xn--bcher-kva.example");
    }
    if !host_name::is_valid(name) {
        return Err("expected a domain name, such as recipes.example");
    }
    Ok(name.to_ascii_lowercase())
}

/// The folder in `STATE_DIRECTORY`, which systemd or the image sets, or a folder in the user's
/// folder for state. `variable` gives the value of an environment variable. Relative paths in
/// `XDG_STATE_HOME` are ignored, as the XDG Base Directory Specification requires.
fn state_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Problem> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(folders) = variable("STATE_DIRECTORY").filter(|folders| !folders.is_empty()) {
        // systemd separates several folders by colons.
        let first = env::split_paths(&folders).next().filter(|path| path.is_absolute());
        return first.ok_or_else(|| {
            let remedy = "set one such as /var/lib/recipelog-site, or set --acme-dir";
            Problem::new("the path in STATE_DIRECTORY is not absolute", remedy)
        });
    }
    folder("XDG_STATE_HOME")
        .or_else(|| Some(folder("HOME")?.join(".local/state")))
        .map(|state| state.join("recipelog-site"))
        .ok_or_else(|| {
            Problem::new("there is no folder for account, keys and certificates", "set --acme-dir")
        })
}

/// The address of an authority's directory (RFC 8555 §7.1.1).
fn directory(url: &str) -> Result<Uri, &'static str> {
    let is_https = |uri: &Uri| {
        let host = uri.host().unwrap_or_default();
        // The crate `http` treats a port out of range as no port.
        let has_port = uri.port_u16().is_some() || uri.authority().is_some_and(|it| it == host);
        uri.scheme_str() == Some("https") && !host.is_empty() && has_port
    };
    let uri = url.parse().ok().filter(is_https);
    uri.ok_or("expected an HTTPS URL, such as https://ca.example/acme/directory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_authority_has_a_port_and_a_folder_of_its_own() {
        for (url, port, folder) in [
            (LetsEncrypt::Production.url(), 443, "acme-v02.api.letsencrypt.org_directory"),
            ("https://[::1]:9000/../d", 9000, "___1__9000_.._d"),
        ] {
            let options = Options { acme_directory: directory(url).ok(), ..Options::default() };
            assert_eq!((options.port(), options.authority_folder()), (port, folder.to_owned()));
        }
    }

    #[test]
    fn the_state_folder_belongs_to_the_service_or_to_the_user() {
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
