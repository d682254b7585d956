//! Limits on time and quantity (WIRE-25, WIRE-26).

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::admission::RESERVE;
use crate::option_value::{number, shown, time};
use crate::output::report;
use crate::problem::Problem;

const DEFAULT: Limits = Limits::DEFAULT;

/// Files that the process holds besides connections: standard streams, signal
/// handling, listening sockets, and the reserve of admission.
const RESERVED_FILES: usize = 16 + RESERVE;

/// Files per worker: 4 of its runtime, and for each of two listening sockets itself and a connection that waits
/// for admission.
const RESERVED_FILES_PER_WORKER: usize = 8;

/// Limits that apply to clients.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum time to receive the head of a request
    // It starts with the connection or with the head's first byte.
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.header_timeout))]
    pub header_timeout: Duration,
    /// Maximum time between two requests on a connection
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.idle_timeout))]
    pub idle_timeout: Duration,
    /// Maximum time without progress in sending a response
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.write_timeout))]
    pub write_timeout: Duration,
    /// Maximum time to finish requests after SIGTERM, SIGINT or SIGQUIT
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time, default_value = shown(DEFAULT.drain_timeout))]
    pub drain_timeout: Duration,
    /// Maximum concurrent connections
    ///
    /// When full, an idle or slow connection of the client that holds the most is closed for a new one
    #[arg(long, env, value_name = "N", default_value_t = DEFAULT.max_connections,
          value_parser = number::<NonZeroUsize>("expected a whole number above zero, such as 4096"))]
    pub max_connections: NonZeroUsize,
    /// Number of proxies in front of the site
    ///
    /// Log the client address from X-Forwarded-For, and when full, close a proxy's connections only if idle
    // Above zero, every TCP peer is a proxy.
    #[arg(long = "trust-proxy", env = "TRUST_PROXY", value_name = "N", default_value_t = 0, help_heading = "Logging",
          value_parser = number::<usize>("expected a whole number, such as 1"))]
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

    /// With the connections that the limit on open files allows beside `workers`. That limit is raised as far as
    /// possible; fewer connections are reported. An error if it leaves none.
    pub fn within_open_files(self, workers: usize) -> Result<Self, Problem> {
        let reserved = RESERVED_FILES + RESERVED_FILES_PER_WORKER * workers;
        let needed = self.max_connections.saturating_add(reserved).get();
        let Some(limit) = raise_open_files(needed) else { return Ok(self) };
        let Some(left) = NonZeroUsize::new(limit.saturating_sub(reserved)) else {
            return Err(Problem::new(
                format!("the limit of {limit} open files is too low for {workers} workers"),
                format!("raise it to {needed}, or lower --threads"),
            ));
        };
        if left < self.max_connections {
            report(format_args!(
                "the limit of {limit} open files allows {left} connections; raise it to {needed}"
            ));
        }
        Ok(Self { max_connections: left.min(self.max_connections), ..self })
    }
}

/// Raises the limit on open files to `needed`, or as far as this user may.
/// Returns the limit; `None` if there is none.
fn raise_open_files(needed: usize) -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    let needed = needed as u64;
    let mut current = limit.current?;
    if current < needed {
        let raised = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
        if setrlimit(Resource::Nofile, Rlimit { current: Some(raised), ..limit }).is_ok() {
            current = raised;
        }
    }
    usize::try_from(current).ok()
}
