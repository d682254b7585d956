//! The operating system's limit on open files, which every connection counts
//! towards.

use std::num::NonZeroUsize;

/// Files that are open besides connections: standard streams, the runtime's
/// own, listening sockets; and a few to spare.
const RESERVED: usize = 32;

/// The most connections that may be open: `wanted`, or what the limit on open
/// files leaves for them, after it was raised as far as this user may.
#[cfg(unix)]
pub fn connections_within_limit(wanted: NonZeroUsize) -> NonZeroUsize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let needed = (wanted.get() + RESERVED) as u64;
    let mut current = limit.current;
    if current.is_some_and(|current| current < needed) {
        let raised = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if setrlimit(Resource::Nofile, Rlimit { current: raised, ..limit }).is_ok() {
            current = raised;
        }
    }
    let Some(current) = current.and_then(|current| usize::try_from(current).ok()) else {
        return wanted;
    };
    NonZeroUsize::new(current.saturating_sub(RESERVED))
        .map_or(NonZeroUsize::MIN, |left| left.min(wanted))
}

/// The most connections that may be open; there is no limit on files here.
#[cfg(not(unix))]
pub fn connections_within_limit(wanted: NonZeroUsize) -> NonZeroUsize {
    wanted
}
