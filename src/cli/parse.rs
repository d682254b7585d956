//! From the typed options to their meaning.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use super::options::{Cli, Listening, LogFormat, Logging};
use super::output::print;
use crate::diagnostics::report;
use crate::server::{Format, Limits};
use crate::site::Settings;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for
    /// `--help` and `--version`, prints the text and returns the exit code.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ExitCode> {
        // Files with settings often leave variables empty.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let command = Self::command().mut_args(|option| match option.get_env() {
            Some(name) if is_empty(name) => option.env(None),
            _ => option,
        });
        let parsed = command
            .try_get_matches_from(arguments)
            .and_then(|matches| Self::from_arg_matches(&matches));
        let usage_error = |text: &str| {
            report(format_args!("{text}; see --help"));
            ExitCode::from(2)
        };
        let cli: Self = parsed.map_err(|error| {
            if !error.use_stderr() {
                return print(error.to_string().as_bytes()).unwrap_or_else(|problem| {
                    report(problem);
                    ExitCode::FAILURE
                });
            }
            // Hints and usage follow clap's first paragraph.
            let mut text = error.to_string();
            if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
                text = text.replacen(value, &value.escape_debug().to_string(), 1);
            }
            let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
            let line = lines.collect::<Vec<_>>().join(" ");
            usage_error(line.trim_start_matches("error: "))
        })?;
        if cli.command.is_none() {
            cli.certificate_source()
                .and_then(|_| cli.check_addresses())
                .map_err(|problem| usage_error(&problem))?;
        }
        Ok(cli)
    }

    /// The settings of the site.
    pub fn settings(&self) -> Settings {
        Settings {
            app_name: self.site.app_name.clone(),
            support_email: self.site.support_email.clone(),
            origin: self.origin(),
        }
    }

    /// Limits that apply to clients.
    pub fn limits(&self) -> Limits {
        Limits {
            header_timeout: self.limits.header_timeout.0,
            idle_timeout: self.limits.idle_timeout.0,
            write_timeout: self.limits.write_timeout.0,
            drain_timeout: self.limits.drain_timeout.0,
            max_connections: self.limits.max_connections,
            trusted_proxies: self.logging.trust_proxy,
        }
    }
}

impl Listening {
    /// Number of worker threads: `--threads`, else the processors that this
    /// process may use, as its affinity and its control group allow.
    pub fn threads(&self) -> usize {
        let available = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(available).get()
    }
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
