//! The time at which the authority suggests renewing a certificate: ACME Renewal
//! Information (RFC 9773).

use std::ops::Range;
use std::time::{Duration, SystemTime};

use instant_acme::{Account, CertificateIdentifier};
use rustls::pki_types::Der;

use crate::tls::Certificate;

/// Bounds of the time between two requests (RFC 9773 §4.3.2).
const INTERVAL_MIN: Duration = Duration::from_secs(60);
const INTERVAL_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Time to the next request if the authority names none (RFC 9773 §4.3.3).
const INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);

/// The authority's suggestion for one certificate.
#[derive(Debug, Default)]
pub(super) struct Suggestion {
    serial: Vec<u8>,
    window: Option<Range<SystemTime>>,
    /// Times of the last and the next request.
    pause: Option<Range<SystemTime>>,
}

impl Suggestion {
    /// The window in which to renew `certificate`.
    pub(super) fn window(&self, certificate: &Certificate) -> Option<&Range<SystemTime>> {
        self.window.as_ref().filter(|_| self.serial == certificate.serial)
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
            *self = Self { serial: certificate.serial.clone(), ..Self::default() };
        }
        self.pause = now.checked_add(INTERVAL).map(|end| now..end);
        true
    }

    /// Asks the authority. Without an account or an answer, an earlier suggestion
    /// stays.
    pub(super) async fn request(
        &mut self,
        account: Option<&Account>,
        certificate: &Certificate,
        now: SystemTime,
    ) {
        if let (Some(account), Some(id)) = (account, identifier(certificate))
            && let Ok((info, retry_after)) = account.renewal_info(&id).await
        {
            let window = info.suggested_window;
            self.window = Some(window.start.into()..window.end.into());
            let interval = retry_after.clamp(INTERVAL_MIN, INTERVAL_MAX);
            self.pause = now.checked_add(interval).map(|end| now..end);
        }
    }
}

/// The identifier of a certificate (RFC 9773 §4.1). `None` without an authority key
/// identifier, as in a self-signed certificate.
pub(super) fn identifier(certificate: &Certificate) -> Option<CertificateIdentifier<'static>> {
    let authority = Der::from_slice(certificate.authority_key_id.as_deref()?);
    let serial = Der::from_slice(&certificate.serial);
    Some(CertificateIdentifier::new(authority, serial).into_owned())
}
