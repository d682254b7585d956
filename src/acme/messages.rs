//! Messages for the operator, one line each.

use std::fmt::Display;
use std::time::{Duration, SystemTime};

use super::domain::Domain;
use super::failure;
use super::stored_certificate::Stored;
use crate::tls::{Certificate, day};

/// Maximum names that a line lists. Of the rest, it gives only the number.
const NAMES_MAX: usize = 4;

/// A certificate is presented from now on. The authority may explain the time of its renewal.
pub(super) fn presented(
    domains: &[Domain],
    certificate: &Certificate,
    renewal: SystemTime,
    explanation: Option<&str>,
) -> String {
    let (names, last_day, renewal) = (list(domains), certificate.last_day(), day(renewal));
    let explained = explanation.map(|url| format!(", explained at {}", failure::one_line(url)));
    let explained = explained.unwrap_or_default();
    format!("certificate for {names}: valid until {last_day}, renewal on {renewal}{explained}")
}

/// A request for the suggestion of the authority failed.
pub(super) fn no_suggestion(domains: &[Domain], reason: &str, renewal: SystemTime) -> String {
    let (names, renewal) = (list(domains), day(renewal));
    format!(
        "cannot request when to renew the certificate for {names}: {reason}; renewal on {renewal}"
    )
}

/// The certificate in use has expired or is for other names.
pub(super) fn outdated(domains: &[Domain], current: &Stored, now: SystemTime) -> String {
    let (current_names, names) = (list(&current.names), list(domains));
    let validity = validity(&current.certificate, now);
    format!("certificate for {current_names}: {validity}; a new one for {names} is ordered")
}

/// A try failed. The server goes on with the certificate that it has.
pub(super) fn failed(
    domains: &[Domain],
    current: Option<&Stored>,
    now: SystemTime,
    reason: &str,
    delay: Duration,
) -> String {
    let (names, delay) = (list(domains), duration(delay));
    let obtain = "cannot obtain a certificate for";
    let (problem, consequence) = match current {
        None => (obtain, "HTTPS connections fail until there is one".to_owned()),
        Some(current) => {
            let validity = validity(&current.certificate, now);
            let is = if now < current.certificate.not_after { "is " } else { "" };
            if current.is_for(domains) {
                ("cannot renew the certificate for", format!("it {is}{validity}"))
            } else {
                (obtain, format!("the one for {} {is}{validity}", list(&current.names)))
            }
        }
    };
    format!("{problem} {names}: {reason}; {consequence}; next try in {delay}")
}

fn validity(certificate: &Certificate, now: SystemTime) -> String {
    let ends = if now < certificate.not_after { "valid until" } else { "expired on" };
    format!("{ends} {}", certificate.last_day())
}

fn list(names: &[impl Display]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_MAX).map(ToString::to_string).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(NAMES_MAX) {
        0 => shown,
        left => format!("{shown} and {left} more"),
    }
}

/// A duration with its largest unit, rounded up: `30s`, `5m`, `6h`.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds.div_ceil(60)),
        _ => format!("{}h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};
    use std::sync::Arc;

    fn domains(names: &[&str]) -> Vec<Domain> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    fn certificate() -> Certificate {
        let mut params = CertificateParams::default();
        params.not_after = date_time_ymd(2027, 2, 22);
        let key = KeyPair::generate().unwrap();
        let chain = params.self_signed(&key).unwrap().pem();
        Certificate::from_pem(chain.as_bytes(), key.serialize_pem().as_bytes()).unwrap()
    }

    #[test]
    fn a_certificate_is_reported_with_its_last_day_and_its_renewal() {
        let domains = domains(&["a.example", "b.example"]);
        let renewal = date_time_ymd(2027, 1, 23).into();
        let line =
            "certificate for a.example, b.example: valid until 22 Feb 2027, renewal on 23 Jan 2027";
        assert_eq!(presented(&domains, &certificate(), renewal, None), line);
        let explained = presented(&domains, &certificate(), renewal, Some("https://a/\n"));
        assert_eq!(explained, format!("{line}, explained at https://a/"));
    }

    #[test]
    fn a_certificate_that_is_outdated_is_reported_with_its_last_day() {
        let current = Stored::new(&domains(&["a.example"]), Arc::new(certificate()));
        for (year, validity) in [(2026, "valid until"), (2028, "expired on")] {
            assert_eq!(
                outdated(&domains(&["b.example"]), &current, date_time_ymd(year, 11, 22).into()),
                format!(
                    "certificate for a.example: {validity} 22 Feb 2027; a new one for b.example \
                     is ordered"
                )
            );
        }
    }

    #[test]
    fn a_failure_is_reported_with_its_consequence_and_the_next_try() {
        let (a, b) = (domains(&["a.example"]), domains(&["a.example", "b.example"]));
        let current = Stored::new(&a, Arc::new(certificate()));
        let minutes = Duration::from_secs(300);
        for (domains, current, year, expected) in [
            (
                &a,
                Some(&current),
                2026,
                "cannot renew the certificate for a.example: no answer; it is valid until 22 Feb \
                 2027; next try in 5m",
            ),
            (
                &a,
                Some(&current),
                2028,
                "cannot renew the certificate for a.example: no answer; it expired on 22 Feb 2027; \
                 next try in 5m",
            ),
            (
                &b,
                Some(&current),
                2026,
                "cannot obtain a certificate for a.example, b.example: no answer; the one for \
                 a.example is valid until 22 Feb 2027; next try in 5m",
            ),
            (
                &a,
                None,
                2026,
                "cannot obtain a certificate for a.example: no answer; HTTPS connections fail \
                 until there is one; next try in 5m",
            ),
        ] {
            let now = date_time_ymd(year, 11, 22).into();
            assert_eq!(failed(domains, current, now, "no answer", minutes), expected);
        }
    }

    #[test]
    fn a_message_lists_at_most_four_names_and_counts_the_others() {
        let names = ["a.example", "b.example", "c.example", "d.example", "e.example"];
        let shown = "a.example, b.example, c.example, d.example";
        assert_eq!(list(&domains(&names[..4])), shown);
        assert_eq!(list(&domains(&names)), format!("{shown} and 1 more"));
    }

    #[test]
    fn durations_are_rounded_up() {
        for (milliseconds, expected) in [
            (0, "0s"),
            (1, "1s"),
            (59_000, "59s"),
            (60_001, "2m"),
            (3_599_000, "60m"),
            (21_600_000, "6h"),
        ] {
            assert_eq!(duration(Duration::from_millis(milliseconds)), expected);
        }
    }
}
