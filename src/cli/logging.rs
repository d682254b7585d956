//! Options of the access log.

use clap::{Args, ValueEnum};

use super::values::proxy_count;
use crate::server::Format;

/// The access log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Logging")]
pub struct Logging {
    /// One line per request on standard output
    #[arg(long, env, value_name = "FORMAT", default_value = "off")]
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
