//! The command line: the commands, and the options of all of them in groups.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread::available_parallelism;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::https::HttpsOptions;
use super::list::{List, list};
use super::values::{
    Time, connection_count, port, proxy_count, switch, thread_count, time_or_zero,
};
use crate::server::{Format, Limits, ListenAddress};
use crate::site::{AppName, EmailAddress, Origin, Settings, StoreUrl};

/// Version, and commit and date of the source.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("RECIPELOG_COMMIT"),
    ", ",
    env!("RECIPELOG_DATE"),
    ")"
);

const DEFAULTS: Limits = Limits::DEFAULT;

/// Help of a command that ignores the global options.
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
    // much of it, and no operator should have to know which options. The help does not
    // depend on the environment.
    mut_args = |option| option.global(true).hide_env_values(true),
    after_help = "Durations have the unit ms, s, m, h or d: 500ms, 10s, 2m, 1h, 14d. An option's\n\
                  environment variable applies if the option is not given."
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
        after_help = "Give it the options and variables of the server: it checks the first plain and \
                      the first HTTPS address that they name."
    )]
    Healthcheck,
    /// Write the site as plain files, for a CDN or another server
    #[command(after_help = "Only the options of the site have an effect. If --origin is not \
                      given, --acme-domain and --tls-listen determine the origin.")]
    Export {
        /// Output folder, new or empty
        #[arg(value_name = "DIR")]
        folder: PathBuf,
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
    #[arg(long, env, value_name = "ADDR", value_parser = list(ListenAddress::from_str))]
    pub(super) listen: Vec<List<ListenAddress>>,
    /// Port on all interfaces if --listen is not given; 0 picks a free port
    /// [default: 8080, or 80 to redirect to HTTPS]
    #[arg(long, env, value_name = "PORT", value_parser = port)]
    pub(super) port: Option<u16>,
    /// Worker threads [default: one per available processor]
    #[arg(long, env, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Open the site in a browser. If the default port is in use, another one is
    /// taken
    #[arg(long, env, value_parser = switch)]
    pub open: bool,
    /// Print the address for phones in the same network as a QR code
    #[arg(long, env, value_parser = switch)]
    pub qr: bool,
}

impl Listening {
    /// Number of worker threads: `--threads`, else the processors that this
    /// process may use, as its affinity and its control group allow.
    pub fn threads(&self) -> usize {
        let available = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(available).get()
    }
}

/// Settings of the site.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Site")]
pub(super) struct SiteOptions {
    /// Public URL of the site, such as https://recipelog.example; HSTS and the
    /// redirect to HTTPS need it [default with ACME: the first domain]
    #[arg(long, env, value_name = "URL")]
    pub(super) origin: Option<Origin>,
    /// Time for which browsers then open the site over HTTPS only, by HSTS; 0 leaves
    /// it out
    #[arg(long, env, value_name = "TIME", value_parser = time_or_zero, default_value = "365d")]
    hsts: Time,
    /// Product name on the pages
    #[arg(long, env, value_name = "NAME", default_value_t)]
    app_name: AppName,
    /// Support address on the pages, the only way to reach you: the contact
    /// form sends nothing
    #[arg(long, env, value_name = "EMAIL", default_value_t)]
    support_email: EmailAddress,
    /// Address of the app in the App Store, which the landing page links to
    #[arg(long, env, value_name = "URL")]
    app_store_url: Option<StoreUrl>,
    /// Address of the app in Google Play, which the landing page links to
    #[arg(long, env, value_name = "URL")]
    play_store_url: Option<StoreUrl>,
}

impl SiteOptions {
    /// The settings of a site that the public reaches at `origin`.
    pub(super) fn settings(&self, origin: Option<Origin>) -> Settings {
        let is_https = origin.as_ref().is_some_and(Origin::is_https);
        Settings {
            hsts: Some(self.hsts.0).filter(|time| is_https && !time.is_zero()),
            app_name: self.app_name.clone(),
            support_email: self.support_email.clone(),
            app_store_url: self.app_store_url.clone(),
            play_store_url: self.play_store_url.clone(),
            origin,
        }
    }
}

/// Limits that apply to clients.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitOptions {
    /// Maximum time to receive one request's head
    #[arg(long, env, value_name = "TIME", default_value_t = Time(DEFAULTS.header_timeout))]
    header_timeout: Time,
    /// Maximum time between two requests of a connection
    #[arg(long, env, value_name = "TIME", default_value_t = Time(DEFAULTS.idle_timeout))]
    idle_timeout: Time,
    /// Maximum time without progress in sending a response
    #[arg(long, env, value_name = "TIME", default_value_t = Time(DEFAULTS.write_timeout))]
    write_timeout: Time,
    /// Maximum drain time after SIGTERM, SIGINT or SIGQUIT
    #[arg(long, env, value_name = "TIME", default_value_t = Time(DEFAULTS.drain_timeout))]
    drain_timeout: Time,
    /// Maximum concurrent connections; beyond it, idle and slow ones give way
    #[arg(long, env, value_name = "N", value_parser = connection_count, default_value_t = DEFAULTS.max_connections)]
    max_connections: NonZeroUsize,
}

impl LimitOptions {
    /// The limits behind this number of trusted proxies.
    pub(super) fn limits(&self, trusted_proxies: usize) -> Limits {
        Limits {
            header_timeout: self.header_timeout.0,
            idle_timeout: self.idle_timeout.0,
            write_timeout: self.write_timeout.0,
            drain_timeout: self.drain_timeout.0,
            max_connections: self.max_connections,
            trusted_proxies,
        }
    }
}

/// The access log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// One line per request on standard output
    #[arg(long, env, value_name = "FORMAT", default_value = "off", ignore_case = true)]
    access_log: LogFormat,
    /// Number of trusted proxies: log the client of X-Forwarded-For; close a proxy's
    /// connections only if idle
    #[arg(long, env, value_name = "N", value_parser = proxy_count, default_value_t = 0)]
    pub trust_proxy: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    Off,
    Combined,
    Json,
}

impl Logging {
    /// Format of the access log; `None` if there is none.
    pub fn format(&self) -> Option<Format> {
        match self.access_log {
            LogFormat::Off => None,
            LogFormat::Combined => Some(Format::Combined),
            LogFormat::Json => Some(Format::Json),
        }
    }
}
