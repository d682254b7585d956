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

use super::acme_client::AcmeClient;
use super::attempts::Attempts;
use super::next_order::next_order;
use super::options::Options;
use super::reason::{Cause, reason};
use crate::output::report;
use crate::problem::Problem;
use crate::tls::{Certificate, Certificates, day};

/// Time between two checks of the wall clock. The clock may jump, and the machine may be suspended,
/// so no wait is longer.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Bounds of the time between two requests for a suggestion, and the time after a failed request
/// (RFC 9773 §4.3).
const SUGGESTION_MIN: Duration = Duration::from_secs(60);
const SUGGESTION_MAX: Duration = Duration::from_secs(24 * 60 * 60);
const SUGGESTION_RETRY: Duration = Duration::from_secs(6 * 60 * 60);

/// The certificates of a site, one for each domain, and the means to renew them.
pub struct Acme {
    client: Arc<AcmeClient>,
    domains: Vec<Domain>,
}

/// A domain whose certificate is renewed.
struct Domain {
    client: Arc<AcmeClient>,
    name: String,
    attempts: Attempts,
    /// The window in which the authority suggests renewing the certificate.
    suggestion: Option<Range<SystemTime>>,
    /// When the authority is asked for it; `None` for a certificate that was not reported yet.
    next_request: Option<Instant>,
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
        let client = Arc::new(AcmeClient::open(options, host)?);
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
    fn open(client: &Arc<AcmeClient>, name: &str) -> Result<Self, Problem> {
        let attempts = Attempts::read(&client.folder, name)?;
        if let Some(pem) = client.folder.read(file(name))? {
            match Certificate::from_pem(&pem, &pem) {
                Ok(certificate) => client.certificates.install(name, certificate),
                Err(problem) => {
                    let what = format!("cannot use the stored certificate for {name}");
                    report(Problem::new(what, "a new one is ordered").because(problem.what()));
                }
            }
        }
        let (client, name) = (Arc::clone(client), name.to_owned());
        Ok(Self { client, name, attempts, suggestion: None, next_request: None })
    }

    async fn maintain(mut self) {
        if self.attempts.count > 0 && SystemTime::now() < self.next_order() {
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

    /// Orders a certificate if it is time.
    async fn check(&mut self) {
        let current = self.current();
        if let Some(certificate) = current.as_deref().filter(|current| self.is_valid(current)) {
            self.watch(certificate).await;
        }
        if self.next_order() <= SystemTime::now()
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

    fn next_order(&self) -> SystemTime {
        let current = self.current().filter(|current| current.is_for(&self.name));
        let suggestion = self.suggestion.as_ref();
        next_order(SystemTime::now(), current.as_deref(), &self.attempts, suggestion)
    }

    /// Asks for a suggestion for `certificate`, the current one, if it is time. Reports it once.
    async fn watch(&mut self, certificate: &Certificate) {
        let (now, is_new) = (Instant::now(), self.next_request.is_none());
        if self.next_request.is_none_or(|time| time <= now) {
            // Before the request, because a request that panics must not prevent every renewal.
            self.next_request = Some(now + SUGGESTION_RETRY);
            // Without a suggestion, an earlier one stays.
            if let Some((window, next)) = self.client.suggestion(certificate).await {
                self.suggestion = Some(window.start.into()..window.end.into());
                self.next_request = Some(now + next.clamp(SUGGESTION_MIN, SUGGESTION_MAX));
            }
        }
        if is_new {
            let (last_day, renewal) = (day(certificate.not_after), day(self.next_order()));
            let validity = format!("valid until {last_day}, renewal on {renewal}");
            let is_default = self.client.certificates.is_default(&self.name);
            certificate.report(&validity, self.client.host.as_deref().filter(|_| is_default));
        }
    }

    /// Installs and stores a new certificate, which replaces `current`.
    async fn obtain(&mut self, current: Option<&Certificate>) -> Result<(), Cause> {
        let AcmeClient { certificates, folder, .. } = &*self.client;
        // Until its result is known, an attempt counts as a failure: a crash may interrupt it.
        self.attempts.record(folder, self.attempts.count.saturating_add(1), "interrupted");
        let pem = self.client.order(&self.name, current).await?;
        let certificate = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())
            .map_err(|problem| format!("the authority's answer: {}", problem.what()))?;
        if !self.is_valid(&certificate) {
            let (names, last_day) = (certificate.names.join(", "), day(certificate.not_after));
            let what = "the authority's certificate is for";
            return Err(format!("{what} {names}, valid until {last_day}").into());
        }
        certificates.install(&self.name, certificate);
        (self.suggestion, self.next_request) = (None, None);
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
        let delay = duration(self.next_order().duration_since(now).unwrap_or_default());
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
