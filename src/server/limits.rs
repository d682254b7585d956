//! Limits on time and quantity (WIRE-25, WIRE-26).

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use crate::option_value::{number, shown, time};

const DEFAULT: Limits = Limits::DEFAULT;

/// Limits that apply to clients.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum time to receive one request's head
    // It starts with the connection or with the head's first byte.
    #[arg(long, env, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.header_timeout))]
    pub header_timeout: Duration,
    /// Maximum time between two requests of a connection
    #[arg(long, env, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.idle_timeout))]
    pub idle_timeout: Duration,
    /// Maximum time without progress in sending a response
    #[arg(long, env, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.write_timeout))]
    pub write_timeout: Duration,
    /// Maximum drain time after SIGTERM, SIGINT or SIGQUIT
    #[arg(long, env, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.drain_timeout))]
    pub drain_timeout: Duration,
    /// Maximum concurrent connections; beyond it, idle and slow ones give way
    #[arg(long, env, value_name = "N", default_value_t = DEFAULT.max_connections,
          value_parser = number::<NonZeroUsize>("not a whole number above zero, for example 4096"))]
    pub max_connections: NonZeroUsize,
    /// Number of trusted proxies in front of the server. Above zero, every TCP
    /// peer is a proxy.
    #[arg(skip)]
    pub trusted_proxies: usize,
}

impl Limits {
    /// The defaults of WIRE-25 and WIRE-26. The idle limit exceeds the 60 s
    /// after which common load balancers close, so that they close first.
    pub const DEFAULT: Self = Self {
        header_timeout: Duration::from_secs(10),
        idle_timeout: Duration::from_secs(75),
        write_timeout: Duration::from_secs(30),
        drain_timeout: Duration::from_secs(10),
        max_connections: NonZeroUsize::new(4096).expect("above zero"),
        trusted_proxies: 0,
    };
}
