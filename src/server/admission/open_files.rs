//! The operating system's limit on open files, which every connection counts
//! towards.

use std::num::NonZeroUsize;

use super::connections::RESERVE;

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
    /// far as possible. An error if it leaves no connection.
    pub fn within_limit(workers: usize, connections: NonZeroUsize) -> Result<Self, String> {
        let reserved = RESERVED + RESERVED_PER_WORKER * workers;
        match raise_limit(connections.get().saturating_add(reserved)) {
            Some(limit) => Self::within(limit, workers, connections),
            None => Ok(Self { workers, connections }),
        }
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
#[cfg(unix)]
fn raise_limit(needed: usize) -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
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

/// This platform has no limit on files.
#[cfg(not(unix))]
fn raise_limit(_: usize) -> Option<usize> {
    None
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
}
