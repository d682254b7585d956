//! What the certificates of all domains share: the authority with its account, and the state folder.

use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, CertificateIdentifier, Error, ExternalAccountKey, NewAccount, Order, SuggestedWindow,
};

use super::client::Client;
use super::options::Options;
use super::order::{self, other};
use super::state_folder::{ACCOUNT, StateFolder};
use crate::output::report;
use crate::tls::{Certificate, Certificates};

pub(super) struct Issuer {
    pub(super) options: Options,
    client: Client,
    external_account: Option<ExternalAccountKey>,
    pub(super) folder: StateFolder,
    pub(super) certificates: Arc<Certificates>,
}

impl Issuer {
    /// Reads the files of `options`, and locks the state folder. Clients that name no domain get the
    /// certificate for `host`, if that is a domain, else one of the others. The error states the problem
    /// and the remedy in one line.
    pub(super) fn open(options: Options, host: Option<&str>) -> Result<Self, String> {
        let client = Client::new(options.acme_root.as_deref())?;
        let external_account = options.external_account()?;
        let folder = StateFolder::open(&options.folder()?, &options.authority())?;
        let default = options.domains().find(|&domain| Some(&**domain) == host);
        let default = default.or(options.domains().min()).cloned();
        let certificates = Arc::new(Certificates::new(&default.unwrap_or_default()));
        Ok(Self { options, client, external_account, folder, certificates })
    }

    /// The time in which the authority suggests renewing `certificate`, and the time to the next
    /// request.
    pub(super) async fn suggestion(
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

    /// Orders a certificate for `domain`, which replaces `current`: the key and the chain in PEM.
    pub(super) async fn order(
        &self,
        domain: &str,
        current: Option<&Certificate>,
    ) -> Result<String, Error> {
        let mut order = self.place_order(domain, current).await?;
        order::complete(&mut order, domain, &self.certificates).await
    }

    /// Places an order, with a new account if the authority does not know the stored one any
    /// more.
    async fn place_order(
        &self,
        domain: &str,
        current: Option<&Certificate>,
    ) -> Result<Order, Error> {
        let profile = self.options.acme_profile.as_deref();
        let replaced = || current.and_then(identifier);
        let account = match self.stored_account().await? {
            Some(account) => account,
            None => self.new_account().await?,
        };
        match order::place(&account, domain, profile, replaced()).await {
            Err(Error::Api(problem))
                if problem.r#type.as_deref()
                    == Some("urn:ietf:params:acme:error:accountDoesNotExist") =>
            {
                let account = self.new_account().await?;
                order::place(&account, domain, profile, replaced()).await
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
        let contact = self.options.acme_email.as_ref().map(|email| format!("mailto:{email}"));
        let contact = contact.as_deref();
        let new = NewAccount {
            contact: contact.as_slice(),
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        let directory = self.options.authority().to_string();
        let (account, credentials) =
            builder.create(&new, directory, self.external_account.as_ref()).await?;
        if let Err(problem) = self.folder.write(ACCOUNT, &serde_json::to_vec(&credentials)?) {
            report(format_args!("{problem}; the next order registers another account"));
        }
        Ok(account)
    }
}

/// The identifier of a certificate (RFC 9773 §4.1). `None` without an authority key
/// identifier, as in a self-signed certificate.
fn identifier(certificate: &Certificate) -> Option<CertificateIdentifier<'static>> {
    CertificateIdentifier::try_from(certificate.key.cert.first()?).ok()
}
