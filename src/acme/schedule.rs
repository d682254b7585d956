//! When a certificate is renewed (HTTP-33), and when a failed try is repeated (HTTP-34).

use std::ops::Range;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::tls::Certificate;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Divisor of the lifetime. Without a suggestion of the authority, a certificate is renewed
/// when this fraction of its lifetime is left.
const RENEWAL_SHARE: u32 = 3;

/// Divisor of the lifetime. When this fraction of a certificate's lifetime is left, a renewal
/// no longer tries the staging directory first.
const END_SHARE: u32 = 10;

/// Times of checks and retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Time between two checks of the wall clock. The clock may jump, and the machine
    /// may be suspended, so no single wait is longer.
    pub check: Duration,
    /// Time from each failure in a row to the next try; the last one repeats.
    pub retries: Vec<Duration>,
}

impl Default for Schedule {
    /// Five tries in the first hour: the failed validations that Let's Encrypt
    /// allows for a name.
    fn default() -> Self {
        let retries =
            [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
        Self { check: 10 * MINUTE, retries: retries.to_vec() }
    }
}

impl Schedule {
    /// Time from the last of `failures` in a row to the next try.
    pub(super) fn delay(&self, failures: usize) -> Duration {
        let delay = self.retries.get(failures.saturating_sub(1)).or(self.retries.last());
        delay.copied().unwrap_or(6 * HOUR)
    }
}

/// The parts of a certificate that decide when it is renewed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime<'a> {
    pub(super) not_before: SystemTime,
    pub(super) not_after: SystemTime,
    pub(super) serial: &'a [u8],
}

impl<'a> Lifetime<'a> {
    /// The lifetime of `certificate`.
    pub(super) fn of(certificate: &'a Certificate) -> Self {
        let Certificate { not_before, not_after, serial, .. } = certificate;
        Self { not_before: *not_before, not_after: *not_after, serial }
    }

    /// The time at which a third of the lifetime is left.
    pub(super) fn third_left(&self) -> SystemTime {
        self.time_left(RENEWAL_SHARE)
    }

    /// True if the last tenth of the lifetime has begun.
    pub(super) fn is_ending(&self, now: SystemTime) -> bool {
        self.time_left(END_SHARE) <= now
    }

    /// The time at which the part `1 / divisor` of the lifetime is left.
    fn time_left(&self, divisor: u32) -> SystemTime {
        let lifetime = self.not_after.duration_since(self.not_before).unwrap_or_default();
        self.not_after.checked_sub(lifetime / divisor).unwrap_or(self.not_after)
    }

    /// The time of the renewal: a random one in the window that the authority
    /// suggests (RFC 9773 §4.2), else a third of the lifetime before the end. A
    /// window that makes no sense is ignored.
    pub(super) fn renewal(&self, window: Option<&Range<SystemTime>>) -> SystemTime {
        let window = window.filter(|window| window.end <= self.not_after);
        let length = window.and_then(|window| window.end.duration_since(window.start).ok());
        match (window, length) {
            (Some(window), Some(length)) if !length.is_zero() => {
                window.start.checked_add(length.mul_f64(self.fraction())).unwrap_or(window.start)
            }
            _ => self.third_left(),
        }
    }

    /// A number from 0 to 1 that is random among certificates, and does not change
    /// when the server restarts.
    fn fraction(&self) -> f64 {
        let digest: [u8; 32] = Sha256::digest(self.serial).into();
        let [first, second, ..] = digest;
        f64::from(u16::from_be_bytes([first, second])) / f64::from(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn day(number: u32) -> SystemTime {
        UNIX_EPOCH + number * DAY
    }

    fn ninety_days(serial: &[u8]) -> Lifetime<'_> {
        Lifetime { not_before: day(1000), not_after: day(1090), serial }
    }

    #[test]
    fn the_delay_between_retries_grows_from_a_minute_to_six_hours() {
        let schedule = Schedule::default();
        // HTTP-34.
        let expected = [1, 5, 15, 30, 60, 120, 240, 360, 360].map(|minutes| minutes * MINUTE);
        assert_eq!(std::array::from_fn(|index| schedule.delay(index + 1)), expected);
        assert_eq!(schedule.delay(usize::MAX), 6 * HOUR);
    }

    #[test]
    fn at_most_five_tries_fail_in_an_hour() {
        let schedule = Schedule::default();
        let times = (1..=100).scan(Duration::ZERO, |time, failures| {
            let now = *time;
            *time += schedule.delay(failures);
            Some(now)
        });
        let times: Vec<Duration> = times.collect();
        assert!(times.windows(6).all(|tries| tries[5] - tries[0] >= HOUR));
    }

    #[test]
    fn without_a_renewal_window_the_renewal_is_due_with_a_third_of_the_lifetime_left() {
        assert_eq!(ninety_days(&[1]).renewal(None), day(1060));
    }

    #[test]
    fn a_certificate_is_ending_once_the_last_tenth_of_its_lifetime_has_begun() {
        for (number, expected) in [(1000, false), (1080, false), (1081, true), (1100, true)] {
            assert_eq!(ninety_days(&[1]).is_ending(day(number)), expected, "{number}");
        }
    }

    #[test]
    fn the_renewal_time_is_in_the_renewal_window_and_differs_among_certificates() {
        let window = day(1050)..day(1052);
        let times: Vec<SystemTime> =
            (0..100).map(|serial| ninety_days(&[serial]).renewal(Some(&window))).collect();
        assert!(times.iter().all(|time| window.contains(time)));
        let in_first_day = times.iter().filter(|&&time| time < day(1051)).count();
        assert!((20..80).contains(&in_first_day), "{in_first_day}");
        assert_eq!(ninety_days(&[1]).renewal(Some(&window)), times[1]);
    }

    #[test]
    fn a_renewal_window_in_the_past_demands_a_renewal_at_once() {
        assert!(ninety_days(&[1]).renewal(Some(&(day(1)..day(2)))) < day(1000));
    }

    #[test]
    fn an_invalid_renewal_window_is_ignored() {
        for window in [day(1052)..day(1050), day(1050)..day(1050), day(1089)..day(1091)] {
            assert_eq!(ninety_days(&[1]).renewal(Some(&window)), day(1060), "{window:?}");
        }
    }

    #[test]
    fn a_lifetime_that_ends_before_it_begins_is_over() {
        let lifetime = Lifetime { not_before: day(2), not_after: day(1), serial: &[] };
        assert_eq!(lifetime.renewal(None), day(1));
    }
}
