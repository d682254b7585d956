//! What options of different groups mean together: addresses, origin, settings, limits.

use std::time::Duration;

use super::options::{Cli, Command, HttpsOptions};
use crate::host_name;
use crate::output::report;
use crate::problem::Problem;
use crate::server::{ListenAddress, Scheme};
use crate::site::{Origin, Settings};

/// Port of HTTPS (RFC 9110 §4.2.2), and port of plain HTTP that redirects to it.
const HTTPS_PORT: u16 = 443;
const HTTP_PORT: u16 = 80;

/// Port without HTTPS: an unprivileged user may listen on it.
const PLAIN_PORT: u16 = 8080;

/// Default of `--hsts`.
const HSTS_DEFAULT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

impl Cli {
    /// The settings of the site.
    pub fn settings(&self) -> Settings {
        let origin = self.origin();
        let is_https = origin.as_ref().is_some_and(Origin::is_https);
        let default = || Some(HSTS_DEFAULT).filter(|_| origin.as_ref().is_some_and(has_own_name));
        let hsts = self.site.hsts.or_else(default).filter(|time| is_https && !time.is_zero());
        let settings = Settings { origin, hsts, ..self.site.clone() };
        if has_unread_address(&settings) {
            let address = &settings.support_email;
            report(format_args!(
                "the pages show the placeholder {address}; set --support-email to yours"
            ));
        }
        settings
    }

    /// An error if the options contradict each other. `export` accepts the options of the server
    /// unchecked.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let HttpsOptions { tls_cert, tls_key, tls_listen, expires_within, acme } = &self.https;
        let (has_cert, has_key) = (tls_cert.is_some(), tls_key.is_some());
        let is_used = self.https.is_used();
        let has_plain_origin = self.site.origin.as_ref().is_some_and(|origin| !origin.is_https());
        let either = "add --tls-cert and --tls-key, or --acme-domain";
        let (what, remedy) = match self.command {
            None if has_cert && !has_key => ("--tls-cert needs its key", "add --tls-key"),
            None if has_key && !has_cert => ("--tls-key needs its certificate", "add --tls-cert"),
            None if has_cert && acme.is_used() => {
                ("--tls-cert and --acme-domain exclude each other", "choose one")
            }
            None if !is_used && !tls_listen.is_empty() => {
                ("--tls-listen needs a certificate", either)
            }
            None if is_used && has_plain_origin => {
                ("--origin is not HTTPS", "begin it with https://")
            }
            None => return acme.check(),
            Some(Command::Healthcheck) if !is_used && expires_within.is_some() => {
                ("--expires-within needs HTTPS", either)
            }
            Some(_) => return Ok(()),
        };
        Err(Problem::new(what, remedy))
    }

    /// The public origin: `--origin`, or the first domain without a port, because the authority
    /// validates it on port 443 (RFC 8737 §3), whatever port this server has behind a router or a
    /// proxy.
    pub fn origin(&self) -> Option<Origin> {
        let of_domain = || format!("https://{}", self.https.acme.domains().next()?).parse().ok();
        self.site.origin.clone().or_else(of_domain)
    }

    /// The origin that plain HTTP is redirected to; `None` without HTTPS or an origin.
    pub fn redirect_origin(&self) -> Option<Origin> {
        self.origin().filter(|_| self.https.is_used())
    }

    /// The domains other than the origin's host. Empty if the origin's host is not a domain: then
    /// another server, such as a CDN, answers there, and it may send its requests to one of these
    /// domains.
    pub fn other_domains(&self) -> Vec<String> {
        let host = self.origin().map(|origin| origin.host().to_owned());
        let domains = self.https.acme.domains().cloned();
        let (own, others): (Vec<_>, Vec<_>) = domains.partition(|name| Some(name) == host.as_ref());
        if own.is_empty() { Vec::new() } else { others }
    }

    /// Every address to listen on.
    ///
    /// - Plain HTTP: `--listen`, or `--port` on all interfaces, or a default port there. There is
    ///   no default port if `--tls-listen` is given, or if HTTPS is used without an origin to
    ///   redirect to.
    /// - HTTPS: `--tls-listen`, or port 443 on all interfaces.
    pub fn addresses(&self) -> Vec<(Scheme, ListenAddress)> {
        let all = |port| ListenAddress::Tcp("::".to_owned(), port);
        let plain = match (&self.listening.listen[..], self.listening.port) {
            ([], Some(port)) => vec![all(port)],
            ([], None) if !self.https.is_used() => vec![all(PLAIN_PORT)],
            ([], None) if self.redirect_origin().is_some() && self.https.tls_listen.is_empty() => {
                vec![all(HTTP_PORT)]
            }
            (listen, _) => listen.to_vec(),
        };
        let tls = match &self.https.tls_listen[..] {
            _ if !self.https.is_used() => Vec::new(),
            [] => vec![all(HTTPS_PORT)],
            listen => listen.to_vec(),
        };
        let plain = plain.into_iter().map(|address| (Scheme::Http, address));
        plain.chain(tls.into_iter().map(|address| (Scheme::Https, address))).collect()
    }

    /// True if the server may leave its default port: the browser that it opens gets the address
    /// from it.
    pub fn may_change_port(&self) -> bool {
        let is_default = self.listening.listen.is_empty() && self.listening.port.is_none();
        self.listening.open && is_default && !self.https.is_used()
    }
}

/// True if no other site shares the name of `origin`. HSTS holds for all ports of a name (RFC 6797
/// §8.2), so it would affect other services there, and everybody's `localhost`.
fn has_own_name(origin: &Origin) -> bool {
    let host = origin.host();
    let is_name = host_name::is_valid(host) && host != "localhost" && !host.ends_with(".localhost");
    is_name && origin.to_string().ends_with(host)
}

/// True if the support address of a public site is for examples only (RFC 2606 §2).
fn has_unread_address(settings: &Settings) -> bool {
    settings.origin.is_some() && settings.support_email.ends_with(".example")
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    fn cli(arguments: &str) -> Cli {
        let words = arguments.split_whitespace();
        Cli::try_parse_from(["recipelog-site"].into_iter().chain(words)).expect("options")
    }

    #[test]
    fn without_the_option_the_origin_is_the_first_domain_without_a_port() {
        for (arguments, expected) in [
            ("--acme-domain a.example,b.example", Some("https://a.example")),
            ("--acme-domain a.example --tls-listen [::]:8443", Some("https://a.example")),
            ("--acme-domain a.example --origin https://b.example", Some("https://b.example")),
            ("", None),
        ] {
            let origin = cli(arguments).origin().map(|origin| origin.to_string());
            assert_eq!(origin.as_deref(), expected, "{arguments}");
        }
    }

    #[test]
    fn a_name_that_belongs_to_the_site_alone_has_hsts_by_default() {
        for (arguments, expected) in [
            ("--origin https://a.example", Some(HSTS_DEFAULT)),
            ("--origin https://a.example:8443", None),
            ("--origin https://localhost", None),
            ("--origin https://a.localhost", None),
            ("--origin https://192.0.2.1", None),
            ("--origin https://[2001:db8::1]", None),
            ("--origin http://a.example", None),
            ("--origin https://a.example:8443 --hsts 2m", Some(Duration::from_secs(120))),
            ("--origin https://a.example --hsts 0", None),
        ] {
            assert_eq!(cli(arguments).settings().hsts, expected, "{arguments}");
        }
    }

    #[test]
    fn plain_http_has_a_default_port_unless_tls_listen_names_the_ports() {
        for (arguments, expected) in [
            ("", "[::]:8080"),
            ("--acme-domain a.example", "[::]:80 [::]:443"),
            ("--acme-domain a.example --tls-listen 127.0.0.1:8443", "127.0.0.1:8443"),
            ("--acme-domain a.example --tls-listen [::]:8443 --port 8080", "[::]:8080 [::]:8443"),
        ] {
            let addresses = cli(arguments).addresses();
            let addresses: Vec<_> =
                addresses.iter().map(|(_, address)| address.to_string()).collect();
            assert_eq!(addresses.join(" "), expected, "{arguments}");
        }
    }

    #[test]
    fn a_public_site_has_an_address_that_somebody_reads() {
        for (arguments, is_unread) in [
            ("", false),
            ("--origin https://a.example", true),
            ("--acme-domain a.example", true),
            ("--acme-domain a.example --support-email a@b.test", false),
        ] {
            assert_eq!(has_unread_address(&cli(arguments).settings()), is_unread, "{arguments}");
        }
    }

    #[test]
    fn the_help_names_the_default_ports() {
        let help = Cli::command().render_long_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for default in [format!("{PLAIN_PORT}, or {HTTP_PORT} to"), format!("[::]:{HTTPS_PORT}]")] {
            assert!(help.contains(&format!("[default: {default}")), "{default}: {help}");
        }
    }
}
