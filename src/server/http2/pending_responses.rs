//! How fast a client takes responses (HTTP-25).
//!
//! A client of HTTP/2 decides by its windows how much of a response is sent. The
//! socket is not full meanwhile, so the time limit on writing to it does not apply.

use std::time::Duration;

use tokio::time::Instant;

use crate::server::limits::Limits;

/// The responses of one connection that are not sent in full. The rate is measured over all of
/// them together: a client can request many at a time, and then each waits for the others.
#[derive(Debug, Default)]
pub(super) struct PendingResponses {
    /// `None` without a pending response.
    period: Option<Period>,
}

/// A measuring period so far: its beginning, and the bytes that were sent in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    pub(super) since: Instant,
    pub(super) bytes: u64,
}

impl PendingResponses {
    /// Records that `count` bytes were sent, and whether there are any responses after that.
    pub(super) fn record(&mut self, count: u64, is_pending: bool) {
        if is_pending {
            let begin = || Period { since: Instant::now(), bytes: 0 };
            self.period.get_or_insert_with(begin).bytes += count;
        } else {
            self.period = None;
        }
    }

    /// The current measuring period; `None` if no response is pending.
    pub(super) fn current(&self) -> Option<Period> {
        self.period
    }

    /// Begins another period if `length` has passed. False if less was sent than
    /// [`Limits::WRITE_RATE_MIN`] demands.
    pub(super) fn are_taken(&mut self, length: Duration, now: Instant) -> bool {
        let required = (u128::from(Limits::WRITE_RATE_MIN) * length.as_millis() / 1000).max(1);
        let Some(period) = self.period.as_mut().filter(|period| now >= period.since + length)
        else {
            return true;
        };
        let is_taken = u128::from(period.bytes) >= required;
        *period = Period { since: now, bytes: 0 };
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Duration = Duration::from_secs(30);

    #[test]
    fn all_responses_together_are_taken_at_240_bytes_per_second() {
        let mut responses = PendingResponses::default();
        responses.record(7_000, true);
        let begun = responses.current().unwrap().since;
        responses.record(200, true);
        assert!(responses.are_taken(LENGTH, begun + LENGTH));
        // Another response becomes pending.
        responses.record(7_199, true);
        assert!(responses.are_taken(LENGTH, begun + LENGTH * 2 - Duration::from_secs(1)));
        assert!(!responses.are_taken(LENGTH, begun + LENGTH * 2));
        responses.record(1, false);
        assert!(responses.current().is_none());
        assert!(responses.are_taken(LENGTH, begun + LENGTH * 4));
    }
}
