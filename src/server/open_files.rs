//! The operating system's limit on open files, which every connection counts
//! towards.

use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::admission::RESERVE;
use crate::output::report;

/// Files that the process holds besides connections: standard streams, signal
/// handling, listening sockets, and the reserve of admission.
const RESERVED: usize = 16 + RESERVE;

/// Files per worker: its runtime, its listening sockets, the connection that
/// waits for admission.
const RESERVED_PER_WORKER: usize = 6;

/// The connections that the limit on open files allows beside `workers`, at most `requested`. The limit is
/// raised as far as possible; fewer connections are reported. An error if it leaves none.
pub fn connections_within_limit(
    workers: usize,
    requested: NonZeroUsize,
) -> Result<NonZeroUsize, String> {
    let reserved = RESERVED + RESERVED_PER_WORKER * workers;
    let needed = requested.saturating_add(reserved).get();
    let Some(limit) = raise_limit(needed) else { return Ok(requested) };
    let Some(left) = NonZeroUsize::new(limit.saturating_sub(reserved)) else {
        return Err(format!(
            "the limit of {limit} open files is too low for {workers} workers; raise it to {needed}, \
             or lower --threads"
        ));
    };
    if left < requested {
        report(format_args!(
            "the limit of {limit} open files allows {left} connections; raise it to {needed}"
        ));
    }
    Ok(left.min(requested))
}

/// Raises the limit on open files to `needed`, or as far as this user may.
/// Returns the limit; `None` if there is none.
fn raise_limit(needed: usize) -> Option<usize> {
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
