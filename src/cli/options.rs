//! The command line: the commands, and the options of all of them in groups.

use std::num::{NonZeroU8, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::help;
use crate::acme;
use crate::option_value::{number, time};
use crate::server::{Format, Limits, ListenAddress};
use crate::site::Settings;

/// What the executable is, with the product's name.
const ABOUT: &str =
    concat!("The website of ", env!("RECIPELOG_APP_NAME"), ": this one file is the whole site");

/// The command line: a command, and the options of all commands.
#[derive(Debug, Parser)]
#[command(
    name = "recipelog-site",
    version = env!("RECIPELOG_LONG_VERSION"),
    about = ABOUT,
    long_about = format!("{ABOUT}.\n\nWithout options, it serves http://localhost:8080 on all interfaces. \
                          Plain HTTP needs no other file and no network access."),
    term_width = 80,
    // Each command accepts the whole command line of the server: the health check needs much of it,
    // and no operator should have to know which options.
    mut_args = help::documented,
    disable_help_subcommand = true,
    after_help = "Without options: http://localhost:8080, on all interfaces.\n\
                  All options, variables, exit codes and examples: recipelog-site --help",
    after_long_help = help::MORE,
)]
pub(super) struct Cli {
    /// A command other than serving.
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Addresses and workers.
    #[command(flatten)]
    pub(super) listening: Listening,
    /// Certificates.
    #[command(flatten)]
    pub(super) https: HttpsOptions,
    /// For healthcheck: fail if the certificate expires sooner
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time, help_heading = "HTTPS")]
    pub(super) expires_within: Option<Duration>,
    /// Settings of the site.
    #[command(flatten)]
    pub(super) site: Settings,
    /// Limits that apply to clients.
    #[command(flatten)]
    pub(super) limits: Limits,
    /// The access log.
    #[command(flatten)]
    pub(super) logging: Logging,
}

/// The commands other than serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check that the running server answers
    ///
    /// Give it the options and variables of the server, such as healthcheck --port 3000. It checks
    /// the first plain and the first HTTPS address that they set, in at most 1.8 s. Exits with 0 if
    /// the server answers and its certificate has not expired, otherwise with 1, and with 2 after a
    /// usage error.
    Healthcheck,
    /// Write the site as plain files, for a CDN or another server
    ///
    /// Exits with 0 if all files were written, otherwise with 1, and with 2 after a usage error.
    Export {
        /// Output folder, new or empty
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print shell completions
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Print the licences of all components
    Licenses,
}

/// Addresses and workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Listening")]
pub struct Listening {
    /// Address and port, or unix:/path; repeat for several
    #[arg(long, env, value_name = "ADDR", value_delimiter = ',', value_parser = ListenAddress::from_str)]
    pub(super) listen: Vec<ListenAddress>,
    /// Port on all interfaces; 0 picks a free one
    ///
    /// --listen overrides --port, and --port overrides the variable LISTEN [default: 8080, or 80 to
    /// redirect to HTTPS]
    #[arg(long, env, value_name = "PORT", value_parser = number::<u16>("expected a port from 0 to 65535, such as 8080"))]
    pub(super) port: Option<u16>,
    /// Worker threads [default: one per available processor]
    #[arg(long, env, hide_short_help = true, value_name = "N", value_parser = number::<NonZeroU8>("expected a whole number from 1 to 255, such as 2"))]
    threads: Option<NonZeroU8>,
    /// Open the site in a browser, at a free port if the default one is in use
    #[arg(long, env, hide_short_help = true)]
    pub open: bool,
    /// Print the address for phones on the same network as a QR code
    #[arg(long, env, hide_short_help = true)]
    pub qr: bool,
}

impl Listening {
    /// Number of worker threads: `--threads`, or the processors that the affinity and the control
    /// group of this process allow.
    pub fn threads(&self) -> usize {
        let available = || available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(available, |threads| threads.get().into())
    }
}

/// HTTPS and its certificate.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "HTTPS")]
pub struct HttpsOptions {
    /// Address and port for HTTPS; repeat for several [default: [::]:443]
    #[arg(long, env, hide_short_help = true, value_name = "ADDR", value_delimiter = ',', value_parser = tcp_address)]
    pub(super) tls_listen: Vec<ListenAddress>,
    /// Certificate chain in PEM, read again when it changes
    #[arg(long, env, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate, in PEM
    #[arg(long, env, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// The certificate from an authority.
    #[command(flatten)]
    pub acme: acme::Options,
}

impl HttpsOptions {
    /// True if a certificate is configured.
    pub fn is_used(&self) -> bool {
        self.tls_cert.is_some() || self.acme.is_used()
    }
}

/// The access log, and the proxies whose word it takes.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// Number of proxies in front of the site
    ///
    /// The log shows the visitor's address from X-Forwarded-For, the Nth from the right. At
    /// --max-connections, a proxy's connection is closed only if it is idle
    // Above zero, every TCP peer is a proxy.
    #[arg(long = "trust-proxy", env = "TRUST_PROXY", value_name = "N", default_value_t = 0,
          value_parser = number::<usize>("expected a number of proxies, such as 1"))]
    pub trusted_proxies: usize,
    /// Log requests: off, combined or json
    ///
    /// Standard output gets one line per request
    #[arg(
        long,
        env,
        value_name = "FORMAT",
        default_value = "off",
        value_enum,
        ignore_case = true,
        hide_possible_values = true
    )]
    pub access_log: Format,
}

/// An address to listen on for HTTPS.
fn tcp_address(address: &str) -> Result<ListenAddress, &'static str> {
    match address.parse() {
        Ok(address @ ListenAddress::Tcp(..)) => Ok(address),
        _ => Err("expected an address with a port, such as [::]:443"),
    }
}
