//! Options, environment, defaults.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::server::{Format, Limits, ListenAddress};
use crate::site::{AppName, EmailAddress, Origin, Settings};

const DEFAULTS: Limits = Limits::DEFAULT;

/// Commit and day of the source, as `--version` shows them.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("RECIPELOG_COMMIT"),
    ", ",
    env!("RECIPELOG_DATE"),
    ")"
);

/// Serve RecipeLog's website: this one file is the whole site.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "recipelog-site",
    version = VERSION,
    disable_help_subcommand = true,
    term_width = 80,
    after_help = "Durations take ms, s or m: 500ms, 10s, 2m. Each option's variable counts where\n\
                  the option itself is not given."
)]
pub struct Cli {
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Where to listen.
    #[command(flatten)]
    pub listening: Listening,
    /// What the pages say.
    #[command(flatten)]
    site: SiteOptions,
    /// What clients are granted.
    #[command(flatten)]
    limits: LimitOptions,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
}

/// What the executable does besides serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Ask the running server whether it serves: exit code 0 or 1
    Healthcheck,
    /// Write the site as plain files, for a CDN or another server
    Export {
        /// The folder to write into
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Write into a folder that is not empty
        #[arg(long)]
        force: bool,
    },
    /// Print completions for a shell
    Completions {
        /// The shell that reads them
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Print the licences of what is built in
    Licenses,
}

/// Where to listen.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Listening")]
pub struct Listening {
    /// Address and port, or unix:/path; may be given several times
    #[arg(
        long,
        env = "LISTEN",
        hide_env_values = true,
        value_name = "ADDR",
        value_delimiter = ',',
        global = true
    )]
    listen: Vec<ListenAddress>,
    /// Port on all interfaces, where no --listen is given; 0 takes a free one
    #[arg(
        long,
        env = "PORT",
        hide_env_values = true,
        value_name = "PORT",
        value_parser = port,
        default_value_t = 8080,
        global = true
    )]
    port: u16,
    /// Open the site in the browser once it is served
    #[arg(long)]
    pub open: bool,
}

impl Listening {
    /// Every address to listen on: `--listen`, else `--port` on all interfaces.
    pub fn addresses(&self) -> Vec<ListenAddress> {
        if self.listen.is_empty() {
            vec![ListenAddress::Tcp(format!("0.0.0.0:{}", self.port))]
        } else {
            self.listen.clone()
        }
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Site")]
struct SiteOptions {
    /// Where the public reaches the site, such as https://recipelog.example
    #[arg(long, env = "ORIGIN", hide_env_values = true, value_name = "URL", global = true)]
    origin: Option<Origin>,
    /// The product's name on the pages
    #[arg(
        long,
        env = "APP_NAME",
        hide_env_values = true,
        value_name = "NAME",
        default_value_t,
        global = true
    )]
    app_name: AppName,
    /// Where the pages tell people to write
    #[arg(
        long,
        env = "SUPPORT_EMAIL",
        hide_env_values = true,
        value_name = "EMAIL",
        default_value_t,
        global = true
    )]
    support_email: EmailAddress,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
struct LimitOptions {
    /// To read one request's head
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.header_timeout.into())]
    header_timeout: Time,
    /// Between two requests of a connection
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.idle_timeout.into())]
    idle_timeout: Time,
    /// Without progress in writing an answer
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.write_timeout.into())]
    write_timeout: Time,
    /// From SIGTERM or SIGINT to the end
    #[arg(long, env, hide_env_values = true, value_name = "TIME", default_value_t = DEFAULTS.drain_timeout.into())]
    drain_timeout: Time,
    /// Open at once; further connections wait, none is dropped
    #[arg(long, env, hide_env_values = true, value_name = "N", value_parser = above_zero, default_value_t = DEFAULTS.max_connections)]
    max_connections: NonZeroUsize,
}

/// What is logged.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// One line a request on standard output
    #[arg(long, env, hide_env_values = true, value_name = "FORMAT", default_value = "off")]
    access_log: LogFormat,
    /// Log the address that X-Forwarded-For names, N proxies back
    #[arg(long, env, hide_env_values = true, value_name = "N", value_parser = whole_number, default_value_t = 0)]
    pub trust_proxy: usize,
}

impl Logging {
    /// The access log's format; `None` where none is kept.
    pub fn format(&self) -> Option<Format> {
        match self.access_log {
            LogFormat::Off => None,
            LogFormat::Combined => Some(Format::Combined),
            LogFormat::Json => Some(Format::Json),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    Off,
    Combined,
    Json,
}

impl Cli {
    /// Reads arguments, then the environment. On wrong usage, and for `--help`
    /// and `--version`, what to print is printed and the exit code returned.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ExitCode> {
        // Files of settings leave variables empty that nobody wants to set.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let command = Self::command().mut_args(|option| match option.get_env() {
            Some(name) if is_empty(name) => option.env(None),
            _ => option,
        });
        let parsed = command
            .try_get_matches_from(arguments)
            .and_then(|matches| Self::from_arg_matches(&matches));
        parsed.map_err(|error| {
            if !error.use_stderr() {
                // A reader that closed the pipe has read enough.
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            // clap's report goes on with hints and usage behind an empty line.
            let mut report = error.to_string();
            if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
                report = report.replacen(value, &value.escape_debug().to_string(), 1);
            }
            let lines = report.lines().take_while(|line| !line.is_empty()).map(str::trim);
            let line = lines.collect::<Vec<_>>().join(" ");
            eprintln!("recipelog-site: {}; see --help", line.trim_start_matches("error: "));
            ExitCode::from(2)
        })
    }

    /// What the pages say.
    pub fn settings(&self) -> Settings {
        Settings {
            app_name: self.site.app_name.clone(),
            support_email: self.site.support_email.clone(),
            origin: self.site.origin.clone(),
        }
    }

    /// What clients are granted.
    pub fn limits(&self) -> Limits {
        Limits {
            header_timeout: self.limits.header_timeout.0,
            idle_timeout: self.limits.idle_timeout.0,
            write_timeout: self.limits.write_timeout.0,
            drain_timeout: self.limits.drain_timeout.0,
            max_connections: self.limits.max_connections,
        }
    }
}

fn port(number: &str) -> Result<u16, &'static str> {
    number.parse().map_err(|_| "not a port from 0 to 65535, for example 8080")
}

fn above_zero(number: &str) -> Result<NonZeroUsize, &'static str> {
    number.parse().map_err(|_| "not a whole number above zero, for example 4096")
}

fn whole_number(number: &str) -> Result<usize, &'static str> {
    number.parse().map_err(|_| "not a whole number, for example 1")
}

/// A duration as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time(Duration);

impl From<Duration> for Time {
    fn from(duration: Duration) -> Self {
        Self(duration)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(time: &str) -> Result<Self, String> {
        let digits = time.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let count: Option<u32> = digits.parse().ok().filter(|&count| count > 0);
        match (count, &time[digits.len()..]) {
            (Some(count), "ms") => Ok(Self(Duration::from_millis(count.into()))),
            (Some(count), "s") => Ok(Self(Duration::from_secs(count.into()))),
            (Some(count), "m") => Ok(Self(Duration::from_secs(u64::from(count) * 60))),
            _ => {
                Err("not a time above zero with its unit, for example 500ms, 10s or 2m".to_owned())
            }
        }
    }
}
