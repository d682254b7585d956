//! Limits on time and quantity (WIRE-25, WIRE-26).

use std::num::NonZeroUsize;
use std::time::Duration;

/// Limits that apply to clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum time to receive one request's head. It starts with the
    /// connection or with the head's first byte.
    pub header_timeout: Duration,
    /// Maximum time between two requests of a connection.
    pub idle_timeout: Duration,
    /// Maximum time without progress in sending a response.
    pub write_timeout: Duration,
    /// Maximum drain time after a shutdown request.
    pub drain_timeout: Duration,
    /// Maximum concurrent connections of the process.
    pub max_connections: NonZeroUsize,
    /// Number of trusted proxies in front of the server. Above zero, every TCP
    /// peer is a proxy.
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
