//! The certificates of a site: read at the start, then renewed as long as the server runs
//! (WIRE-33, WIRE-34).

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use instant_acme::Error;
use tokio::time::Instant;

use super::issuer::{Issuer, other};
use super::messages;
use super::options::Options;
use super::state_folder::{CERTIFICATE, Failures, file};
use crate::output::report;
use crate::problem::Problem;
use crate::tls::{Certificate, Certificates, day};

/// Time between two checks of the wall clock. The clock may jump, and the machine may be
/// suspended, so there is no longer wait.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Minutes from each failure in a row to the next try; the last number repeats. Five tries in the
/// first hour: the failed validations that Let's Encrypt allows for a name.
const RETRY_MINUTES: [u64; 8] = [1, 5, 15, 30, 60, 120, 240, 360];

/// Bounds of the time between two requests for a suggestion, and the time after a failed one
/// (RFC 9773 §4.3).
const SUGGESTION_MIN: Duration = Duration::from_secs(60);
const SUGGESTION_MAX: Duration = Duration::from_secs(24 * 60 * 60);
const SUGGESTION_RETRY: Duration = Duration::from_secs(6 * 60 * 60);

/// Bounds of the time from a certificate to the next order: an authority that always suggests a renewal
/// must not get orders without end.
const ORDER_INTERVAL: Range<Duration> = Duration::from_secs(60)..Duration::from_secs(60 * 60);

/// Divisor of the lifetime. Without a suggestion of the authority, a certificate is renewed
/// when this fraction of its lifetime is left.
const RENEWAL_SHARE: u32 = 3;

/// Longest pause after a try before the start: the operator may have repaired the reason. A
/// server that crashes again and again still keeps to the rate limits of Let's Encrypt, which
/// allows five failures in an hour.
const PAUSE_MAX_AT_START: Duration = Duration::from_secs(15 * 60);

/// The certificates of a site, one for each domain, and the means to renew them.
pub struct Acme {
    issuer: Issuer,
    /// That of the origin is the first.
    domains: Vec<MaintainedDomain>,
}

/// A domain whose certificate is renewed.
struct MaintainedDomain {
    domain: String,
    /// The host of the origin, if the certificate should be for it.
    host: Option<String>,
    /// When the current certificate is renewed; `None` until this is known.
    renewal: Option<Renewal>,
    failures: Failures,
    /// Time of the last try, and earliest time of the next one.
    pause: Range<SystemTime>,
    /// False for a failure before the start.
    is_reported: bool,
}

#[derive(Clone, Copy)]
struct Renewal {
    time: SystemTime,
    /// When the authority is asked for a suggestion.
    next_request: Instant,
}

impl Acme {
    /// Reads all files, locks the state folder, and installs the certificates that the
    /// folder holds for the authority. They may have expired: until there is a new one, such a
    /// certificate serves the visitors that accept it. After this call, only name resolution opens
    /// files outside of the state folder. `host` is that of the origin, if it is known.
    ///
    /// The error states the problem and the remedy in one line. Nothing is written if
    /// an option is bad.
    pub fn open(options: Options, host: Option<String>) -> Result<Self, Problem> {
        let issuer = Issuer::open(options, host.as_deref())?;
        // The others may fail for minutes, so that of the origin is the first.
        let names: BTreeSet<_> = issuer
            .options
            .domains()
            .map(|domain| (!issuer.certificates.is_default(domain), domain))
            .collect();
        let domains = names.into_iter().map(|(is_other, domain)| {
            MaintainedDomain::open(&issuer, domain.clone(), host.clone().filter(|_| !is_other))
        });
        let domains = domains.collect::<Result<_, _>>()?;
        Ok(Self { issuer, domains })
    }

    /// The state folder: the only one in which files are read and written.
    pub fn folder(&self) -> &Path {
        self.issuer.folder.path()
    }

    /// The port of the authority.
    pub fn port(&self) -> u16 {
        self.issuer.options.port()
    }

    /// The certificates that handshakes present.
    pub fn certificates(&self) -> &Arc<Certificates> {
        &self.issuer.certificates
    }

    /// Obtains and renews the certificates for ever. A failure is reported and retried,
    /// and the certificate in use stays.
    pub async fn maintain(mut self) {
        loop {
            for domain in &mut self.domains {
                // instant-acme panics on some answers.
                if catch_panic(domain.check(&self.issuer)).await.is_none() {
                    domain.fail(&self.issuer, "a panic, which the line above describes");
                }
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }
}

impl MaintainedDomain {
    fn open(issuer: &Issuer, domain: String, host: Option<String>) -> Result<Self, Problem> {
        let mut current = None;
        if let Some(pem) = issuer.folder.certificate(&domain)? {
            match Certificate::from_pem(&pem, &pem) {
                Ok(certificate) => current = Some(certificate),
                Err(error) => report(format_args!(
                    "cannot use the stored certificate for {domain}: {}; a new one is ordered",
                    error.problem
                )),
            }
        }
        // Earlier versions stored one certificate for all domains.
        let current = current.filter(|current| is_for(current, &domain));
        let failures = issuer.folder.failures(&domain)?;
        // A time in the future is none: the clock was set back.
        let last = UNIX_EPOCH.checked_add(Duration::from_secs(failures.last));
        let last = last.filter(|&last| last <= SystemTime::now()).unwrap_or(UNIX_EPOCH);
        let pause = match &current {
            _ if failures.count > 0 => delay(failures.count).min(PAUSE_MAX_AT_START),
            Some(current) => success_pause(current, last),
            None => Duration::ZERO,
        };
        if let Some(current) = current {
            issuer.certificates.install(&domain, current);
        }
        let pause = last..last + pause;
        Ok(Self { domain, host, renewal: None, failures, pause, is_reported: false })
    }

    /// Does what is due.
    async fn check(&mut self, issuer: &Issuer) {
        let current = self.current(issuer);
        if let Some(current) = current.as_ref().filter(|current| self.is_valid(current))
            && SystemTime::now() < self.renewal(issuer, current).await
        {
            return;
        }
        let now = SystemTime::now();
        // A pause ends early if the clock was set back to a time before its start.
        if self.pause.contains(&now) {
            if self.failures.count > 0 && !self.is_reported {
                let reason = &self.failures.reason;
                self.report_failure(issuer, &format!("before this start: {reason}"), now);
            }
            return;
        }
        if let Err(error) = self.obtain(issuer, current.as_deref()).await {
            self.fail(issuer, &error.to_string());
        }
    }

    /// The certificate that handshakes for the domain present.
    fn current(&self, issuer: &Issuer) -> Option<Arc<Certificate>> {
        issuer.certificates.of(&self.domain)
    }

    /// True if `certificate` is for the domain, and has not expired.
    fn is_valid(&self, certificate: &Certificate) -> bool {
        is_for(certificate, &self.domain) && SystemTime::now() < certificate.not_after
    }

    /// The time at which `certificate`, the current one, is to be renewed. Reports it once.
    async fn renewal(&mut self, issuer: &Issuer, certificate: &Certificate) -> SystemTime {
        let now = Instant::now();
        let is_new = self.renewal.is_none();
        let known = Renewal { time: renewal_time(certificate, None), next_request: now };
        let mut known = self.renewal.unwrap_or(known);
        if known.next_request <= now {
            known.next_request = now + SUGGESTION_RETRY;
            // Before the request, so that one that panics does not prevent every renewal.
            self.renewal = Some(known);
            // Without an account or an answer, an earlier suggestion stays.
            if let Ok(Some((window, next))) = issuer.suggestion(certificate).await {
                let window = window.start.into()..window.end.into();
                known.time = renewal_time(certificate, Some(window));
                known.next_request = now + next.clamp(SUGGESTION_MIN, SUGGESTION_MAX);
            }
        }
        self.renewal = Some(known);
        if is_new {
            let (last_day, renewal) = (day(certificate.not_after), day(known.time));
            let validity = format!("valid until {last_day}, renewal on {renewal}");
            certificate.report(&validity, self.host.as_deref());
        }
        known.time
    }

    /// Installs and stores a new certificate, which replaces `current`.
    async fn obtain(
        &mut self,
        issuer: &Issuer,
        current: Option<&Certificate>,
    ) -> Result<(), Error> {
        let Issuer { certificates, folder, .. } = issuer;
        // Stored before the try, so that a crash counts as a failure.
        self.failures.count = self.failures.count.saturating_add(1);
        self.failures.reason = "interrupted".to_owned();
        self.store_failures(issuer);
        let pem = issuer.order(&self.domain, current).await?;
        let certificate = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())
            .map_err(|error| other(format!("the authority's answer: {}", error.problem)))?;
        if !self.is_valid(&certificate) {
            let (names, last_day) = (certificate.names.join(", "), day(certificate.not_after));
            let reason =
                format!("the authority's certificate is for {names}, valid until {last_day}");
            return Err(other(reason));
        }
        let now = SystemTime::now();
        self.pause = now..now + success_pause(&certificate, now);
        certificates.install(&self.domain, certificate);
        (self.renewal, self.failures) = (None, Failures::default());
        if let Err(problem) = folder.write(file(&self.domain, CERTIFICATE), pem.as_bytes()) {
            report(format_args!(
                "{problem}; the new certificate is in use, and a restart orders another one"
            ));
        }
        self.store_failures(issuer);
        Ok(())
    }

    /// Stores the failures, and the time of the last try, which is now.
    fn store_failures(&mut self, issuer: &Issuer) {
        let now = SystemTime::now();
        self.failures.last = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        // A disk that is full must not let the certificate expire.
        if let Err(problem) = issuer.folder.write_failures(&self.domain, &self.failures) {
            report(format_args!("{problem}; a restart would not know of this try"));
        }
    }

    /// Begins a pause after a failure, and reports it.
    fn fail(&mut self, issuer: &Issuer, reason: &str) {
        reason.clone_into(&mut self.failures.reason);
        self.store_failures(issuer);
        let now = SystemTime::now();
        self.pause = now..now + delay(self.failures.count);
        self.report_failure(issuer, reason, now);
    }

    fn report_failure(&mut self, issuer: &Issuer, reason: &str, now: SystemTime) {
        self.is_reported = true;
        let current = self.current(issuer);
        report(messages::failed(&self.domain, current.as_deref(), now, reason, self.pause.end));
    }
}

/// Time from the last of `failures` in a row to the next try.
fn delay(failures: usize) -> Duration {
    let minutes = RETRY_MINUTES[failures.clamp(1, RETRY_MINUTES.len()) - 1];
    Duration::from_secs(60 * minutes)
}

/// Time from an order whose result is `certificate` to the next one: two thirds of the time for which it is
/// valid, within the bounds.
fn success_pause(certificate: &Certificate, now: SystemTime) -> Duration {
    let left = certificate.not_after.duration_since(now).unwrap_or_default();
    (left / 3 * 2).clamp(ORDER_INTERVAL.start, ORDER_INTERVAL.end)
}

/// The output of `future`, or `None` if it panics. The panic hook reports the panic.
///
/// A task of its own would do the same, but it would still hold the lock of the state
/// folder for a moment after it was aborted.
async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}

/// True if `certificate` is for `domain`.
fn is_for(certificate: &Certificate, domain: &str) -> bool {
    certificate.names.iter().any(|name| name == domain)
}

/// The time of the renewal: a random one in the `window` that the authority suggests
/// (RFC 9773 §4.2), else a third of the lifetime before the end. A window that makes no
/// sense is ignored.
fn renewal_time(certificate: &Certificate, window: Option<Range<SystemTime>>) -> SystemTime {
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
            assert_eq!(renewal_time(&certificate(), window.clone()), day(1060), "{window:?}");
        }
        let reversed = Certificate { not_before: day(2), not_after: day(1), ..certificate() };
        assert_eq!(renewal_time(&reversed, None), day(1));
    }

    #[test]
    fn the_renewal_is_at_a_random_time_in_the_window_that_is_always_the_same() {
        let window = || Some(day(1050)..day(1052));
        let certificates: Vec<Certificate> = (0..50).map(|_| certificate()).collect();
        let times = || certificates.iter().map(|certificate| renewal_time(certificate, window()));
        assert!(times().all(|time| (day(1050)..=day(1052)).contains(&time)));
        // In one half with a probability of 2^-49.
        assert!(times().any(|time| time < day(1051)) && times().any(|time| time >= day(1051)));
        assert!(times().eq(times()));
        let over = renewal_time(&certificates[0], Some(day(1)..day(2)));
        assert!(over < day(1000), "a window in the past demands a renewal at once");
    }
}
