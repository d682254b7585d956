//! What the certificates of all domains share: the authority with its account, the state folder,
//! and how they are ordered (RFC 8555 §7.4).

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, AccountBuilder, AuthorizationStatus, CertificateIdentifier, ChallengeType, Error,
    ExternalAccountKey, Identifier, KeyAuthorization, NewAccount, NewOrder, Order, OrderStatus,
    RetryPolicy, SuggestedWindow,
};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::CertifiedKey;
use serde_json::Value;
use tokio::sync::Mutex;

use super::https_requests::HttpsRequests;
use super::options::Options;
use super::reason::{Cause, is_of_kind, reason_of};
use super::state_folder::{ACCOUNT, StateFolder};
use crate::output::report;
use crate::problem::Problem;
use crate::tls::{Certificate, Certificates, provider};

/// Polls for each of the two waits: for the validation, and for the certificate. Authorities
/// validate from several networks.
const POLLING: RetryPolicy = RetryPolicy::new().backoff(1.5).timeout(Duration::from_secs(180));

/// An order is rejected if an authorization failed (RFC 8555 §7.1.6): the authority did not reach
/// this server.
const REJECTED_REMEDY: &str = "; point the name to this machine and open port 443";

/// The client of an authority.
pub(super) struct AcmeClient {
    pub(super) options: Options,
    requests: HttpsRequests,
    external_account: Option<ExternalAccountKey>,
    /// The account that this process has registered. On a full disk, the state folder lacks it.
    registered: Mutex<Option<Account>>,
    pub(super) folder: StateFolder,
    pub(super) certificates: Arc<Certificates>,
    /// The host of the origin, if it is known.
    pub(super) host: Option<String>,
}

impl AcmeClient {
    /// Reads the files of `options`, and locks the state folder. Clients that send no domain in the
    /// handshake get the certificate for `host` if it is a domain, or for another domain.
    pub(super) fn open(options: Options, host: Option<String>) -> Result<Self, Problem> {
        let requests = HttpsRequests::new(options.acme_root.as_deref())?;
        let external_account = options.external_account()?;
        let folder = StateFolder::open(&options.folder()?, &options.authority_folder())?;
        let default = options.domains().find(|&domain| Some(domain) == host.as_ref());
        let default = default.or(options.domains().min()).cloned();
        let certificates = Arc::new(Certificates::new(&default.unwrap_or_default()));
        let registered = Mutex::new(None);
        Ok(Self { options, requests, external_account, registered, folder, certificates, host })
    }

    /// The time in which the authority suggests renewing `certificate`, and the time to the next
    /// request. `None` without an account or an answer.
    pub(super) async fn suggestion(
        &self,
        certificate: &Certificate,
    ) -> Option<(SuggestedWindow, Duration)> {
        let account = self.known_account(&*self.registered.lock().await).await.ok()??;
        let (info, next) = account.renewal_info(&identifier(certificate)?).await.ok()?;
        Some((info.suggested_window, next))
    }

    /// Orders a certificate for `domain`, which replaces `current`: a new key and the chain in PEM.
    /// Registers a new account if the authority has forgotten the stored one.
    pub(super) async fn order(
        &self,
        domain: &str,
        current: Option<&Certificate>,
    ) -> Result<String, Cause> {
        let account = self.account_unless(None).await?;
        let mut order = match self.place_order(&account, domain, current).await {
            Err(Error::Api(problem)) if is_of_kind(&problem, "accountDoesNotExist") => {
                let account = self.account_unless(Some(account.id())).await?;
                self.place_order(&account, domain, current).await?
            }
            result => result?,
        };
        let error = match validate(&mut order, domain, &self.certificates).await {
            Ok(OrderStatus::Ready) => {
                let key = order.finalize().await?;
                let chain = order.poll_certificate(&POLLING).await?;
                return Ok(format!("{key}{chain}"));
            }
            Ok(_) => format!("the authority rejects the order{REJECTED_REMEDY}").into(),
            Err(error) => error,
        };
        // The order may report only that an authorization failed. The reason is part of the
        // authorization.
        Err(rejection(&mut order).await.map_or(error, Cause::from))
    }

    /// Places an order for `domain`. If the authority does not accept that it replaces `current`
    /// (RFC 9773 §5), places an order without that.
    async fn place_order(
        &self,
        account: &Account,
        domain: &str,
        current: Option<&Certificate>,
    ) -> Result<Order, Error> {
        let identifiers = [Identifier::Dns(domain.to_owned())];
        let new_order = || {
            let order = NewOrder::new(&identifiers);
            let profile = self.options.acme_profile.iter();
            profile.fold(order, |order, profile| order.profile(profile))
        };
        if let Some(replaced) = current.and_then(identifier)
            && let Ok(order) = account.new_order(&new_order().replaces(replaced)).await
        {
            return Ok(order);
        }
        account.new_order(&new_order()).await
    }

    /// The account. Registers it if it does not exist yet, or if its id is `forgotten`. Domains
    /// that ask at the same time get the same account.
    async fn account_unless(&self, forgotten: Option<&str>) -> Result<Account, Cause> {
        let mut registered = self.registered.lock().await;
        match self.known_account(&registered).await? {
            Some(account) if forgotten != Some(account.id()) => Ok(account),
            _ => Ok(registered.insert(self.register().await?).clone()),
        }
    }

    /// The account that is `registered`, or stored. `None` without one, or if the stored one is not
    /// JSON.
    async fn known_account(&self, registered: &Option<Account>) -> Result<Option<Account>, Cause> {
        if registered.is_some() {
            return Ok(registered.clone());
        }
        let json = self.folder.read(ACCOUNT)?.unwrap_or_default();
        let Ok(stored) = serde_json::from_slice::<Value>(&json) else { return Ok(None) };
        let damaged = |reason: &dyn Display| {
            let path = self.folder.file(ACCOUNT);
            let remedy = "restore it, or remove it to register another account";
            format!("{} is damaged: {reason}; {remedy}", path.display())
        };
        if stored["directory"] != *self.options.directory().to_string() {
            return Err(damaged(&"its directory is not the authority's").into());
        }
        let credentials = serde_json::from_value(stored).map_err(|error| damaged(&error))?;
        match self.builder().from_credentials(credentials).await {
            Err(error @ Error::KeyRejected) => Err(damaged(&error).into()),
            account => Ok(Some(account?)),
        }
    }

    /// Registers and stores an account.
    async fn register(&self) -> Result<Account, Cause> {
        let contact = self.options.acme_email.as_ref().map(|email| format!("mailto:{email}"));
        let contact = contact.as_deref();
        let new = NewAccount {
            contact: contact.as_slice(),
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let directory = self.options.directory().to_string();
        let external_account = self.external_account.as_ref();
        let created = self.builder().create(&new, directory, external_account).await?;
        let (account, credentials) = created;
        if let Err(problem) = self.folder.write(ACCOUNT, &serde_json::to_vec(&credentials)?) {
            report(format_args!("{problem}; a restart registers another account"));
        }
        Ok(account)
    }

    fn builder(&self) -> AccountBuilder {
        Account::builder_with_http(Box::new(self.requests.clone()))
    }
}

/// The identifier of a certificate (RFC 9773 §4.1). `None` without an authority key identifier, as
/// in a self-signed certificate.
fn identifier(certificate: &Certificate) -> Option<CertificateIdentifier<'static>> {
    CertificateIdentifier::try_from(certificate.key.cert.first()?).ok()
}

/// Answers the challenge of `order`, which is for `domain`, with `certificates`, until it is
/// validated or rejected.
async fn validate(
    order: &mut Order,
    domain: &str,
    certificates: &Certificates,
) -> Result<OrderStatus, Cause> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        // An authority must not fill the table of challenges.
        let name = authorization.identifier().to_string();
        if name != domain {
            return Err(format!("the authority's order is for {name}").into());
        }
        if authorization.status == AuthorizationStatus::Valid {
            // The authority remembers it from an earlier order.
            continue;
        }
        let mut challenge = authorization
            .challenge(ChallengeType::TlsAlpn01)
            .ok_or("the authority does not validate with TLS-ALPN-01")?;
        let key = challenge_certificate(domain, &challenge.key_authorization())?;
        certificates.add_challenge(domain, key);
        // An authority that validates at once may reject the challenge in its response.
        challenge.set_ready().await?;
    }
    Ok(order.poll_ready(&POLLING).await?)
}

/// The reason of the first authorization that failed.
async fn rejection(order: &mut Order) -> Option<String> {
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        let state = authorization.refresh().await.ok()?;
        let problem = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
        if let Some(problem) = problem {
            return Some(reason_of(problem, REJECTED_REMEDY));
        }
    }
    None
}

/// A self-signed certificate that answers a challenge (RFC 8737 §3).
fn challenge_certificate(
    domain: &str,
    authorization: &KeyAuthorization,
) -> Result<CertifiedKey, Cause> {
    let mut params = CertificateParams::new([domain.to_owned()])?;
    params.distinguished_name = DistinguishedName::new();
    let digest = authorization.digest();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest.as_ref())];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let key = provider().key_provider.load_private_key(key)?;
    // Not `CertifiedKey::from_der`, which rejects the extension: it is critical, and rustls does
    // not support it.
    Ok(CertifiedKey::new(vec![certificate.into()], key))
}
