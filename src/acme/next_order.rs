//! When the next certificate of a domain is ordered (WIRE-33, WIRE-34).

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::attempts::Attempts;
use crate::tls::Certificate;

/// Minutes from each failure in a row to the next attempt; the last number repeats. Five attempts
/// in the first hour: the failed validations that Let's Encrypt allows for a name. instant-acme does
/// not show the Retry-After of an authority that limits the rate (RFC 8555 §6.6).
const RETRY_MINUTES: [u64; 8] = [1, 5, 15, 30, 60, 120, 240, 360];

/// Longest pause after an attempt before the start: the operator may have repaired the reason. A
/// server that crashes again and again still keeps to the rate limits of Let's Encrypt, which
/// allows five failures in an hour.
const PAUSE_MAX_AT_START: Duration = Duration::from_secs(15 * 60);

/// Bounds of the time from a certificate to the next order: an authority that always suggests a
/// renewal must not get orders without end.
const ORDER_INTERVAL: Range<Duration> = Duration::from_secs(60)..Duration::from_secs(60 * 60);

/// Divisor of the lifetime: without a suggestion of the authority, a certificate is renewed when
/// this fraction of its lifetime is left.
const RENEWAL_SHARE: u32 = 3;

/// The time of the next order after `attempts`, at once if it has passed. A pause after the last of
/// them delays it, and so does a `certificate`, which may have expired, until its renewal.
///
/// The renewal is at a random time in the window of the `suggestion` (RFC 9773 §4.2), or a third of the
/// lifetime before the end. A window that is empty or ends too late is ignored.
pub(super) fn next_order(
    now: SystemTime,
    certificate: Option<&Certificate>,
    attempts: &Attempts,
    suggestion: Option<&Range<SystemTime>>,
) -> SystemTime {
    // A time in the future is none: the clock was set back.
    let last = UNIX_EPOCH.checked_add(Duration::from_secs(attempts.last));
    let last = last.filter(|&last| last <= now).unwrap_or(UNIX_EPOCH);
    let pause = match (attempts.count, certificate) {
        (0, None) => Duration::ZERO,
        // Two thirds of the time for which it is valid.
        (0, Some(certificate)) => {
            let left = certificate.not_after.duration_since(last).unwrap_or_default();
            (left / 3 * 2).clamp(ORDER_INTERVAL.start, ORDER_INTERVAL.end)
        }
        (count, _) => {
            let minutes = RETRY_MINUTES[count.min(RETRY_MINUTES.len()) - 1];
            let max = if attempts.is_old { PAUSE_MAX_AT_START } else { Duration::MAX };
            Duration::from_secs(60 * minutes).min(max)
        }
    };
    let Some(certificate) = certificate else { return last + pause };
    let Certificate { not_before, not_after, .. } = *certificate;
    let lifetime = not_after.duration_since(not_before).unwrap_or_default();
    let window = suggestion.filter(|window| !window.is_empty() && window.end <= not_after);
    let renewal = window.map_or(not_after - lifetime / RENEWAL_SHARE, |&Range { start, end }| {
        let length = end.duration_since(start).unwrap_or_default();
        start + length.mul_f64(fraction(certificate))
    });
    renewal.max(last + pause)
}

/// A number from 0 to 1 that is random among certificates, and does not change when the server
/// restarts: from the last bytes of the certificate, which belong to its signature.
fn fraction(certificate: &Certificate) -> f64 {
    let bytes = certificate.key.cert.first().and_then(|der| der.last_chunk());
    f64::from(u16::from_be_bytes(*bytes.unwrap_or(&[0; 2]))) / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::generate_simple_self_signed;

    const MINUTE: Duration = Duration::from_secs(60);

    fn day(number: u32) -> SystemTime {
        UNIX_EPOCH + number * 24 * 60 * MINUTE
    }

    /// A certificate that is valid for ninety days.
    fn certificate() -> Certificate {
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
        Certificate { not_before: day(1000), not_after: day(1090), ..certificate }
    }

    fn attempts(count: usize, last: SystemTime, is_old: bool) -> Attempts {
        let last = last.duration_since(UNIX_EPOCH).unwrap().as_secs();
        Attempts { count, last, is_old, ..Attempts::default() }
    }

    /// The renewal of a certificate that was ordered on its first day.
    fn renewal(certificate: &Certificate, suggestion: Option<Range<SystemTime>>) -> SystemTime {
        let attempts = attempts(0, day(1000), true);
        next_order(day(1001), Some(certificate), &attempts, suggestion.as_ref())
    }

    #[test]
    fn failures_in_a_row_delay_the_next_order() {
        for (count, last, is_old, minutes) in [
            (0, day(999), true, None),
            (1, day(999), false, Some(1)),
            (2, day(999), false, Some(5)),
            (4, day(999), false, Some(30)),
            (usize::MAX, day(999), false, Some(6 * 60)),
            // A restart shortens a long pause.
            (1, day(999), true, Some(1)),
            (8, day(999), true, Some(15)),
            // The clock was set back since then.
            (8, day(1001), false, None),
        ] {
            let next = next_order(day(1000), None, &attempts(count, last, is_old), None);
            let is_paused = minutes.map(|minutes| last + minutes * MINUTE);
            assert_eq!((next > last).then_some(next), is_paused, "{count} {last:?} {is_old}");
        }
        let never = Attempts { count: 1, last: u64::MAX, ..Attempts::default() };
        assert!(next_order(day(1000), None, &never, None) < day(1));
    }

    #[test]
    fn a_new_certificate_delays_the_next_order_by_an_hour_or_by_two_thirds_of_its_time() {
        let (at_once, certificate) = (Some(&(day(1)..day(2))), certificate());
        for (left, minutes) in [(90 * 24 * 60, 60), (60, 40), (1, 1)] {
            let last = certificate.not_after - left * MINUTE;
            let next = next_order(last, Some(&certificate), &attempts(0, last, false), at_once);
            assert_eq!(next, last + minutes * MINUTE, "{left}");
        }
    }

    #[test]
    fn without_a_valid_window_the_renewal_is_due_with_a_third_of_the_lifetime_left() {
        let (reversed, empty, late) =
            (day(1052)..day(1050), day(1050)..day(1050), day(1089)..day(1091));
        for window in [None, Some(reversed), Some(empty), Some(late)] {
            assert_eq!(renewal(&certificate(), window.clone()), day(1060), "{window:?}");
        }
        let reversed = Certificate { not_before: day(1092), ..certificate() };
        assert_eq!(renewal(&reversed, None), day(1090));
    }

    #[test]
    fn the_renewal_is_at_a_random_time_in_the_window_that_is_always_the_same() {
        let window = || Some(day(1050)..day(1052));
        let certificates: Vec<Certificate> = (0..50).map(|_| certificate()).collect();
        let times = || certificates.iter().map(|certificate| renewal(certificate, window()));
        assert!(times().all(|time| (day(1050)..=day(1052)).contains(&time)));
        // In one half with a probability of 2^-49.
        assert!(times().any(|time| time < day(1051)) && times().any(|time| time >= day(1051)));
        assert!(times().eq(times()));
        let over = renewal(&certificates[0], Some(day(1)..day(2)));
        assert!(over < day(1001), "a window in the past demands a renewal at once");
    }
}
