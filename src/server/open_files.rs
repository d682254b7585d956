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

/// Divisor of the limit: all workers together may hold this fraction of the open files.
const WORKERS_SHARE: usize = 4;

/// Numbers of workers and connections that the limit on open files allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Worker threads.
    pub workers: usize,
    /// Maximum concurrent connections.
    pub connections: NonZeroUsize,
}

impl Capacity {
    /// The requested numbers, or the numbers that the limit allows after it was raised as
    /// far as possible; lower numbers are reported. An error if it leaves no connection.
    pub fn within_limit(workers: usize, connections: NonZeroUsize) -> Result<Self, String> {
        let requested = Self { workers, connections };
        let needed = requested.needed();
        let Some(limit) = raise_limit(needed) else { return Ok(requested) };
        let allowed = Self::within(limit, workers, connections)?;
        if allowed != requested {
            report(format_args!(
                "the limit of {limit} open files allows {} workers and {} connections; raise it \
                 to {needed}",
                allowed.workers, allowed.connections
            ));
        }
        Ok(allowed)
    }

    /// The lowest limit on open files that allows these numbers.
    fn needed(self) -> usize {
        let workers = RESERVED_PER_WORKER * self.workers;
        let in_total = self.connections.get().saturating_add(RESERVED + workers);
        in_total.max(WORKERS_SHARE * workers)
    }

    fn within(limit: usize, workers: usize, connections: NonZeroUsize) -> Result<Self, String> {
        let workers_max = limit / WORKERS_SHARE / RESERVED_PER_WORKER;
        let workers = workers.min(workers_max.max(1));
        let reserved = RESERVED + RESERVED_PER_WORKER * workers;
        let left = NonZeroUsize::new(limit.saturating_sub(reserved)).ok_or_else(|| {
            format!(
                "the limit of {limit} open files is too low; raise it to {} or more",
                reserved + 1
            )
        })?;
        Ok(Self { workers, connections: left.min(connections) })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_and_connections_fit_within_the_limit() {
        let connections = NonZeroUsize::new(4096).unwrap();
        for (limit, workers, expected) in [
            (1_048_576, 64, Some((64, 4096))),
            (4096, 2, Some((2, 4052))),
            (1024, 256, Some((42, 740))),
            (64, 16, Some((2, 20))),
            (47, 1, Some((1, 9))),
            (39, 2, Some((1, 1))),
            (38, 2, None),
        ] {
            let capacity = Capacity::within(limit, workers, connections).ok();
            let found = capacity.map(|capacity| (capacity.workers, capacity.connections.get()));
            assert_eq!(found, expected, "{limit} {workers}");
        }
    }

    #[test]
    fn the_limit_that_is_needed_allows_the_requested_numbers_and_a_lower_one_does_not() {
        for (workers, connections) in [(1, 1), (2, 4096), (64, 100), (1024, 4096)] {
            let connections = NonZeroUsize::new(connections).unwrap();
            let requested = Capacity { workers, connections };
            let within = |limit| Capacity::within(limit, workers, connections).ok();
            assert_eq!(within(requested.needed()), Some(requested));
            assert_ne!(within(requested.needed() - 1), Some(requested));
        }
    }
}
