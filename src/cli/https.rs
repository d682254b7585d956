//! Options of HTTPS.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::acme;
use crate::option_value::{List, list, time};
use crate::server::ListenAddress;

/// Certificates.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "HTTPS")]
pub struct HttpsOptions {
    /// Address and port of HTTPS; repeat for several [default: [::]:443]
    #[arg(long, env, value_name = "ADDR", value_parser = list(tcp_address))]
    pub(super) tls_listen: Vec<List<ListenAddress>>,
    /// Certificate chain in PEM; read again on SIGHUP and when it changes
    #[arg(long, env, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate in PEM
    #[arg(long, env, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// With the command healthcheck: fail if the certificate ends sooner
    #[arg(long, env, value_name = "TIME", value_parser = time)]
    pub expires_within: Option<Duration>,
    /// The certificate from an authority.
    #[command(flatten)]
    pub acme: acme::Options,
}

impl HttpsOptions {
    /// True if a certificate is configured.
    pub fn is_used(&self) -> bool {
        self.tls_cert.is_some() || self.acme.is_used()
    }

    /// Returns an error message if the options contradict each other.
    pub(super) fn check(&self) -> Result<(), String> {
        let problem = match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => "--tls-cert needs its key; add --tls-key",
            (None, Some(_)) => "--tls-key needs its certificate; add --tls-cert",
            (Some(_), _) if self.acme.is_used() => {
                "--tls-cert and --acme-domain exclude each other; choose one"
            }
            (None, _) if !self.acme.is_used() && !self.tls_listen.is_empty() => {
                "--tls-listen needs a certificate; add --tls-cert and --tls-key, or --acme-domain"
            }
            _ => return self.acme.check(),
        };
        Err(problem.to_owned())
    }
}

/// An address to listen on for HTTPS.
fn tcp_address(address: &str) -> Result<ListenAddress, &'static str> {
    match address.parse() {
        Ok(address @ ListenAddress::Tcp(_)) => Ok(address),
        _ => Err("not an address with a port, for example [::]:443"),
    }
}
