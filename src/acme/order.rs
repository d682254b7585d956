//! An order: from the names to the certificate (RFC 8555 §7.4).

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, CertificateIdentifier, ChallengeType, Error, Identifier,
    KeyAuthorization, NewOrder, Order, OrderStatus, RetryPolicy,
};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::CertifiedKey;

use super::messages::shortened;
use crate::tls::{Certificates, provider};

/// Polls for each of the two waits: for the validation, and for the certificate. Authorities
/// validate from several networks.
const POLLING: RetryPolicy = RetryPolicy::new().backoff(1.5).timeout(Duration::from_secs(180));

/// Places an order for `domain`. If the authority does not accept that it `replaces` a
/// certificate (RFC 9773 §5), places one that replaces none.
pub(super) async fn place(
    account: &Account,
    domain: &str,
    profile: Option<&str>,
    replaces: Option<CertificateIdentifier<'_>>,
) -> Result<Order, Error> {
    let identifiers = [Identifier::Dns(domain.to_string())];
    let new_order = || {
        let order = NewOrder::new(&identifiers);
        profile.into_iter().fold(order, |order, profile| order.profile(profile))
    };
    if let Some(replaced) = replaces
        && let Ok(order) = account.new_order(&new_order().replaces(replaced)).await
    {
        return Ok(order);
    }
    account.new_order(&new_order()).await
}

/// Answers the challenge of `order`, which is for `domain`, with `certificates`, until it is validated. Returns a
/// certificate with a new key: the key and the chain in PEM.
pub(super) async fn complete(
    order: &mut Order,
    domain: &str,
    certificates: &Certificates,
) -> Result<String, Error> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        // An authority must not fill the table of challenges.
        let name = authorization.identifier().to_string();
        if name != domain {
            return Err(other(format!("the authority's order is for {name}")));
        }
        if authorization.status == AuthorizationStatus::Valid {
            // From an earlier order.
            continue;
        }
        let mut challenge = authorization
            .challenge(ChallengeType::TlsAlpn01)
            .ok_or(Error::Str("the authority does not validate with TLS-ALPN-01"))?;
        let key = challenge_certificate(domain, &challenge.key_authorization());
        certificates.add_challenge(domain, key.map_err(other)?);
        challenge.set_ready().await?;
    }
    let error = match order.poll_ready(&POLLING).await {
        Ok(OrderStatus::Ready) => {
            let key = order.finalize().await?;
            let chain = order.poll_certificate(&POLLING).await?;
            return Ok(format!("{key}{chain}"));
        }
        Ok(_) => Error::Str("the authority rejects the order"),
        Err(error) => error,
    };
    // The order may report only that an authorization failed. The reason is part of the
    // authorization.
    Err(rejection(order).await.unwrap_or(error))
}

/// The reason of the first authorization that failed.
async fn rejection(order: &mut Order) -> Option<Error> {
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        let state = authorization.refresh().await.ok()?;
        if let Some(problem) =
            state.challenges.iter().find_map(|challenge| challenge.error.as_ref())
        {
            let problem = shortened(&problem.to_string());
            return Some(other(format!(
                "{problem}; point the name to this machine and open port 443"
            )));
        }
    }
    None
}

/// A self-signed certificate that answers a challenge (RFC 8737 §3).
fn challenge_certificate(
    domain: &str,
    authorization: &KeyAuthorization,
) -> Result<CertifiedKey, Box<dyn std::error::Error + Send + Sync>> {
    let mut params = CertificateParams::new([domain.to_owned()])?;
    params.distinguished_name = DistinguishedName::new();
    let digest = authorization.digest();
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest.as_ref())];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let key = provider().key_provider.load_private_key(key)?;
    // Not `CertifiedKey::from_der`, which rejects the extension: it is critical, and
    // rustls does not support it.
    Ok(CertifiedKey::new(vec![certificate.into()], key))
}

/// An error with a text of our own.
pub(super) fn other(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Other(cause.into())
}
