//! The rate at which a client reads a response (HTTP-25).

use std::time::Duration;

use tokio::time::Instant;

use crate::server::limits::Limits;

/// Measures how many bytes a client reads while the server waits for it.
///
/// Only time in which the send buffer is full counts, over the whole
/// connection: a client that reads slowly does not gain time by requesting many
/// short responses.
#[derive(Debug)]
pub(super) struct WriteRate {
    period: Duration,
    /// Blocked time of the current period, the current wait not included.
    waited: Duration,
    blocked_since: Option<Instant>,
    /// Bytes sent in the current period.
    bytes: u64,
}

/// The client reads more slowly than [`Limits::WRITE_RATE_MIN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooSlow;

impl WriteRate {
    /// Measures over periods of `period` blocked time each.
    pub(super) fn new(period: Duration) -> Self {
        Self { period, waited: Duration::ZERO, blocked_since: None, bytes: 0 }
    }

    /// Records that the send buffer took `count` bytes.
    pub(super) fn record(&mut self, count: usize, now: Instant) -> Result<(), TooSlow> {
        if let Some(since) = self.blocked_since.take() {
            self.waited += now.saturating_duration_since(since);
        }
        if self.waited.is_zero() {
            return Ok(());
        }
        self.bytes += count as u64;
        if self.waited >= self.period { self.next_period() } else { Ok(()) }
    }

    /// Records that the send buffer is full. Returns the time of the next check
    /// by [`Self::check`].
    pub(super) fn block(&mut self, now: Instant) -> Instant {
        let since = *self.blocked_since.get_or_insert(now);
        since + self.period.saturating_sub(self.waited)
    }

    /// Checks the rate at the time that [`Self::block`] returned. The next
    /// period begins with the current wait, so that a wait of a whole period
    /// without progress is always too slow.
    pub(super) fn check(&mut self) -> Result<(), TooSlow> {
        self.next_period()
    }

    /// Beginning of the current period of a blocked connection, and the bytes
    /// sent in it.
    pub(super) fn progress(&self, now: Instant) -> (Instant, u64) {
        (self.blocked_since.unwrap_or(now) - self.waited, self.bytes)
    }

    fn next_period(&mut self) -> Result<(), TooSlow> {
        let required = u128::from(Limits::WRITE_RATE_MIN) * self.period.as_millis() / 1000;
        if u128::from(self.bytes) < required.max(1) {
            return Err(TooSlow);
        }
        self.waited = Duration::ZERO;
        self.bytes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_secs(30);

    /// The number of seconds after which a client that reads `bytes` each `interval`
    /// seconds, `count` times, is found too slow; `None` if it is not.
    fn found_too_slow(bytes: usize, interval: u64, count: usize) -> Option<u64> {
        let begun = Instant::now();
        let mut now = begun;
        let mut rate = WriteRate::new(PERIOD);
        for _ in 0..count {
            let next = now + Duration::from_secs(interval);
            loop {
                let deadline = rate.block(now);
                if deadline >= next {
                    break;
                }
                if rate.check().is_err() {
                    return Some((deadline - begun).as_secs());
                }
            }
            now = next;
            if rate.record(bytes, now).is_err() {
                return Some((now - begun).as_secs());
            }
        }
        None
    }

    #[test]
    fn a_client_has_to_read_240_bytes_per_second_without_a_pause_of_30_seconds() {
        for (bytes, interval, expected) in [
            (0, 1, Some(30)),
            (16, 1, Some(30)),
            (239, 1, Some(30)),
            (240, 1, None),
            (2_400, 10, None),
            (7_200, 29, None),
            (2_000, 10, Some(30)),
            (1_000_000, 31, Some(30)),
        ] {
            assert_eq!(found_too_slow(bytes, interval, 1000), expected, "{bytes} {interval}");
        }
    }

    #[test]
    fn a_client_that_stops_reading_is_found_30_seconds_later() {
        let mut rate = WriteRate::new(PERIOD);
        let begun = Instant::now();
        assert_eq!(rate.block(begun), begun + PERIOD);
        let later = begun + Duration::from_secs(20);
        rate.record(1_000_000, later).unwrap();
        // The first period has enough bytes. In the next one, the client reads nothing.
        assert_eq!(rate.block(later), later + Duration::from_secs(10));
        rate.check().unwrap();
        assert_eq!(rate.block(later), later + PERIOD);
        rate.check().unwrap_err();
    }

    #[test]
    fn the_progress_includes_the_earlier_waits_of_a_period() {
        let mut rate = WriteRate::new(PERIOD);
        let begun = Instant::now();
        rate.block(begun);
        let later = begun + Duration::from_secs(20);
        rate.record(10_000, later).unwrap();
        rate.block(later);
        assert_eq!(rate.progress(later), (begun, 10_000));
    }

    #[test]
    fn a_response_that_the_send_buffer_takes_at_once_is_not_measured() {
        let mut rate = WriteRate::new(PERIOD);
        let begun = Instant::now();
        for second in 0..1000 {
            rate.record(1, begun + Duration::from_secs(second)).unwrap();
        }
    }
}
