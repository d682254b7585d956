//! How long and how many: HTTP.md lines 25 and 26.

use std::num::NonZeroUsize;
use std::time::Duration;

/// What the server grants its clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the first byte of a request's head, or from the start of a
    /// connection, to the end of that head.
    pub header_timeout: Duration,
    /// Between two requests of one connection.
    pub idle_timeout: Duration,
    /// Without any progress in writing.
    pub write_timeout: Duration,
    /// From the wish to end to the end, whoever is still being served.
    pub drain_timeout: Duration,
    /// Connections that are open at once; further ones wait in the backlog.
    pub max_connections: NonZeroUsize,
}

impl Limits {
    /// Those of HTTP.md lines 25 and 26.
    pub const DEFAULT: Self = Self {
        header_timeout: Duration::from_secs(10),
        idle_timeout: Duration::from_secs(60),
        write_timeout: Duration::from_secs(30),
        drain_timeout: Duration::from_secs(10),
        max_connections: NonZeroUsize::new(4096).expect("above zero"),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
