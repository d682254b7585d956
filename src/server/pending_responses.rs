//! The responses of an HTTP/2 connection that are not sent in full, and how fast
//! the client takes them (HTTP-25).
//!
//! A client of HTTP/2 decides by its windows how much of a response is sent. The
//! socket is not full meanwhile, so its own time limit does not notice.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::limits::Limits;

/// The responses of one connection.
#[derive(Debug, Default)]
pub(super) struct PendingResponses {
    /// Places are used again.
    places: Mutex<Vec<Option<Progress>>>,
}

/// What was sent of a response in the current window of time.
#[derive(Clone, Copy, Debug)]
struct Progress {
    since: Instant,
    bytes: u64,
}

/// One response. It is pending until this is dropped.
#[derive(Debug)]
pub(super) struct PendingResponse {
    responses: Arc<PendingResponses>,
    place: usize,
}

impl PendingResponses {
    /// Counts one more response.
    pub(super) fn add(self: &Arc<Self>) -> PendingResponse {
        let mut places = self.lock();
        let progress = Some(Progress { since: Instant::now(), bytes: 0 });
        let place = match places.iter().position(Option::is_none) {
            Some(place) => {
                places[place] = progress;
                place
            }
            None => {
                places.push(progress);
                places.len() - 1
            }
        };
        PendingResponse { responses: Arc::clone(self), place }
    }

    /// Beginning of the oldest window of time; `None` if no response is pending.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.lock().iter().flatten().map(|progress| progress.since).min()
    }

    /// Begins another window for each response whose `window` has passed. False if
    /// one was taken more slowly than [`Limits::WRITE_RATE_MIN`].
    pub(super) fn are_taken(&self, window: Duration, now: Instant) -> bool {
        let required = (u128::from(Limits::WRITE_RATE_MIN) * window.as_millis() / 1000).max(1);
        self.lock().iter_mut().flatten().all(|progress| {
            if now < progress.since + window {
                return true;
            }
            let is_taken = u128::from(progress.bytes) >= required;
            *progress = Progress { since: now, bytes: 0 };
            is_taken
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Progress>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingResponse {
    pub(super) fn add_sent(&self, count: usize) {
        if let Some(Some(progress)) = self.responses.lock().get_mut(self.place) {
            progress.bytes += count as u64;
        }
    }
}

impl Drop for PendingResponse {
    fn drop(&mut self) {
        if let Some(place) = self.responses.lock().get_mut(self.place) {
            *place = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_secs(30);

    #[test]
    fn each_response_is_taken_at_240_bytes_per_second() {
        let responses = Arc::<PendingResponses>::default();
        let slow = responses.add();
        let fast = responses.add();
        let begun = responses.oldest().unwrap();
        fast.add_sent(1_000_000);
        slow.add_sent(7_200);
        assert!(responses.are_taken(WINDOW, begun + WINDOW - Duration::from_secs(1)));
        let later = begun + WINDOW + Duration::from_secs(1);
        assert!(responses.are_taken(WINDOW, later));
        fast.add_sent(1_000_000);
        slow.add_sent(7_199);
        assert!(!responses.are_taken(WINDOW, later + WINDOW));
        drop(slow);
        fast.add_sent(7_200);
        assert!(responses.are_taken(WINDOW, later + WINDOW * 2));
        drop(fast);
        assert_eq!(responses.oldest(), None);
    }
}
