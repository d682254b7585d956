//! Options and commands, with their help texts, variables and defaults.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::list::{List, list};
use super::values::{Time, connection_count, port, proxy_count, tcp_address, thread_count};
use crate::acme::{Authority, Domain};
use crate::server::{Limits, ListenAddress};
use crate::site::{AppName, EmailAddress, Origin};

const DEFAULTS: Limits = Limits::DEFAULT;

/// Version, and commit and date of the source.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("RECIPELOG_COMMIT"),
    ", ",
    env!("RECIPELOG_DATE"),
    ")"
);

/// Help of a command that ignores the options of all commands.
const HELP_WITHOUT_OPTIONS: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{positionals}\n";

/// Serve RecipeLog's website: this one file is the whole site.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "recipelog-site",
    version = VERSION,
    disable_help_subcommand = true,
    term_width = 80,
    // Each command accepts the whole command line of the server: the health check needs
    // much of it, and no operator should have to know which options.
    mut_args = |option| option.global(true),
    after_help = "Durations have the unit ms, s or m: 500ms, 10s, 2m. An option's environment\n\
                  variable applies if the option is not given."
)]
pub struct Cli {
    /// A command other than serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Addresses and workers.
    #[command(flatten)]
    pub listening: Listening,
    /// Certificates.
    #[command(flatten)]
    pub(super) https: HttpsOptions,
    /// Settings of the site.
    #[command(flatten)]
    pub(super) site: SiteOptions,
    /// Limits that apply to clients.
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    /// The access log.
    #[command(flatten)]
    pub logging: Logging,
}

/// The commands other than serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check that the running server answers: exit code 0 or 1
    #[command(
        after_help = "Give it the options and variables of the server: it checks the addresses that they name."
    )]
    Healthcheck,
    /// Write the site as plain files, for a CDN or another server
    #[command(
        after_help = "Only the options of the site, and a domain as the origin, have an effect."
    )]
    Export {
        /// Output folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Allow a folder that is not empty
        #[arg(long)]
        force: bool,
    },
    /// Print shell completions
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Man,
    /// Print the licences of all components
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Licenses,
}

/// Addresses and workers.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Listening")]
pub struct Listening {
    /// Address and port, or unix:/path; repeat for several
    #[arg(
        long,
        env = "LISTEN",
        hide_env_values = true,
        value_name = "ADDR",
        value_parser = list(ListenAddress::from_str)
    )]
    pub(super) listen: Vec<List<ListenAddress>>,
    /// Port on all interfaces if --listen is not given; 0 picks a free port
    /// [default: 8080, or 80 to redirect to HTTPS]
    #[arg(
        long,
        env = "PORT",
        hide_env_values = true,
        value_name = "PORT",
        value_parser = port
    )]
    pub(super) port: Option<u16>,
    /// Worker threads [default: one per available processor]
    #[arg(long, env, hide_env_values = true, value_name = "N", value_parser = thread_count)]
    pub(super) threads: Option<NonZeroUsize>,
    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "HTTPS")]
pub(super) struct HttpsOptions {
    /// Address and port of HTTPS; repeat for several [default: [::]:443]
    #[arg(
        long,
        env = "TLS_LISTEN",
        hide_env_values = true,
        value_name = "ADDR",
        value_parser = list(tcp_address)
    )]
    pub(super) tls_listen: Vec<List<ListenAddress>>,
    /// Certificate chain in PEM; read again on SIGHUP and when it changes
    #[arg(long, env = "TLS_CERT", hide_env_values = true, value_name = "FILE")]
    pub(super) tls_cert: Option<PathBuf>,
    /// Private key of the certificate in PEM
    #[arg(long, env = "TLS_KEY", hide_env_values = true, value_name = "FILE")]
    pub(super) tls_key: Option<PathBuf>,
    /// Obtain and renew a certificate for this domain; repeat for several. You
    /// accept the terms of service of the authority
    #[arg(
        long,
        env = "ACME_DOMAIN",
        hide_env_values = true,
        value_name = "NAME",
        value_parser = list(Domain::from_str)
    )]
    pub(super) acme_domain: Vec<List<Domain>>,
    /// Folder for account, keys and certificates [default: $STATE_DIRECTORY, else
    /// recipelog-site in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, env = "ACME_DIR", hide_env_values = true, value_name = "DIR")]
    pub(super) acme_dir: Option<PathBuf>,
    /// Directory of another authority [default: Let's Encrypt]
    #[arg(long, env = "ACME_DIRECTORY", hide_env_values = true, value_name = "URL")]
    pub(super) acme_directory: Option<Authority>,
    /// Root certificates in PEM that the authority is trusted by
    #[arg(long, env = "ACME_ROOT", hide_env_values = true, value_name = "FILE")]
    pub(super) acme_root: Option<PathBuf>,
    /// Address for messages of the authority
    #[arg(long, env = "ACME_EMAIL", hide_env_values = true, value_name = "EMAIL")]
    pub(super) acme_email: Option<EmailAddress>,
    /// Kind of certificate, of those that the authority offers
    #[arg(long, env = "ACME_PROFILE", hide_env_values = true, value_name = "NAME")]
    pub(super) acme_profile: Option<String>,
    /// Key id of the external account that the authority asks for
    #[arg(long, env = "ACME_EAB_KID", hide_env_values = true, value_name = "ID")]
    pub(super) acme_eab_kid: Option<String>,
    /// File with the HMAC key of the external account in base64url
    #[arg(long, env = "ACME_EAB_KEY", hide_env_values = true, value_name = "FILE")]
    pub(super) acme_eab_key: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Site")]
pub(super) struct SiteOptions {
    /// Public URL of the site, such as https://recipelog.example; HSTS and the
    /// redirect to HTTPS need it [default with ACME: the first domain]
    #[arg(long, env = "ORIGIN", hide_env_values = true, value_name = "URL")]
    pub(super) origin: Option<Origin>,
    /// Product name on the pages
    #[arg(long, env = "APP_NAME", hide_env_values = true, value_name = "NAME", default_value_t)]
    pub(super) app_name: AppName,
    /// Support address on the pages
    #[arg(
        long,
        env = "SUPPORT_EMAIL",
        hide_env_values = true,
        value_name = "EMAIL",
        default_value_t
    )]
    pub(super) support_email: EmailAddress,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitOptions {
    /// Maximum time to receive one request's head
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.header_timeout.into())]
    pub(super) header_timeout: Time,
    /// Maximum time between two requests of a connection
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.idle_timeout.into())]
    pub(super) idle_timeout: Time,
    /// Maximum time without progress in sending a response
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.write_timeout.into())]
    pub(super) write_timeout: Time,
    /// Maximum drain time after SIGTERM or SIGINT
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.drain_timeout.into())]
    pub(super) drain_timeout: Time,
    /// Maximum concurrent connections; beyond it, idle and slow ones give way
    #[arg(long, env, hide_env_values = true, value_name = "N", value_parser = connection_count, default_value_t = DEFAULTS.max_connections)]
    pub(super) max_connections: NonZeroUsize,
}

/// The access log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// One line per request on standard output
    #[arg(long, env, hide_env_values = true, value_name = "FORMAT", default_value = "off")]
    pub(super) access_log: LogFormat,
    /// Number of trusted proxies: log the client of X-Forwarded-For
    #[arg(long, env, hide_env_values = true, value_name = "N", value_parser = proxy_count, default_value_t = 0)]
    pub trust_proxy: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogFormat {
    Off,
    Combined,
    Json,
}
