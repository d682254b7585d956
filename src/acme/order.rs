//! An order: from the names to the certificate (RFC 8555 §7.4).

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, CertificateIdentifier, ChallengeType, Error, Identifier,
    NewOrder, Order, OrderStatus, RetryPolicy,
};
use rcgen::{CertificateParams, DistinguishedName, KeyPair};

use super::challenge;
use super::domain::Domain;
use super::failure;
use super::nonce::repeat_for_nonce;
use super::stored_certificate::Issued;
use crate::tls::Certificates;

/// Maximum time for each of the two waits: for the validation, and for the
/// certificate. Authorities validate from several networks.
const WAIT_MAX: Duration = Duration::from_secs(180);

const POLLING: RetryPolicy = RetryPolicy::new().backoff(1.5).timeout(WAIT_MAX);

/// Places an order for `domains`. If it fails, and the reason may be the certificate that
/// it `replaces` (RFC 9773 §5), places a second order that replaces none.
pub(super) async fn place(
    account: &Account,
    domains: &[Domain],
    profile: Option<&str>,
    replaces: Option<CertificateIdentifier<'_>>,
) -> Result<Order, Error> {
    let identifiers: Vec<Identifier> =
        domains.iter().map(|domain| Identifier::Dns(domain.as_str().to_owned())).collect();
    let new_order = || {
        let order = NewOrder::new(&identifiers);
        profile.into_iter().fold(order, |order, profile| order.profile(profile))
    };
    if let Some(replaced) = replaces {
        let order = new_order().replaces(replaced);
        match repeat_for_nonce!(account.new_order(&order)) {
            Err(error) if may_accept_without_replaces(&error) => {}
            result => return result,
        }
    }
    repeat_for_nonce!(account.new_order(&new_order()))
}

/// Types of problems that authorities report about the certificate to be replaced: an
/// order has replaced it already (RFC 9773 §7.4), it is unknown or has none of the
/// names, or another account has ordered it. After any other problem, an immediate second
/// order would only count against the rate limits.
const REJECTIONS_OF_REPLACES: [&str; 3] = ["alreadyReplaced", "malformed", "unauthorized"];

/// True if `error` can be about the certificate to be replaced: a rejection, no support
/// by the authority, or an answer that leaves it out.
fn may_accept_without_replaces(error: &Error) -> bool {
    match error {
        // RFC 9773 §5: 409 (Conflict).
        Error::Api(problem) => {
            problem.status == Some(409)
                || REJECTIONS_OF_REPLACES.iter().any(|name| failure::is_problem(error, name))
        }
        Error::Unsupported(_) | Error::Json(_) => true,
        Error::Other(_) => !failure::is_unreachable(error),
        _ => false,
    }
}

/// Answers the challenges of `order` with `certificates`, until it can be finalized.
pub(super) async fn validate(order: &mut Order, certificates: &Certificates) -> Result<(), Error> {
    let validated = answer_all(order, certificates).await;
    certificates.clear_challenges();
    validated
}

async fn answer_all(order: &mut Order, certificates: &Certificates) -> Result<(), Error> {
    for position in 0..order.state().authorizations.len() {
        repeat_for_nonce!(answer(order, position, certificates))?;
    }
    let error = match repeat_for_nonce!(order.poll_ready(&POLLING)) {
        Ok(OrderStatus::Ready) => return Ok(()),
        Ok(_) => failure::error("the authority rejects the order"),
        Err(error @ Error::Api(_)) => error,
        Err(error) => return Err(error),
    };
    // The order may report only that an authorization failed. The reason is part of the
    // authorization.
    Err(rejection(order).await.unwrap_or(error))
}

/// Answers the authorization at `position`, unless it is valid from an earlier order.
async fn answer(
    order: &mut Order,
    position: usize,
    certificates: &Certificates,
) -> Result<(), Error> {
    let mut authorizations = order.authorizations();
    for _ in 0..position {
        // Known already, so this sends no request.
        authorizations.next().await.transpose()?;
    }
    let Some(mut authorization) = authorizations.next().await.transpose()? else { return Ok(()) };
    let domain = authorization.identifier().to_string();
    match authorization.status {
        AuthorizationStatus::Valid => return Ok(()),
        AuthorizationStatus::Pending => {}
        status => return Err(failure::error(format!("{domain}: authorization {status:?}"))),
    }
    let Some(mut challenge) = authorization.challenge(ChallengeType::TlsAlpn01) else {
        return Err(failure::error(format!(
            "{domain}: the authority does not validate with TLS-ALPN-01"
        )));
    };
    let digest = challenge.key_authorization().digest();
    certificates.add_challenge(&domain, challenge::certificate(&domain, digest.as_ref())?);
    challenge.set_ready().await
}

/// The reason of the first authorization that failed.
async fn rejection(order: &mut Order) -> Option<Error> {
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        repeat_for_nonce!(async { authorization.refresh().await.map(drop) }).ok()?;
        let problem =
            authorization.challenges.iter().find_map(|challenge| challenge.error.as_ref());
        if let Some(problem) = problem {
            let domain = authorization.identifier();
            return Some(failure::error(format!("{domain}: {}", failure::detail(problem))));
        }
    }
    None
}

/// Gets the certificate of a validated `order` with a new key. After an error, too, the
/// authority may have issued a certificate: see [`is_rejected`].
pub(super) async fn finalize(order: &mut Order, domains: &[Domain]) -> Result<Issued, Error> {
    let rcgen_error = |error: rcgen::Error| failure::error(error.to_string());
    let names: Vec<String> = domains.iter().map(ToString::to_string).collect();
    let mut params = CertificateParams::new(names).map_err(rcgen_error)?;
    params.distinguished_name = DistinguishedName::new();
    let key = KeyPair::generate().map_err(rcgen_error)?;
    let request = params.serialize_request(&key).map_err(rcgen_error)?;
    repeat_for_nonce!(order.finalize_csr(request.der()))?;
    let chain = repeat_for_nonce!(order.poll_certificate(&POLLING))?;
    Ok(Issued { chain, key: key.serialize_pem() })
}

/// True if the authority has issued no certificate for an `order` for which [`finalize`] ended
/// with an error.
pub(super) async fn is_rejected(order: &mut Order) -> bool {
    // The known state can be older than the request that failed.
    let refreshed = repeat_for_nonce!(async { order.refresh().await.map(drop) });
    let status = order.state().status;
    refreshed.is_ok()
        && matches!(status, OrderStatus::Ready | OrderStatus::Pending | OrderStatus::Invalid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acme::failure::Unreachable;

    #[test]
    fn only_a_rejection_that_can_be_about_the_replaced_certificate_is_repeated_without_it() {
        let unreachable = Error::Other(Box::new(Unreachable("refused".to_owned())));
        assert!(!may_accept_without_replaces(&unreachable));
        assert!(may_accept_without_replaces(&Error::Unsupported("ARI")));
        assert!(may_accept_without_replaces(&failure::error("replaces field mismatch")));
        for (json, is_repeated) in [
            (r#"{"type":"urn:ietf:params:acme:error:alreadyReplaced"}"#, true),
            (r#"{"type":"urn:ietf:params:acme:error:malformed"}"#, true),
            (r#"{"type":"urn:ietf:params:acme:error:unauthorized"}"#, true),
            (r#"{"status":409}"#, true),
            (r#"{"type":"urn:ietf:params:acme:error:rateLimited","status":429}"#, false),
            (r#"{"type":"urn:ietf:params:acme:error:rejectedIdentifier"}"#, false),
            (r#"{"type":"urn:ietf:params:acme:error:caa"}"#, false),
            (r#"{"type":"urn:ietf:params:acme:error:serverInternal","status":500}"#, false),
            (r#"{"type":"urn:ietf:params:acme:error:accountDoesNotExist"}"#, false),
            ("{}", false),
        ] {
            let error = Error::Api(serde_json::from_str(json).unwrap());
            assert_eq!(may_accept_without_replaces(&error), is_repeated, "{json}");
        }
    }
}
