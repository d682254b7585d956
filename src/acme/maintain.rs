//! The task that renews the certificate as long as the server runs (HTTP-33, HTTP-34).

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use instant_acme::{Error, Order};

use super::catch_panic::catch_panic;
use super::failure;
use super::history::History;
use super::messages;
use super::open::Acme;
use super::order;
use super::renewal::{self, Suggestion};
use super::schedule::Lifetime;
use super::state_folder::AuthorityFolder;
use super::stored_certificate::{self, Stored, names};
use crate::diagnostics::report;
use crate::tls::Certificate;

/// After this number of failures at the staging directory in a row, a try skips it.
const STAGING_FAILURES_MAX: usize = 3;

/// State of the task between two checks.
#[derive(Default)]
struct Progress {
    suggestion: Suggestion,
    /// Serial number of the certificate that was reported, and the explanation of its renewal.
    reported: Option<(Vec<u8>, Option<String>)>,
    /// Tries that failed since the last success.
    failures: usize,
    /// Tries in a row that failed at the staging directory.
    staging_failures: usize,
    /// A file with the certificate in use that could not be written.
    unwritten: Option<String>,
    /// Time of the last failure, and time of the next try.
    pause: Option<Range<SystemTime>>,
}

impl Acme {
    /// Obtains and renews the certificate for ever. A failure is reported and retried,
    /// and the certificate in use stays.
    pub async fn maintain(mut self) {
        let mut progress = Progress { failures: self.history.failures(), ..Progress::default() };
        loop {
            let wait = match catch_panic(self.check(&mut progress)).await {
                Some(wait) => wait,
                // instant-acme panics on some answers (see `response`).
                None => {
                    self.certificates.clear_challenges();
                    self.fail(&mut progress, "a panic, which the line above describes")
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Does what is due, and returns the time to the next check.
    async fn check(&mut self, progress: &mut Progress) -> Duration {
        let now = SystemTime::now();
        if let Some(file) = &progress.unwritten
            && self.folder.write(stored_certificate::FILE, file.as_bytes()).is_ok()
        {
            progress.unwritten = None;
        }
        if let Some(current) = &self.current {
            let certificate = &current.certificate;
            if current.is_for(&self.domains) && now < certificate.not_after {
                let renewal = self.renewal(certificate, progress).await;
                if now < renewal {
                    return self.until(renewal, now);
                }
            } else if progress.is_unreported(certificate) {
                report(messages::outdated(&self.domains, current, now));
            }
        }
        // A pause ends early if the clock was set back to a time before its start.
        if let Some(pause) = progress.pause.clone().filter(|pause| pause.contains(&now)) {
            return self.until(pause.end, now);
        }
        if let Some(end) = self.limit(now) {
            return self.pause(progress, "recent orders have reached the rate limits", now..end);
        }
        match self.obtain(progress).await {
            Ok(certificate) => {
                let certificate = Arc::new(certificate);
                self.certificates.install(Arc::clone(&certificate));
                self.current = Some(Stored::new(&self.domains, Arc::clone(&certificate)));
                (progress.failures, progress.pause) = (0, None);
                self.renewal(&certificate, progress).await;
                self.schedule.check
            }
            Err(error) => self.fail(progress, &failure::reason(&error)),
        }
    }

    /// The time at which `certificate` is to be renewed. Reports it once, and again if the
    /// authority explains it anew.
    async fn renewal(&self, certificate: &Certificate, progress: &mut Progress) -> SystemTime {
        let now = SystemTime::now();
        let suggestion = &mut progress.suggestion;
        let mut error = None;
        if suggestion.begin_request(certificate, now) {
            error = suggestion.request(&self.registration, &self.folder, certificate, now).await;
        }
        let renewal = Lifetime::of(certificate).renewal(suggestion.window(certificate));
        if let Some(error) = error {
            report(messages::no_suggestion(&self.domains, &failure::reason(&error), renewal));
        }
        if progress.is_unreported(certificate) {
            let explanation = progress.suggestion.explanation(certificate);
            report(messages::presented(&self.domains, certificate, renewal, explanation));
        }
        renewal
    }

    /// The certificate that a new order renews: the current one, if it is for the same names.
    fn renewed(&self) -> Option<&Certificate> {
        let current = self.current.as_ref().filter(|current| current.is_for(&self.domains));
        current.map(|current| &*current.certificate)
    }

    /// The time before which the rate limits allow no order.
    fn limit(&self, now: SystemTime) -> Option<SystemTime> {
        let third_left = self.renewed().map(|renewed| Lifetime::of(renewed).third_left());
        let is_due = third_left.is_some_and(|third_left| third_left <= now);
        let end = self.history.earliest(&names(&self.domains), is_due, now)?;
        // From `third_left` on, only the limit on failures applies.
        Some(third_left.filter(|_| !is_due).map_or(end, |third_left| third_left.min(end)))
    }

    /// Counts and reports a failure, and begins a pause. Returns the time to the next check.
    fn fail(&self, progress: &mut Progress, reason: &str) -> Duration {
        progress.failures += 1;
        let now = SystemTime::now();
        let end = now.checked_add(self.schedule.delay(progress.failures)).unwrap_or(now);
        let end = self.limit(now).map_or(end, |limit| limit.max(end));
        self.pause(progress, reason, now..end)
    }

    /// Reports a failure, and begins `pause`. Returns the time to the next check.
    fn pause(&self, progress: &mut Progress, reason: &str, pause: Range<SystemTime>) -> Duration {
        let delay = pause.end.duration_since(pause.start).unwrap_or_default();
        let current = self.current.as_ref();
        report(messages::failed(&self.domains, current, pause.start, reason, delay));
        let wait = self.until(pause.end, pause.start);
        progress.pause = Some(pause);
        wait
    }

    /// The time to the next check, at the latest at `time`.
    fn until(&self, time: SystemTime, now: SystemTime) -> Duration {
        time.duration_since(now).unwrap_or_default().min(self.schedule.check)
    }

    /// A new certificate.
    async fn obtain(&mut self, progress: &mut Progress) -> Result<Certificate, Error> {
        if progress.failures > 0 {
            self.try_staging_if_possible(progress)
                .await
                .map_err(|error| failure::error(format!("staging: {}", failure::reason(&error))))?;
        }
        let mut order = self.place(&self.folder, &self.authority.directory, self.renewed()).await?;
        // Stored before the authority validates. If this fails, the try ends before it
        // could count as a failed validation or a certificate.
        let (names, now) = (names(&self.domains), SystemTime::now());
        note(&mut self.history, &self.folder, |history| history.begin(&names, now))?;
        order::validate(&mut order, &self.certificates).await?;
        note(&mut self.history, &self.folder, History::finalize)?;
        let issued = match order::finalize(&mut order, &self.domains).await {
            Ok(issued) => issued,
            Err(error) => {
                if order::is_rejected(&mut order).await
                    && let Err(error) = note(&mut self.history, &self.folder, History::reject)
                {
                    report(failure::reason(&error));
                }
                return Err(error);
            }
        };
        let certificate = issued
            .certificate()
            .map_err(|error| failure::error(format!("the authority's answer: {error}")))?;
        if let Err(error) = note(&mut self.history, &self.folder, History::obtain) {
            report(failure::reason(&error));
        }
        let file = issued.to_file(&self.domains);
        // The certificate is usable, though a restart may not find it.
        progress.unwritten = match self.folder.write(stored_certificate::FILE, file.as_bytes()) {
            Ok(()) => None,
            Err(error) => {
                let path = self.folder.path(stored_certificate::FILE);
                report(format_args!(
                    "cannot write {}: {error}; the new certificate is in use, and writing it is \
                     repeated",
                    path.display()
                ));
                Some(file)
            }
        };
        Ok(certificate)
    }

    /// If there is a staging directory, has it issue a certificate: its rate limits are
    /// generous. Skips it after several failures in a row: a CAA record can allow only the
    /// account at the production directory (RFC 8657), so that only staging fails. Also skips
    /// it shortly before the certificate in use expires.
    async fn try_staging_if_possible(&self, progress: &mut Progress) -> Result<(), Error> {
        let Some(staging) = &self.authority.staging else { return Ok(()) };
        let now = SystemTime::now();
        let is_ending = |current: &Stored| Lifetime::of(&current.certificate).is_ending(now);
        let is_skipped = progress.staging_failures >= STAGING_FAILURES_MAX
            || self.current.as_ref().is_some_and(is_ending);
        if !is_skipped {
            // Counted before the request, so that a panic counts, too.
            progress.staging_failures += 1;
            self.try_staging(staging).await?;
        }
        progress.staging_failures = 0;
        Ok(())
    }

    /// Obtains a certificate at `staging`, and discards it.
    async fn try_staging(&self, staging: &str) -> Result<(), Error> {
        let folder = self
            .state
            .authority(staging)
            .map_err(|error| failure::error(format!("cannot use the state folder: {error}")))?;
        let mut order = self.place(&folder, staging, None).await?;
        order::validate(&mut order, &self.certificates).await?;
        order::finalize(&mut order, &self.domains).await.map(drop)
    }

    /// Places an order at `directory`, with a new account if the authority does not
    /// know the stored one any more.
    async fn place(
        &self,
        folder: &AuthorityFolder,
        directory: &str,
        replaced: Option<&Certificate>,
    ) -> Result<Order, Error> {
        let profile = self.profile.as_deref();
        let replaces = || replaced.and_then(renewal::identifier);
        let account = self.registration.account(folder, directory).await?;
        match order::place(&account, &self.domains, profile, replaces()).await {
            Err(error) if failure::is_problem(&error, "accountDoesNotExist") => {
                let account = self.registration.register(folder, directory).await?;
                order::place(&account, &self.domains, profile, replaces()).await
            }
            result => result,
        }
    }
}

/// Changes `history`, once the change is stored in `folder`.
fn note(
    history: &mut History,
    folder: &AuthorityFolder,
    change: impl FnOnce(&mut History),
) -> Result<(), Error> {
    let mut changed = history.clone();
    change(&mut changed);
    changed
        .write(folder)
        .map_err(|error| failure::error(format!("cannot write the history of orders: {error}")))?;
    *history = changed;
    Ok(())
}

impl Progress {
    /// True at the first call for `certificate` and the explanation of its renewal.
    fn is_unreported(&mut self, certificate: &Certificate) -> bool {
        let explanation = self.suggestion.explanation(certificate).map(str::to_owned);
        let current = Some((certificate.serial.clone(), explanation));
        let is_unreported = self.reported != current;
        self.reported = current;
        is_unreported
    }
}
