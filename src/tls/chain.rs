//! Judges a certificate chain as clients do (RFC 5280 §6.1; Baseline Requirements of the CA/Browser Forum §7.1).

use std::time::SystemTime;

use rustls::pki_types::CertificateDer;
use x509_parser::certificate::X509Certificate;
use x509_parser::oid_registry::{
    OID_PKCS1_RSASSAPSS, OID_PKCS1_SHA256WITHRSA, OID_PKCS1_SHA384WITHRSA, OID_PKCS1_SHA512WITHRSA,
    OID_SIG_ECDSA_WITH_SHA256, OID_SIG_ECDSA_WITH_SHA384, OID_SIG_ECDSA_WITH_SHA512,
};
use x509_parser::public_key::PublicKey;

use super::certificate::{day, parse};
use super::provider::provider;

/// Why clients of some kind reject `chain`, whose first certificate is the server's: each problem with its remedy. The
/// validity of the first certificate is left out.
pub(super) fn problems(chain: &[CertificateDer<'_>], now: SystemTime) -> Vec<String> {
    let chain: Vec<_> = chain.iter().filter_map(parse).collect();
    let Some((first, others)) = chain.split_first() else { return Vec::new() };
    let of_first = problems_of_first(first, others.is_empty()).into_iter();
    let of_first =
        of_first.filter(|(is_found, _)| *is_found).map(|(_, problem)| problem.to_owned());
    let of_others = others.iter().zip(0..).filter_map(|(other, below)| {
        let problem = problem_of_issuer(other, below, now)?;
        Some(format!("certificate {} of its chain {problem}", below + 2))
    });
    of_first.chain(of_others).chain(problem_of_order(&chain)).collect()
}

/// False if the certificate is for other purposes alone, such as for clients.
pub(super) fn is_for_servers(certificate: &X509Certificate<'_>) -> bool {
    let usage = certificate.extended_key_usage().ok().flatten();
    usage.is_none_or(|usage| usage.value.any || usage.value.server_auth)
}

fn problems_of_first(
    certificate: &X509Certificate<'_>,
    is_alone: bool,
) -> [(bool, &'static str); 6] {
    let usage = certificate.key_usage().ok().flatten();
    let lacks_usage = usage.is_some_and(|usage| !usage.value.digital_signature());
    let has_names = certificate.subject_alternative_name().ok().flatten().is_some();
    let (has_key, has_signature) = (has_common_key(certificate), has_common_signature(certificate));
    let lacks_issuer = is_alone && !is_self_issued(certificate);
    [
        (!has_names, "browsers require a subject alternative name; request one that has it"),
        (
            certificate.is_ca(),
            "Firefox rejects a certificate that may sign others (CA:TRUE); request one with CA:FALSE",
        ),
        (lacks_usage, "browsers require digitalSignature in its key usage; request that"),
        (!has_key, "no browser supports its kind of key; use ECDSA with P-256 or P-384"),
        (!has_signature, "browsers reject its kind of signature; request one with SHA-256"),
        (
            lacks_issuer,
            "no intermediate certificate; use fullchain.pem, unless clients trust its issuer",
        ),
    ]
}

/// A problem of a certificate behind the first one. `below` is the number of certificates between both.
fn problem_of_issuer(
    certificate: &X509Certificate<'_>,
    below: u32,
    now: SystemTime,
) -> Option<String> {
    let end = SystemTime::from(certificate.validity().not_after.to_datetime());
    let begin = SystemTime::from(certificate.validity().not_before.to_datetime());
    if now < begin || end < now {
        let (begin, end) = (day(begin), day(end));
        return Some(format!(
            "is valid from {begin} to {end} only; use the authority's current fullchain.pem, or correct \
             the clock"
        ));
    }
    let constraints = certificate.basic_constraints().ok().flatten();
    let length = constraints.and_then(|constraints| constraints.value.path_len_constraint);
    let usage = certificate.key_usage().ok().flatten();
    let may_sign = usage.is_none_or(|usage| usage.value.key_cert_sign());
    let is_old = !has_common_signature(certificate) && !is_self_issued(certificate);
    let problems = [
        (!certificate.is_ca() || !may_sign, "may not sign others"),
        (length.is_some_and(|length| length < below), "may not sign so long a chain"),
        (!is_for_servers(certificate), "may not sign certificates of servers"),
        (!has_common_key(certificate), "has a kind of key that some clients reject"),
        (is_old, "has an algorithm of signature that browsers reject"),
    ];
    let (_, problem) = problems.into_iter().find(|(is_found, _)| *is_found)?;
    Some(format!("{problem}; use the authority's current fullchain.pem"))
}

/// The first pair in which the second certificate did not sign the first.
fn problem_of_order(chain: &[X509Certificate<'_>]) -> Option<String> {
    let is_broken = |pair: &[X509Certificate<'_>]| !is_signed_by(&pair[0], &pair[1]);
    let index = chain.windows(2).position(is_broken)?;
    let (first, second) = (index + 1, index + 2);
    let (signed, other) = (&chain[index], &chain[index + 1]);
    Some(if signed.as_raw() == other.as_raw() || is_signed_by(signed, signed) {
        format!("certificate {second} of its chain is superfluous; remove it")
    } else if chain.iter().any(|other| is_signed_by(signed, other)) {
        "its chain is not in order; write the certificate of its issuer after each certificate"
            .to_owned()
    } else {
        // The whole name would need the names of all attributes, 40 kB of the executable.
        let name = signed.issuer().iter_common_name().next().and_then(|name| name.as_str().ok());
        format!(
            "certificate {second} of its chain did not sign certificate {first}; use fullchain.pem, or \
             put the certificate of {} there",
            name.unwrap_or("its issuer")
        )
    })
}

fn is_self_issued(certificate: &X509Certificate<'_>) -> bool {
    certificate.issuer().as_raw() == certificate.subject().as_raw()
}

/// True if `issuer` signed `certificate`. If the signature cannot be verified, the names decide.
fn is_signed_by(certificate: &X509Certificate<'_>, issuer: &X509Certificate<'_>) -> bool {
    let (key, signature) = (&issuer.public_key().subject_public_key, &certificate.signature_value);
    let content = certificate.tbs_certificate.as_ref();
    let mut algorithms = provider().signature_verification_algorithms.all.iter();
    algorithms.any(|one| one.verify_signature(&key.data, content, &signature.data).is_ok())
        || certificate.issuer().as_raw() == issuer.subject().as_raw()
            && !(has_common_key(issuer) && has_common_signature(certificate))
}

/// True if all clients support the kind of key: RSA from 2048 bits on, or ECDSA with P-256 or P-384.
fn has_common_key(certificate: &X509Certificate<'_>) -> bool {
    match certificate.public_key().parsed() {
        Ok(PublicKey::RSA(key)) => key.key_size() >= 2048,
        Ok(PublicKey::EC(key)) => key.key_size() <= 384,
        _ => false,
    }
}

/// True if browsers support the algorithm of the signature: RSA or ECDSA, with a hash of SHA-2.
fn has_common_signature(certificate: &X509Certificate<'_>) -> bool {
    [
        OID_PKCS1_RSASSAPSS,
        OID_PKCS1_SHA256WITHRSA,
        OID_PKCS1_SHA384WITHRSA,
        OID_PKCS1_SHA512WITHRSA,
        OID_SIG_ECDSA_WITH_SHA256,
        OID_SIG_ECDSA_WITH_SHA384,
        OID_SIG_ECDSA_WITH_SHA512,
    ]
    .contains(&certificate.signature_algorithm.algorithm)
}
