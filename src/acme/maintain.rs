//! The certificate of a site: read at the start, then renewed as long as the server runs
//! (WIRE-33, WIRE-34).

use std::future::{Future, poll_fn};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use instant_acme::{
    Account, CertificateIdentifier, Error, ExternalAccountKey, NewAccount, Order, SuggestedWindow,
};
use tokio::time::Instant;

use super::client::Client;
use super::messages;
use super::options::Options;
use super::order::{self, other};
use super::renewal;
use super::state_folder::{ACCOUNT, CERTIFICATE, StateFolder};
use crate::output::report;
use crate::tls::{Certificate, Certificates};

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

/// Longest pause after a try before the start: the operator may have repaired the reason. A
/// server that crashes again and again still keeps to the rate limits of Let's Encrypt, which
/// allows five failures in an hour.
const PAUSE_MAX_AT_START: Duration = Duration::from_secs(15 * 60);

/// A site's certificate, and the means to renew it.
pub struct Acme {
    options: Options,
    /// The host of the origin, if it is known.
    host: Option<String>,
    client: Client,
    external_account: Option<ExternalAccountKey>,
    folder: StateFolder,
    certificates: Arc<Certificates>,
    /// When the current certificate is renewed; `None` until this is known.
    renewal: Option<Renewal>,
    /// Tries since the last certificate.
    failures: usize,
    /// Time of the last try, and earliest time of the next one.
    pause: Range<SystemTime>,
    /// False for a pause that began before the start.
    is_pause_reported: bool,
}

#[derive(Clone, Copy)]
struct Renewal {
    time: SystemTime,
    /// When the authority is asked for a suggestion.
    next_request: Instant,
}

impl Acme {
    /// Reads all files, locks the state folder, and installs the certificate that the
    /// folder holds for the authority, if any. The certificate may be for other names or
    /// have expired: until there is a new one, it serves the visitors that accept it.
    /// After this call, only name resolution opens files outside of the state folder.
    ///
    /// The error states the problem and the remedy in one line. Nothing is written if
    /// an option is bad.
    pub fn open(
        options: Options,
        certificates: Arc<Certificates>,
        host: Option<String>,
    ) -> Result<Self, String> {
        let client = Client::new(options.root_file.as_deref())?;
        let external_account =
            options.external_account.as_ref().map(|account| account.key()).transpose()?;
        let folder = StateFolder::open(&options.folder, &options.authority)?;
        if let Some(pem) = folder.read(CERTIFICATE)? {
            match Certificate::from_pem(&pem, &pem) {
                Ok(certificate) => certificates.install(Arc::new(certificate)),
                Err(error) => report(format_args!(
                    "cannot use the stored certificate: {error}; a new one is ordered"
                )),
            }
        }
        let (failures, last) = folder.failures()?;
        let pause = match certificates.current() {
            _ if failures > 0 => delay(failures).min(PAUSE_MAX_AT_START),
            Some(current) if renewal::is_for(&current, &options.domains) => {
                success_pause(&current, last)
            }
            _ => Duration::ZERO,
        };
        Ok(Self {
            options,
            host,
            client,
            external_account,
            folder,
            certificates,
            renewal: None,
            failures,
            pause: last..last + pause,
            is_pause_reported: false,
        })
    }

    /// The state folder: the only one in which files are read and written.
    pub fn folder(&self) -> &Path {
        &self.options.folder
    }

    /// The port of the authority.
    pub fn port(&self) -> u16 {
        self.options.authority.port()
    }

    /// Obtains and renews the certificate for ever. A failure is reported and retried,
    /// and the certificate in use stays.
    pub async fn maintain(mut self) {
        loop {
            // instant-acme panics on some answers.
            if catch_panic(self.check()).await.is_none() {
                self.fail("a panic, which the line above describes");
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Does what is due.
    async fn check(&mut self) {
        let current = self.certificates.current();
        if let Some(current) = current.as_ref().filter(|current| self.is_valid(current))
            && SystemTime::now() < self.renewal(current).await
        {
            return;
        }
        let now = SystemTime::now();
        // A pause ends early if the clock was set back to a time before its start.
        if self.pause.contains(&now) {
            if self.failures > 0 && !self.is_pause_reported {
                self.report_failure("the last try before this start failed", now);
            }
            return;
        }
        if let Err(error) = self.obtain(current.as_deref()).await {
            self.fail(&error.to_string());
        }
    }

    /// True if `certificate` is for all domains, and has not expired.
    fn is_valid(&self, certificate: &Certificate) -> bool {
        renewal::is_for(certificate, &self.options.domains)
            && SystemTime::now() < certificate.not_after
    }

    /// The time at which `certificate`, the current one, is to be renewed. Reports it once.
    async fn renewal(&mut self, certificate: &Certificate) -> SystemTime {
        let now = Instant::now();
        let is_new = self.renewal.is_none();
        let known = Renewal { time: renewal::time(certificate, None), next_request: now };
        let mut known = self.renewal.unwrap_or(known);
        if known.next_request <= now {
            known.next_request = now + SUGGESTION_RETRY;
            // Before the request, so that one that panics does not prevent every renewal.
            self.renewal = Some(known);
            // Without an account or an answer, an earlier suggestion stays.
            if let Ok(Some((window, next))) = self.suggestion(certificate).await {
                let window = window.start.into()..window.end.into();
                known.time = renewal::time(certificate, Some(window));
                known.next_request = now + next.clamp(SUGGESTION_MIN, SUGGESTION_MAX);
            }
        }
        self.renewal = Some(known);
        if is_new {
            report(messages::presented(certificate, known.time, self.host.as_deref()));
        }
        known.time
    }

    /// The time in which the authority suggests renewing `certificate`, and the time to the next
    /// request.
    async fn suggestion(
        &self,
        certificate: &Certificate,
    ) -> Result<Option<(SuggestedWindow, Duration)>, Error> {
        let (Some(id), Some(account)) = (identifier(certificate), self.stored_account().await?)
        else {
            return Ok(None);
        };
        let (info, next) = account.renewal_info(&id).await?;
        Ok(Some((info.suggested_window, next)))
    }

    /// Installs and stores a new certificate, which replaces `current`.
    async fn obtain(&mut self, current: Option<&Certificate>) -> Result<(), Error> {
        // Stored before the try, so that a crash counts as a failure.
        self.failures = self.failures.saturating_add(1);
        // A disk that is full must not let the certificate expire.
        if let Err(problem) = self.folder.write_failures(self.failures, SystemTime::now()) {
            report(format_args!("{problem}; a restart would not know of this try"));
        }
        let mut order = self.place_order(current).await?;
        let pem = order::complete(&mut order, &self.options.domains, &self.certificates).await?;
        let certificate = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())
            .map_err(|error| other(format!("the authority's answer: {error}")))?;
        if !self.is_valid(&certificate) {
            return Err(other(messages::unusable(&certificate)));
        }
        let now = SystemTime::now();
        self.pause = now..now + success_pause(&certificate, now);
        self.certificates.install(Arc::new(certificate));
        (self.renewal, self.failures) = (None, 0);
        let stored = self.folder.write(CERTIFICATE, pem.as_bytes());
        if let Err(problem) = stored.and_then(|()| self.folder.write_failures(0, SystemTime::now()))
        {
            report(format_args!(
                "{problem}; the new certificate is in use, and a restart orders another one"
            ));
        }
        Ok(())
    }

    /// Places an order, with a new account if the authority does not know the stored one any
    /// more.
    async fn place_order(&self, current: Option<&Certificate>) -> Result<Order, Error> {
        let Options { domains, profile, .. } = &self.options;
        let profile = profile.as_deref();
        let replaced = || current.and_then(identifier);
        let account = match self.stored_account().await? {
            Some(account) => account,
            None => self.new_account().await?,
        };
        match order::place(&account, domains, profile, replaced()).await {
            Err(Error::Api(problem))
                if problem.r#type.as_deref()
                    == Some("urn:ietf:params:acme:error:accountDoesNotExist") =>
            {
                let account = self.new_account().await?;
                order::place(&account, domains, profile, replaced()).await
            }
            result => result,
        }
    }

    /// The stored account. `None` without one, or if it cannot be parsed.
    async fn stored_account(&self) -> Result<Option<Account>, Error> {
        let json = self.folder.read(ACCOUNT).map_err(other)?.unwrap_or_default();
        let Ok(credentials) = serde_json::from_slice(&json) else { return Ok(None) };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        builder.from_credentials(credentials).await.map(Some)
    }

    /// Registers and stores an account.
    async fn new_account(&self) -> Result<Account, Error> {
        let contact = self.options.email.as_ref().map(|email| format!("mailto:{email}"));
        let contact = contact.as_deref();
        let new = NewAccount {
            contact: contact.as_slice(),
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        let directory = self.options.authority.to_string();
        let (account, credentials) =
            builder.create(&new, directory, self.external_account.as_ref()).await?;
        if let Err(problem) = self.folder.write(ACCOUNT, &serde_json::to_vec(&credentials)?) {
            report(format_args!("{problem}; the next order registers another account"));
        }
        Ok(account)
    }

    /// Begins a pause after a failure, and reports it.
    fn fail(&mut self, reason: &str) {
        let now = SystemTime::now();
        self.pause = now..now + delay(self.failures);
        self.report_failure(reason, now);
    }

    fn report_failure(&mut self, reason: &str, now: SystemTime) {
        self.is_pause_reported = true;
        let (current, next_try) = (self.certificates.current(), self.pause.end);
        let current = current.as_deref();
        report(messages::failed(&self.options.domains, current, now, reason, next_try));
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

/// The identifier of a certificate (RFC 9773 §4.1). `None` without an authority key
/// identifier, as in a self-signed certificate.
fn identifier(certificate: &Certificate) -> Option<CertificateIdentifier<'static>> {
    CertificateIdentifier::try_from(certificate.key.cert.first()?).ok()
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
