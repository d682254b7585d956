//! The responses of an HTTP/2 connection that are not sent in full, and how fast
//! the client takes them (HTTP-25).
//!
//! A client of HTTP/2 decides by its windows how much of a response is sent. The
//! socket is not full meanwhile, so the time limit on writing to it does not apply.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::limits::Limits;

/// The responses of one connection. The rate is measured over all of them together: a
/// client can request many at a time, and then each waits for the others.
#[derive(Debug, Default)]
pub(super) struct PendingResponses {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    count: usize,
    /// `None` without a pending response.
    period: Option<Period>,
}

/// A measuring period so far: its beginning, and the bytes that were sent in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    pub(super) since: Instant,
    pub(super) bytes: u64,
}

/// One response. It is pending until this is dropped.
#[derive(Debug)]
pub(super) struct PendingResponse(Arc<PendingResponses>);

impl PendingResponses {
    /// Counts one more response.
    pub(super) fn add(self: &Arc<Self>) -> PendingResponse {
        let mut state = self.lock();
        state.count += 1;
        state.period.get_or_insert_with(|| Period { since: Instant::now(), bytes: 0 });
        PendingResponse(Arc::clone(self))
    }

    /// The current measuring period; `None` if no response is pending.
    pub(super) fn current(&self) -> Option<Period> {
        self.lock().period
    }

    /// Begins another period if `length` has passed. False if less was sent than
    /// [`Limits::WRITE_RATE_MIN`] demands.
    pub(super) fn are_taken(&self, length: Duration, now: Instant) -> bool {
        let required = (u128::from(Limits::WRITE_RATE_MIN) * length.as_millis() / 1000).max(1);
        let mut state = self.lock();
        let Some(period) = state.period.as_mut().filter(|period| now >= period.since + length)
        else {
            return true;
        };
        let is_taken = u128::from(period.bytes) >= required;
        *period = Period { since: now, bytes: 0 };
        is_taken
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingResponse {
    pub(super) fn add_sent(&self, count: usize) {
        if let Some(period) = &mut self.0.lock().period {
            period.bytes += count as u64;
        }
    }
}

impl Drop for PendingResponse {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.count -= 1;
        if state.count == 0 {
            state.period = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Duration = Duration::from_secs(30);

    #[test]
    fn all_responses_together_are_taken_at_240_bytes_per_second() {
        let responses = Arc::<PendingResponses>::default();
        let stalled = responses.add();
        let begun = responses.current().unwrap().since;
        let other = responses.add();
        other.add_sent(7_200);
        assert!(responses.are_taken(LENGTH, begun + LENGTH));
        // Bytes still count after their response has ended.
        other.add_sent(7_199);
        drop(other);
        assert!(responses.are_taken(LENGTH, begun + LENGTH * 2 - Duration::from_secs(1)));
        assert!(!responses.are_taken(LENGTH, begun + LENGTH * 2));
        drop(stalled);
        assert!(responses.current().is_none());
        assert!(responses.are_taken(LENGTH, begun + LENGTH * 4));
    }
}
