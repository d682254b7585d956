//! The operating system's limit on open files, which every connection counts
//! towards.

use std::num::NonZeroUsize;

use super::admission::RESERVE;

/// Files that the process holds besides connections: standard streams, signal
/// handling, listening sockets, the connections that admission holds in reserve.
const RESERVED: usize = 24 + RESERVE;

/// Files per worker: its runtime, its listening sockets, the connection that
/// waits for admission.
const RESERVED_PER_WORKER: usize = 8;

/// The maximum of concurrent connections for `workers` workers: `requested`, or
/// what the limit on open files allows after it was raised as far as possible.
#[cfg(unix)]
pub fn connections_within_limit(requested: NonZeroUsize, workers: usize) -> NonZeroUsize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let reserved = RESERVED + RESERVED_PER_WORKER * workers;
    let needed = (requested.get() + reserved) as u64;
    let mut current = limit.current;
    if current.is_some_and(|current| current < needed) {
        let raised = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if setrlimit(Resource::Nofile, Rlimit { current: raised, ..limit }).is_ok() {
            current = raised;
        }
    }
    let Some(current) = current.and_then(|current| usize::try_from(current).ok()) else {
        return requested;
    };
    NonZeroUsize::new(current.saturating_sub(reserved))
        .map_or(NonZeroUsize::MIN, |left| left.min(requested))
}

/// The maximum of concurrent connections. This platform has no limit on files.
#[cfg(not(unix))]
pub fn connections_within_limit(requested: NonZeroUsize, _: usize) -> NonZeroUsize {
    requested
}
