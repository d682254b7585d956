//! Options for the limits that apply to clients.

use std::num::NonZeroUsize;

use clap::Args;

use super::values::{Time, connection_count};
use crate::server::Limits;

const DEFAULTS: Limits = Limits::DEFAULT;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitOptions {
    /// Maximum time to receive one request's head
    #[arg(long, env, value_name = "TIME", default_value_t = DEFAULTS.header_timeout.into())]
    header_timeout: Time,
    /// Maximum time between two requests of a connection
    #[arg(long, env, value_name = "TIME", default_value_t = DEFAULTS.idle_timeout.into())]
    idle_timeout: Time,
    /// Maximum time without progress in sending a response
    #[arg(long, env, value_name = "TIME", default_value_t = DEFAULTS.write_timeout.into())]
    write_timeout: Time,
    /// Maximum drain time after SIGTERM, SIGINT or SIGQUIT
    #[arg(long, env, value_name = "TIME", default_value_t = DEFAULTS.drain_timeout.into())]
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
