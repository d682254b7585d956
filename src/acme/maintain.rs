//! The certificates of a site: read at the start, then renewed as long as the server runs (WIRE-33,
//! WIRE-34).

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::attempts::Attempts;
use super::client::Client;
use super::options::Options;
use super::reason::{Cause, reason};
use crate::output::report;
use crate::problem::Problem;
use crate::tls::{Certificate, CertificateError, Certificates, day};

/// Time between two checks of the wall clock. The clock may jump, and the machine may be suspended,
/// so no wait is longer.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Bounds of the time between two requests for a suggestion, and the time after a failed request
/// (RFC 9773 §4.3).
const SUGGESTION_MIN: Duration = Duration::from_secs(60);
const SUGGESTION_MAX: Duration = Duration::from_secs(24 * 60 * 60);
const SUGGESTION_RETRY: Duration = Duration::from_secs(6 * 60 * 60);

/// Divisor of the lifetime: without a suggestion of the authority, a certificate is renewed when
/// this fraction of its lifetime is left.
const RENEWAL_SHARE: u32 = 3;

/// The certificates of a site, one for each domain, and the means to renew them.
pub struct Acme {
    client: Arc<Client>,
    domains: Vec<Domain>,
}

/// A domain whose certificate is renewed.
struct Domain {
    client: Arc<Client>,
    name: String,
    /// When the current certificate is renewed; `None` until this is known.
    renewal: Option<Renewal>,
    attempts: Attempts,
}

struct Renewal {
    time: SystemTime,
    /// When the authority is asked for a suggestion.
    next_request: Instant,
}

impl Acme {
    /// Reads all files, locks the state folder, and installs the certificates that the folder holds
    /// for the authority. They may have expired: until there is a new one, such a certificate
    /// serves the visitors that accept it. After this call, only name resolution opens files
    /// outside the state folder. `host` is the origin's, if it is known.
    ///
    /// The error states the problem and the remedy in one line. Nothing is written if an option is
    /// bad.
    pub fn open(options: Options, host: Option<String>) -> Result<Self, Problem> {
        let client = Arc::new(Client::open(options, host)?);
        let names: BTreeSet<_> = client.options.domains().collect();
        let domains = names.into_iter().filter_map(|name| {
            let lost =
                |problem| report(format_args!("{problem}; {name} has no HTTPS until a restart"));
            Domain::open(&client, name).map_err(lost).ok()
        });
        Ok(Self { domains: domains.collect(), client })
    }

    /// The state folder: the only folder in which files are read and written.
    pub fn folder(&self) -> &Path {
        self.client.folder.path()
    }

    /// The port of the authority.
    pub fn port(&self) -> u16 {
        self.client.options.port()
    }

    /// The certificates that handshakes present.
    pub fn certificates(&self) -> &Arc<Certificates> {
        &self.client.certificates
    }

    /// Obtains and renews the certificates side by side, until it is dropped: a name that hangs
    /// delays no other. A failure is reported and retried, and the certificate in use stays.
    pub async fn maintain(self) {
        let tasks: JoinSet<()> = self.domains.into_iter().map(Domain::maintain).collect();
        tasks.join_all().await;
    }
}

impl Domain {
    fn open(client: &Arc<Client>, name: &str) -> Result<Self, Problem> {
        let attempts = Attempts::read(&client.folder, name)?;
        if let Some(pem) = client.folder.read(file(name))? {
            match Certificate::from_pem(&pem, &pem) {
                Ok(certificate) => client.certificates.install(name, certificate),
                Err(CertificateError(problem, _)) => report(format_args!(
                    "cannot use the stored certificate for {name}: {problem}; a new one is ordered"
                )),
            }
        }
        Ok(Self { client: Arc::clone(client), name: name.to_owned(), renewal: None, attempts })
    }

    async fn maintain(mut self) {
        if self.attempts.count > 0 && self.is_paused() {
            self.report_failure(&format!("before this start: {}", self.attempts.reason));
        }
        loop {
            // instant-acme panics on some answers.
            if catch_panic(self.check()).await.is_none() {
                self.fail("a panic, which the line above describes");
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Orders a certificate if one is due.
    async fn check(&mut self) {
        let current = self.current();
        if let Some(current) = current.as_ref().filter(|current| self.is_valid(current))
            && SystemTime::now() < self.renewal(current).await
        {
            return;
        }
        if !self.is_paused()
            && let Err(cause) = self.obtain(current.as_deref()).await
        {
            self.fail(&reason(&cause));
        }
    }

    /// The certificate that handshakes for the domain present.
    fn current(&self) -> Option<Arc<Certificate>> {
        self.client.certificates.of(&self.name)
    }

    /// True if `certificate` is for the domain, and has not expired.
    fn is_valid(&self, certificate: &Certificate) -> bool {
        certificate.is_for(&self.name) && SystemTime::now() < certificate.not_after
    }

    /// True if no certificate may be ordered yet.
    fn is_paused(&self) -> bool {
        self.attempts.pause(self.current().as_deref()).contains(&SystemTime::now())
    }

    /// The time at which `certificate`, the current one, is to be renewed. Reports it once.
    async fn renewal(&mut self, certificate: &Certificate) -> SystemTime {
        let (now, is_new) = (Instant::now(), self.renewal.is_none());
        let default = || Renewal { time: renewal_time(certificate, None), next_request: now };
        let renewal = self.renewal.get_or_insert_with(default);
        if renewal.next_request <= now {
            // Before the request, because a request that panics must not prevent every renewal.
            renewal.next_request = now + SUGGESTION_RETRY;
            // Without a suggestion, an earlier one stays.
            if let Some((window, next)) = self.client.suggestion(certificate).await {
                let window = window.start.into()..window.end.into();
                renewal.time = renewal_time(certificate, Some(window));
                renewal.next_request = now + next.clamp(SUGGESTION_MIN, SUGGESTION_MAX);
            }
        }
        let time = renewal.time;
        if is_new {
            let (last_day, renewal) = (day(certificate.not_after), day(time));
            let validity = format!("valid until {last_day}, renewal on {renewal}");
            let is_default = self.client.certificates.is_default(&self.name);
            certificate.report(&validity, self.client.host.as_deref().filter(|_| is_default));
        }
        time
    }

    /// Installs and stores a new certificate, which replaces `current`.
    async fn obtain(&mut self, current: Option<&Certificate>) -> Result<(), Cause> {
        let Client { certificates, folder, .. } = &*self.client;
        // Until its result is known, an attempt counts as a failure: a crash may interrupt it.
        self.attempts.record(folder, self.attempts.count.saturating_add(1), "interrupted");
        let pem = self.client.order(&self.name, current).await?;
        let certificate = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())
            .map_err(|CertificateError(problem, _)| format!("the authority's answer: {problem}"))?;
        if !self.is_valid(&certificate) {
            let (names, last_day) = (certificate.names.join(", "), day(certificate.not_after));
            let what = "the authority's certificate is for";
            return Err(format!("{what} {names}, valid until {last_day}").into());
        }
        certificates.install(&self.name, certificate);
        self.renewal = None;
        if let Err(problem) = folder.write(file(&self.name), pem.as_bytes()) {
            report(format_args!(
                "{problem}; the new certificate is in use, and a restart orders another one"
            ));
        }
        self.attempts.record(folder, 0, "");
        Ok(())
    }

    /// Begins a pause after a failure, and reports it.
    fn fail(&mut self, reason: &str) {
        self.attempts.record(&self.client.folder, self.attempts.count, reason);
        self.report_failure(reason);
    }

    /// Reports that there is no new certificate. The server goes on with the one that it has.
    fn report_failure(&self, reason: &str) {
        let (name, now, current) = (&self.name, SystemTime::now(), self.current());
        let next_attempt = self.attempts.pause(current.as_deref()).end;
        let delay = duration(next_attempt.duration_since(now).unwrap_or_default());
        let (what, consequence) = match current.map(|current| current.not_after) {
            None => ("obtain a", format!("HTTPS for {name} fails until there is one")),
            Some(end) if now < end => ("renew the", format!("it is valid until {}", day(end))),
            Some(end) => ("renew the", format!("it expired on {}", day(end))),
        };
        report(format_args!(
            "cannot {what} certificate for {name}: {reason}; {consequence}; next attempt in {delay}"
        ));
    }
}

/// A duration in its largest unit, rounded up: `5m`, `6h`.
fn duration(duration: Duration) -> String {
    match duration.as_secs().div_ceil(60) {
        minutes @ ..60 => format!("{}m", minutes.max(1)),
        minutes => format!("{}h", minutes.div_ceil(60)),
    }
}

/// The file with the key and the chain of `domain`. They share it, so that one rename replaces
/// both, and a crash leaves the old or the new pair.
fn file(domain: &str) -> PathBuf {
    Path::new(domain).join("certificate.pem")
}

/// The output of `future`, or `None` if it panics. The panic hook reports the panic.
///
/// A task of its own would do the same, but the domain would be lost with it.
async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}

/// The time of the renewal: at random in the `window` that the authority suggests (RFC 9773 §4.2),
/// or a third of the lifetime before the end. A window that is empty or ends too late is ignored.
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
    let bytes = certificate.key.cert.first().and_then(|der| der.last_chunk());
    f64::from(u16::from_be_bytes(*bytes.unwrap_or(&[0; 2]))) / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

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
