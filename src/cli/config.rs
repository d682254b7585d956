//! What the options mean together: addresses, origin, settings, limits.

use std::time::Duration;

use super::options::{Cli, Command, HttpsOptions, Listening, Logging};
use crate::host_name;
use crate::problem::Problem;
use crate::server::{Limits, ListenAddress, Scheme};
use crate::site::{Origin, Settings};

/// Port of HTTPS (RFC 9110 §4.2.2), and port of plain HTTP that redirects to it.
const HTTPS_PORT: u16 = 443;
const HTTP_PORT: u16 = 80;

/// Port without HTTPS: an unprivileged user may listen on it.
const PLAIN_PORT: u16 = 8080;

/// Default of `--hsts`.
const HSTS_DEFAULT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What the options mean together.
#[derive(Clone, Debug)]
pub struct Config {
    /// Workers, browser, QR code.
    pub listening: Listening,
    /// Every address to listen on. Plain HTTP has no default port if `--tls-listen` is given, or if
    /// HTTPS is used without an origin to redirect to.
    pub addresses: Vec<(Scheme, ListenAddress)>,
    /// The certificate.
    pub https: HttpsOptions,
    /// For `healthcheck`: for how long the certificate has to be valid.
    pub expires_within: Option<Duration>,
    /// The settings, with the public origin: `--origin`, or the first domain without a port, because
    /// the authority validates it on port 443 (RFC 8737 §3), whatever port this server has behind a
    /// router or a proxy.
    pub settings: Settings,
    /// The origin that plain HTTP is redirected to; `None` without HTTPS or an origin.
    pub redirect: Option<Origin>,
    /// The domains other than the origin's host. Empty if the origin's host is not a domain: then
    /// another server, such as a CDN, answers there, and it may send its requests to one of these
    /// domains.
    pub other_names: Vec<String>,
    /// Limits that apply to clients.
    pub limits: Limits,
    /// The access log, and the proxies.
    pub logging: Logging,
}

impl Config {
    pub(super) fn new(cli: Cli) -> Self {
        let Cli { listening, https, expires_within, site, limits, logging, .. } = cli;
        let domains: Vec<String> = https.acme.domains().cloned().collect();
        let of_domain = || format!("https://{}", domains.first()?).parse().ok();
        let origin: Option<Origin> = site.origin.or_else(of_domain);
        let redirect = origin.clone().filter(|_| https.is_used());
        let host = origin.as_ref().map(Origin::host);
        let (own, others): (Vec<_>, Vec<_>) =
            domains.into_iter().partition(|name| Some(&**name) == host);
        let default = origin.as_ref().filter(|origin| has_own_name(origin)).map(|_| HSTS_DEFAULT);
        let is_https = origin.as_ref().is_some_and(Origin::is_https);
        let hsts = site.hsts.or(default).filter(|time| is_https && !time.is_zero());
        let all = |port| vec![ListenAddress::Tcp("::".to_owned(), port)];
        let plain = match (&listening.listen[..], listening.port) {
            ([], Some(port)) => all(port),
            ([], None) if !https.is_used() => all(PLAIN_PORT),
            ([], None) if redirect.is_some() && https.tls_listen.is_empty() => all(HTTP_PORT),
            (listen, _) => listen.to_vec(),
        };
        let tls = match &https.tls_listen[..] {
            _ if !https.is_used() => Vec::new(),
            [] => all(HTTPS_PORT),
            listen => listen.to_vec(),
        };
        let plain = plain.into_iter().map(|address| (Scheme::Http, address));
        Self {
            addresses: plain.chain(tls.into_iter().map(|it| (Scheme::Https, it))).collect(),
            other_names: if own.is_empty() { Vec::new() } else { others },
            settings: Settings { origin, hsts, ..site },
            redirect,
            listening,
            https,
            expires_within,
            limits,
            logging,
        }
    }

    /// True if the server may leave its default port: the browser that it opens gets the address
    /// from it.
    pub fn may_change_port(&self) -> bool {
        let Listening { listen, port, open, .. } = &self.listening;
        *open && listen.is_empty() && port.is_none() && !self.https.is_used()
    }

    /// The host of the public origin.
    pub fn host(&self) -> Option<&str> {
        self.settings.origin.as_ref().map(Origin::host)
    }
}

/// An error if the options contradict each other. `given_by` is the variable of an option if that
/// set it, otherwise the option itself. `export` accepts the options of the server unchecked.
pub(super) fn check(cli: &Cli, given_by: impl Fn(&str) -> String) -> Result<(), Problem> {
    let HttpsOptions { tls_cert, tls_key, tls_listen, acme } = &cli.https;
    let addresses: Vec<_> = cli.listening.listen.iter().chain(tls_listen).collect();
    // Port 0 is another port each time.
    let is_repeated = |(index, it): &(usize, &&ListenAddress)| {
        !matches!(it, ListenAddress::Tcp(_, 0)) && addresses[..*index].contains(*it)
    };
    let repeated = addresses.iter().enumerate().find(is_repeated);
    if let Some((_, address)) = repeated.filter(|_| cli.command.is_none()) {
        return Err(Problem::new(format!("{address} is given twice"), "give it once"));
    }
    let (has_cert, has_key) = (tls_cert.is_some(), tls_key.is_some());
    let is_used = cli.https.is_used();
    let has_plain_origin = cli.site.origin.as_ref().is_some_and(|origin| !origin.is_https());
    let either = "add --tls-cert and --tls-key, or --acme-domain";
    let (id, what, remedy) = match cli.command {
        None if has_cert && !has_key => ("tls_cert", "needs its key", "add --tls-key"),
        None if has_key && !has_cert => ("tls_key", "needs its certificate", "add --tls-cert"),
        None if has_cert && acme.is_used() => {
            let both = format!("{} and {}", given_by("tls_cert"), given_by("acme_domain"));
            return Err(Problem::new(format!("{both} exclude each other"), "choose one"));
        }
        None if !is_used && !tls_listen.is_empty() => ("tls_listen", "needs a certificate", either),
        None if is_used && has_plain_origin => ("origin", "is not HTTPS", "begin it with https://"),
        None => return acme.check(),
        Some(Command::Healthcheck) if !is_used && cli.expires_within.is_some() => {
            ("expires_within", "needs HTTPS", either)
        }
        Some(_) => return Ok(()),
    };
    Err(Problem::new(format!("{} {what}", given_by(id)), remedy))
}

/// True if no other site shares the name of `origin`. HSTS holds for all ports of a name (RFC 6797
/// §8.2), so it would affect other services there, and everybody's `localhost`.
fn has_own_name(origin: &Origin) -> bool {
    let host = origin.host();
    let is_name = host_name::is_valid(host) && host != "localhost" && !host.ends_with(".localhost");
    is_name && origin.to_string().ends_with(host)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn config(arguments: &str) -> Config {
        let words = arguments.split_whitespace();
        let cli = Cli::try_parse_from(["recipelog-site"].into_iter().chain(words));
        Config::new(cli.expect("options"))
    }

    #[test]
    fn plain_http_has_a_default_port_unless_tls_listen_names_the_ports() {
        for (arguments, expected) in [
            ("", "[::]:8080"),
            ("--acme-domain a.example", "[::]:80 [::]:443"),
            ("--acme-domain a.example --tls-listen 127.0.0.1:8443", "127.0.0.1:8443"),
            ("--acme-domain a.example --tls-listen [::]:8443 --port 8080", "[::]:8080 [::]:8443"),
        ] {
            let addresses = config(arguments).addresses;
            let addresses: Vec<_> =
                addresses.iter().map(|(_, address)| address.to_string()).collect();
            assert_eq!(addresses.join(" "), expected, "{arguments}");
        }
    }
}
