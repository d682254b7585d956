//! Options for addresses and workers.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread::available_parallelism;

use clap::Args;

use super::list::{List, list};
use super::values::{port, thread_count};
use crate::server::ListenAddress;

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
    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,
}

impl Listening {
    /// Number of worker threads: `--threads`, else the processors that this
    /// process may use, as its affinity and its control group allow.
    pub fn threads(&self) -> usize {
        let available = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(available).get()
    }
}
