//! When a certificate is renewed (WIRE-33).

use std::ops::Range;
use std::time::SystemTime;

use crate::tls::Certificate;

/// Divisor of the lifetime. Without a suggestion of the authority, a certificate is renewed
/// when this fraction of its lifetime is left.
const RENEWAL_SHARE: u32 = 3;

/// True if `certificate` is for `domain`.
pub(super) fn is_for(certificate: &Certificate, domain: &str) -> bool {
    certificate.names.iter().any(|name| name == domain)
}

/// The time of the renewal: a random one in the `window` that the authority suggests
/// (RFC 9773 §4.2), else a third of the lifetime before the end. A window that makes no
/// sense is ignored.
pub(super) fn time(certificate: &Certificate, window: Option<Range<SystemTime>>) -> SystemTime {
    let Certificate { not_before, not_after, .. } = *certificate;
    let window = window.filter(|window| !window.is_empty() && window.end <= not_after);
    if let Some(Range { start, end }) = window {
        let length = end.duration_since(start).unwrap_or_default();
        return start + length.mul_f64(fraction(certificate));
    }
    let lifetime = not_after.duration_since(not_before).unwrap_or_default();
    not_after - lifetime / RENEWAL_SHARE
}

/// A number from 0 to 1 that is random among certificates, and does not change when the server
/// restarts: from the last bytes of the certificate, which belong to its signature.
fn fraction(certificate: &Certificate) -> f64 {
    match certificate.key.cert.first().map(|der| &**der) {
        Some(&[.., first, second]) => {
            f64::from(u16::from_be_bytes([first, second])) / f64::from(u16::MAX)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    use rcgen::generate_simple_self_signed;

    fn day(number: u32) -> SystemTime {
        UNIX_EPOCH + number * Duration::from_secs(24 * 60 * 60)
    }

    /// A certificate that is valid for ninety days.
    fn certificate() -> Certificate {
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
        Certificate { not_before: day(1000), not_after: day(1090), ..certificate }
    }

    #[test]
    fn without_a_valid_window_the_renewal_is_due_with_a_third_of_the_lifetime_left() {
        let (reversed, empty, late) =
            (day(1052)..day(1050), day(1050)..day(1050), day(1089)..day(1091));
        for window in [None, Some(reversed), Some(empty), Some(late)] {
            assert_eq!(time(&certificate(), window.clone()), day(1060), "{window:?}");
        }
        let reversed = Certificate { not_before: day(2), not_after: day(1), ..certificate() };
        assert_eq!(time(&reversed, None), day(1));
    }

    #[test]
    fn the_renewal_is_at_a_random_time_in_the_window_that_is_always_the_same() {
        let window = || Some(day(1050)..day(1052));
        let certificates: Vec<Certificate> = (0..50).map(|_| certificate()).collect();
        let times = || certificates.iter().map(|certificate| time(certificate, window()));
        assert!(times().all(|time| (day(1050)..=day(1052)).contains(&time)));
        // In one half with a probability of 2^-49.
        assert!(times().any(|time| time < day(1051)) && times().any(|time| time >= day(1051)));
        assert!(times().eq(times()));
        let over = time(&certificates[0], Some(day(1)..day(2)));
        assert!(over < day(1000), "a window in the past demands a renewal at once");
    }
}
