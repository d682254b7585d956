//! The order in which connections are closed for others (HTTP-26).

use std::time::Duration;

use tokio::time::Instant;

use super::connection_state::{Command, ConnectionState, Phase, Standing};

/// Time in which a client may send a head before its connection can be closed
/// for another one: longer than a task waits for its first turn.
const HEAD_GRACE: Duration = Duration::from_millis(50);

/// A connection's claim to its place; the least claim gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    /// Answered in full and closing, since then.
    Closing(Instant),
    /// Idle since then.
    Idle(Instant),
    /// Sending its head since then.
    Head(Instant),
    /// Reading its response at so many bytes per second.
    Reading(u64),
    /// About to end: told to close, or new and sending its first request.
    Pending,
    /// Not to be closed: protected and busy, or new in the reserve.
    Strong,
}

impl Claim {
    pub(super) fn of(connection: &ConnectionState, now: Instant) -> Self {
        let (phase, since) = connection.phase();
        match (phase, connection.command()) {
            (_, Command::Abort) | (Phase::Idle, Command::Finish) => Self::Pending,
            (Phase::Close, _) => Self::Closing(since),
            (Phase::Idle, Command::Serve) => Self::Idle(since),
            _ if connection.standing == Standing::Protected => Self::Strong,
            (Phase::Head, _) if now.saturating_duration_since(since) < HEAD_GRACE => {
                match connection.standing {
                    Standing::Reserve => Self::Strong,
                    _ => Self::Pending,
                }
            }
            (Phase::Head, _) => Self::Head(since),
            (Phase::Write, _) => {
                let milliseconds = now.saturating_duration_since(since).as_millis().max(1) as u64;
                Self::Reading(connection.bytes_sent().saturating_mul(1000) / milliseconds)
            }
        }
    }

    /// An idle connection may have a request under way, which is answered
    /// first; the others cannot be waited for.
    pub(super) fn command(self) -> Command {
        if matches!(self, Self::Idle(_)) { Command::Finish } else { Command::Abort }
    }
}
