//! Limits on time and quantity: options, and constants that docs/http.md promises.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::listen::WorkerSockets;
use crate::option_value::{number, shown, time};
use crate::output::report;
use crate::problem::Problem;

const DEFAULT: Limits = Limits::DEFAULT;

/// Maximum bytes of one request's head (WIRE-19).
pub(super) const HEAD_MAX_BYTES: usize = 16 * 1024;

/// Maximum bytes of a write: a record of TLS or a frame of HTTP/2 with its head. The kernel takes a
/// whole write as soon as there is any space, and reports space again once most of it was sent.
/// With larger writes, a client that reads slowly would seem to make no progress (WIRE-25).
pub(super) const WRITE_MAX_BYTES: usize = 17 * 1024;

/// Bytes in a row after which the next read waits for another turn. Otherwise a client that floods
/// would keep the others of its worker waiting, because h2 reads as long as there is something to
/// read.
pub(super) const READ_TURN_BYTES: usize = 4 * 1024;

/// Maximum time in which data is discarded that a client still sends after the last response.
/// Closing on unread data resets the connection, and the reset can overtake the response (RFC 9112
/// §9.6).
pub(super) const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum time in which the content of a request over HTTP/2 is discarded behind its response
/// (WIRE-25).
pub(super) const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// Connections beyond the cap, for when every connection within it is protected and busy (WIRE-26).
/// They are not protected themselves, so that a new client, such as a health check, always gets
/// one.
pub(super) const RESERVE: usize = 16;

/// Pause after an accept error that does not concern one client, such as a full table of open files
/// (WIRE-26). The listening socket stays readable, so without this pause a worker would spin.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// Grace period of the drain, in which connections are accepted, and idle ones stay open: a request
/// that is under way, or that waits on a new connection, is still answered (WIRE-28).
pub(super) const DRAIN_GRACE: Duration = Duration::from_millis(250);

/// The part of the drain limit that is left for incomplete heads and handshakes, and for clients of
/// HTTP/2 to confirm GOAWAY: a tenth, by default 1 s (WIRE-28). A client that sends half a request
/// and stops must not hold a restart up.
pub(super) const DRAIN_HEAD_DIVISOR: u32 = 10;

/// Maximum time in which the workers close the connections after the drain (WIRE-28).
pub const END_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum bytes of log lines that wait for the writer, which holds as many again (WIRE-29).
pub(super) const LOG_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Longest value that is logged whole, in bytes after escaping (WIRE-29). The values stay in memory
/// until the response has ended.
pub(super) const LOG_VALUE_MAX_BYTES: usize = 512;

/// Streams of HTTP/2 that a client may have open at once (WIRE-35). Clients that have not read the
/// limit yet, such as Go and HAProxy, open as many.
pub(super) const STREAMS_MAX: u32 = 100;

/// Content of requests over HTTP/2 that a client may send on each stream before the server asks for
/// more, in bytes (WIRE-35). Requests carry none here.
pub(super) const STREAM_WINDOW_BYTES: u32 = 1024;

/// Streams that a client may reset before they are accepted: rapid reset, CVE-2023-44487 (WIRE-35).
/// The default of h2.
pub(super) const RESET_STREAMS_MAX: usize = 20;

/// Streams of a connection that h2 may reset because of malformed heads, or refuse (WIRE-35).
pub(super) const ERROR_STREAMS_MAX: usize = 128;

/// Bytes for each stream of HTTP/2 that exists at once: 1.4 KiB for its response and its place in
/// h2's tables, which never shrink, and up to 2.2 KiB for its line in the access log.
pub(super) const STREAM_BYTES: usize = 4096;

/// Bytes that a connection with HTTP/2 may keep until it ends (WIRE-35): without using the pool, and
/// at most.
pub(super) const KEPT_FREE_BYTES: usize = 32 * 1024;
pub(super) const KEPT_MAX_BYTES: usize = 8 * 1024 * 1024;

/// Size of the pool, which all connections share for what they keep beyond that, in bytes for each
/// connection within the cap: 192 MiB for 4,096.
pub(super) const POOL_BYTES_PER_CONNECTION: usize = 48 * 1024;

/// Files that the process holds besides connections: standard streams, signal handling, the thread
/// of the certificate, and the reserve of admission.
const RESERVED_FILES: usize = 16 + RESERVE;

/// Files of a worker's runtime, and of each of its listening sockets with a connection that waits for
/// admission.
const RESERVED_FILES_PER_WORKER: usize = 4;
const RESERVED_FILES_PER_SOCKET: usize = 2;

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
    /// At the limit, a new connection replaces an idle or slow one, taken from the client with the
    /// most connections
    #[arg(long, env, value_name = "N", default_value_t = DEFAULT.max_connections,
          value_parser = number::<NonZeroUsize>("expected a whole number above zero, such as 4096"))]
    pub max_connections: NonZeroUsize,
}

impl Limits {
    /// The defaults of WIRE-25 and WIRE-26. Common load balancers close after 60 s; the idle limit
    /// is longer, so they close first.
    pub const DEFAULT: Self = Self {
        header_timeout: Duration::from_secs(10),
        idle_timeout: Duration::from_secs(75),
        write_timeout: Duration::from_secs(30),
        drain_timeout: Duration::from_secs(10),
        max_connections: NonZeroUsize::new(4096).expect("above zero"),
    };

    /// These limits, with as many connections as the limit on open files allows beside the workers
    /// with these sockets. Raises that limit as far as it can, and reports fewer connections. An
    /// error if none are left.
    pub fn within_open_files(self, workers: &[WorkerSockets]) -> Result<Self, Problem> {
        let sockets: usize = workers.iter().map(|worker| worker.sockets.len()).sum();
        let workers = workers.len();
        let reserved = RESERVED_FILES
            + RESERVED_FILES_PER_WORKER * workers
            + RESERVED_FILES_PER_SOCKET * sockets;
        let needed = self.max_connections.saturating_add(reserved).get();
        let Some(limit) = raise_open_files(needed) else { return Ok(self) };
        let Some(left) = NonZeroUsize::new(limit.saturating_sub(reserved)) else {
            return Err(Problem::new(
                format!("the limit of {limit} open files is too low for {workers} workers"),
                format!("raise it to {needed} (ulimit -n), or lower --threads"),
            ));
        };
        if left < self.max_connections {
            report(format_args!(
                "the limit of {limit} open files allows {left} connections; raise it to {needed} (ulimit -n)"
            ));
        }
        Ok(Self { max_connections: left.min(self.max_connections), ..self })
    }
}

/// Raises the limit on open files to `needed`, or as far as this user may. Returns the limit;
/// `None` if there is none.
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
