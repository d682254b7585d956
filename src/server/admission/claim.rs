//! The order in which connections are closed for others (HTTP-26).

use std::time::Duration;

use tokio::time::Instant;

use super::connection_state::{Command, ConnectionState, Phase, Standing};
use crate::server::listen::UNSENT_MAX_BYTES;

/// Time in which a client may send a head before its connection can be closed
/// for another one: longer than a task waits for its first turn.
const HEAD_GRACE: Duration = Duration::from_millis(10);

/// The rank of a connection at the cap: the one with the least rank is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    /// Answered in full, and closing since this instant.
    Closing(Instant),
    /// Idle since this instant.
    Idle(Instant),
    /// Sending its head since this instant.
    Head(Instant),
    /// Reading its response: bytes per second, and the start of the measurement.
    Reading(u64, Instant),
    /// Began its head less than [`HEAD_GRACE`] ago: not to be closed yet.
    New,
    /// Not to be closed: protected and busy, or new in the reserve.
    Strong,
}

impl Claim {
    pub(super) fn of(connection: &ConnectionState, now: Instant) -> Self {
        let (phase, since) = connection.phase();
        let standing = connection.standing;
        let is_new = now.saturating_duration_since(since) < HEAD_GRACE;
        match phase {
            Phase::Close => Self::Closing(since),
            Phase::Idle => Self::Idle(since),
            _ if standing == Standing::Protected => Self::Strong,
            Phase::Head if is_new && standing == Standing::Reserve => Self::Strong,
            Phase::Head if is_new => Self::New,
            Phase::Head => Self::Head(since),
            Phase::Write => {
                // The bytes in the kernel's send buffer count as read, because they may be on their
                // way to a fast reader.
                let bytes = connection.bytes_sent() + u64::from(UNSENT_MAX_BYTES);
                let milliseconds = now.saturating_duration_since(since).as_millis().max(1) as u64;
                Self::Reading(bytes.saturating_mul(1000) / milliseconds, since)
            }
        }
    }

    /// The command that closes the connection. On one that is idle or sends its head, a
    /// request that has arrived by now is answered first.
    pub(super) fn command(self) -> Command {
        match self {
            Self::Idle(_) => Command::Finish,
            Self::Head(_) => Command::Yield,
            _ => Command::Abort,
        }
    }
}
