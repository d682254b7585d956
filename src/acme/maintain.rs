//! The task that renews the certificate as long as the server runs.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use instant_acme::{Error, Order};

use super::failure;
use super::messages;
use super::open::Acme;
use super::order;
use super::renewal::{self, Suggestion};
use super::schedule::Lifetime;
use super::state_folder::AuthorityFolder;
use super::stored_certificate::{self, names};
use crate::diagnostics::report;
use crate::tls::Certificate;

/// What the task remembers between two checks.
#[derive(Default)]
struct Progress {
    suggestion: Suggestion,
    /// Serial number of the certificate that was reported.
    reported: Option<Vec<u8>>,
    /// Tries that failed since the last success.
    failures: usize,
    /// Time of the last failure, and time of the next try.
    pause: Option<Range<SystemTime>>,
}

impl Acme {
    /// Obtains and renews the certificate for ever. A failure is reported and retried,
    /// and the certificate in use stays.
    pub async fn maintain(mut self) {
        let mut progress = Progress::default();
        loop {
            let wait = self.check(&mut progress).await;
            tokio::time::sleep(wait).await;
        }
    }

    /// Does what is due, and returns the time to the next check.
    async fn check(&mut self, progress: &mut Progress) -> Duration {
        let current = self.certificates.current();
        let now = SystemTime::now();
        if let Some(current) = &current {
            let renewal = self.renewal(current, progress).await;
            if now < renewal {
                return self.until(renewal, now);
            }
        }
        // A pause ends early if the clock was set back before it.
        if let Some(pause) = progress.pause.clone().filter(|pause| pause.contains(&now)) {
            return self.until(pause.end, now);
        }
        if let Some(end) = self.limit(current.as_deref(), now) {
            let reason = "its orders have reached the rate limits";
            return self.pause(progress, current.as_deref(), reason, now..end);
        }
        match self.obtain(current.as_deref(), progress.failures > 0).await {
            Ok(certificate) => {
                let certificate = Arc::new(certificate);
                self.certificates.install(Arc::clone(&certificate));
                (progress.failures, progress.pause) = (0, None);
                self.renewal(&certificate, progress).await;
                self.schedule.check
            }
            Err(error) => {
                progress.failures += 1;
                let now = SystemTime::now();
                let end = now.checked_add(self.schedule.delay(progress.failures)).unwrap_or(now);
                let end = self.limit(current.as_deref(), now).map_or(end, |limit| limit.max(end));
                self.pause(progress, current.as_deref(), &failure::reason(&error), now..end)
            }
        }
    }

    /// The time at which `certificate` is to be renewed. Reports it once.
    async fn renewal(&self, certificate: &Certificate, progress: &mut Progress) -> SystemTime {
        let now = SystemTime::now();
        let suggestion = &mut progress.suggestion;
        if suggestion.is_request_due(certificate, now) {
            let account = self.registration.restore(&self.folder).await.ok().flatten();
            suggestion.request(account.as_ref(), certificate, now).await;
        }
        let renewal = Lifetime::of(certificate).renewal(suggestion.window(certificate));
        if progress.reported.as_ref() != Some(&certificate.serial) {
            progress.reported = Some(certificate.serial.clone());
            report(messages::presented(&self.domains, certificate, renewal));
        }
        renewal
    }

    /// The time before which the rate limits allow no order.
    fn limit(&self, current: Option<&Certificate>, now: SystemTime) -> Option<SystemTime> {
        let third_left = current.map(|current| Lifetime::of(current).third_left());
        let is_due = third_left.is_some_and(|third_left| third_left <= now);
        let end = self.history.earliest(&names(&self.domains), is_due, now)?;
        // From then on, fewer limits hold.
        Some(third_left.filter(|_| !is_due).map_or(end, |third_left| third_left.min(end)))
    }

    /// Reports a failure, and waits until the end of `pause`.
    fn pause(
        &self,
        progress: &mut Progress,
        current: Option<&Certificate>,
        reason: &str,
        pause: Range<SystemTime>,
    ) -> Duration {
        let delay = pause.end.duration_since(pause.start).unwrap_or_default();
        report(messages::failed(&self.domains, current, pause.start, reason, delay));
        let wait = self.until(pause.end, pause.start);
        progress.pause = Some(pause);
        wait
    }

    /// The time to the next check, at the latest at `time`.
    fn until(&self, time: SystemTime, now: SystemTime) -> Duration {
        time.duration_since(now).unwrap_or_default().min(self.schedule.check)
    }

    /// A new certificate. `after_failure`, the staging directory has to issue one
    /// first: its rate limits are generous.
    async fn obtain(
        &mut self,
        current: Option<&Certificate>,
        after_failure: bool,
    ) -> Result<Certificate, Error> {
        if let Some(staging) = self.authority.staging.as_deref().filter(|_| after_failure) {
            self.rehearse(staging)
                .await
                .map_err(|error| failure::error(format!("staging: {}", failure::reason(&error))))?;
        }
        let mut order = self.place(&self.folder, &self.authority.directory, current).await?;
        // Stored before the authority validates: if it cannot be, no limit is at risk.
        self.history.begin(&names(&self.domains), SystemTime::now());
        self.store_history()?;
        let issued = order::complete(&mut order, &self.domains, &self.certificates).await?;
        self.history.issued();
        let certificate = issued
            .certificate()
            .map_err(|error| failure::error(format!("the authority's answer: {error}")))?;
        let file = issued.to_file(&self.domains);
        let stored =
            self.folder.write(stored_certificate::FILE, file.as_bytes()).map_err(|error| {
                let path = self.folder.path(stored_certificate::FILE);
                failure::error(format!("cannot write {}: {error}", path.display()))
            });
        // The certificate is good, though a restart will not find it.
        if let Err(error) = stored.and_then(|()| self.store_history()) {
            report(failure::reason(&error));
        }
        Ok(certificate)
    }

    /// Obtains a certificate at `staging`, and discards it.
    async fn rehearse(&self, staging: &str) -> Result<(), Error> {
        let folder = self
            .state
            .authority(staging)
            .map_err(|error| failure::error(format!("cannot use the state folder: {error}")))?;
        let mut order = self.place(&folder, staging, None).await?;
        order::complete(&mut order, &self.domains, &self.certificates).await.map(drop)
    }

    /// Places an order at `directory`, with a new account if the authority does not
    /// know the stored one any more.
    async fn place(
        &self,
        folder: &AuthorityFolder,
        directory: &str,
        current: Option<&Certificate>,
    ) -> Result<Order, Error> {
        let profile = self.profile.as_deref();
        let replaces = || current.and_then(renewal::identifier);
        let account = self.registration.account(folder, directory).await?;
        match order::place(&account, &self.domains, profile, replaces()).await {
            Err(error) if failure::is_problem(&error, "accountDoesNotExist") => {
                let account = self.registration.register(folder, directory).await?;
                order::place(&account, &self.domains, profile, replaces()).await
            }
            result => result,
        }
    }

    fn store_history(&self) -> Result<(), Error> {
        self.history
            .write(&self.folder)
            .map_err(|error| failure::error(format!("cannot write the history of orders: {error}")))
    }
}
