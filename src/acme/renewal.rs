//! The time at which the authority suggests renewing a certificate: ACME Renewal
//! Information (RFC 9773).

use std::ops::Range;
use std::time::{Duration, SystemTime};

use instant_acme::{CertificateIdentifier, Error};
use rustls::pki_types::Der;

use super::account::Registration;
use super::response::RETRY_AFTER_DEFAULT;
use super::state_folder::AuthorityFolder;
use crate::tls::Certificate;

/// Bounds of the time between two requests (RFC 9773 §4.3.2).
const INTERVAL_MIN: Duration = Duration::from_secs(60);
const INTERVAL_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// The authority's suggestion for one certificate.
#[derive(Debug, Default)]
pub(super) struct Suggestion {
    serial: Vec<u8>,
    window: Option<Range<SystemTime>>,
    /// The address of a page that explains the window.
    explanation: Option<String>,
    /// True if the last request failed.
    is_failing: bool,
    /// Times of the last and the next request.
    pause: Option<Range<SystemTime>>,
}

impl Suggestion {
    /// The window in which to renew `certificate`.
    pub(super) fn window(&self, certificate: &Certificate) -> Option<&Range<SystemTime>> {
        self.window.as_ref().filter(|_| self.serial == certificate.serial)
    }

    /// The address of a page of the authority that explains this window.
    pub(super) fn explanation(&self, certificate: &Certificate) -> Option<&str> {
        self.explanation.as_deref().filter(|_| self.serial == certificate.serial)
    }

    /// True if it is time for a request to the authority. A pause ends early if the clock was
    /// set back to a time before its start. The next pause begins here, before the request,
    /// so that a request that panics does not prevent every renewal.
    pub(super) fn begin_request(&mut self, certificate: &Certificate, now: SystemTime) -> bool {
        let is_paused = self.pause.as_ref().is_some_and(|pause| pause.contains(&now));
        if self.serial == certificate.serial && is_paused {
            return false;
        }
        if self.serial != certificate.serial {
            let (serial, is_failing) = (certificate.serial.clone(), self.is_failing);
            *self = Self { serial, is_failing, ..Self::default() };
        }
        self.pause = now.checked_add(RETRY_AFTER_DEFAULT).map(|end| now..end);
        true
    }

    /// Asks the authority. Without an account or an answer, an earlier suggestion
    /// stays. Returns the error of the first request that fails after one that did not.
    pub(super) async fn request(
        &mut self,
        registration: &Registration,
        folder: &AuthorityFolder,
        certificate: &Certificate,
        now: SystemTime,
    ) -> Option<Error> {
        let result = match self.try_request(registration, folder, certificate, now).await {
            // The authority offers no suggestions.
            Err(Error::Unsupported(_)) => Ok(()),
            result => result,
        };
        let was_failing = std::mem::replace(&mut self.is_failing, result.is_err());
        result.err().filter(|_| !was_failing)
    }

    async fn try_request(
        &mut self,
        registration: &Registration,
        folder: &AuthorityFolder,
        certificate: &Certificate,
        now: SystemTime,
    ) -> Result<(), Error> {
        let Some(id) = identifier(certificate) else { return Ok(()) };
        let Some(account) = registration.restore(folder).await? else { return Ok(()) };
        let (info, retry_after) = account.renewal_info(&id).await?;
        let window = info.suggested_window;
        self.window = Some(window.start.into()..window.end.into());
        self.explanation = info.explanation_url;
        let interval = retry_after.clamp(INTERVAL_MIN, INTERVAL_MAX);
        self.pause = now.checked_add(interval).map(|end| now..end);
        Ok(())
    }
}

/// The identifier of a certificate (RFC 9773 §4.1). `None` without an authority key
/// identifier, as in a self-signed certificate.
pub(super) fn identifier(certificate: &Certificate) -> Option<CertificateIdentifier<'static>> {
    let authority = Der::from_slice(certificate.authority_key_id.as_deref()?);
    let serial = Der::from_slice(&certificate.serial);
    Some(CertificateIdentifier::new(authority, serial).into_owned())
}
