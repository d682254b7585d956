//! Judges a certificate chain as clients do (RFC 5280 §6.1; Baseline Requirements of the CA/Browser
//! Forum §7.1).

use std::time::{SystemTime, UNIX_EPOCH};

use x509_parser::certificate::X509Certificate;
use x509_parser::der_parser::oid;
use x509_parser::error::X509Error;
use x509_parser::oid_registry::{OID_PKCS1_SHA1WITHRSA, OID_SIG_ED25519, Oid};
use x509_parser::public_key::PublicKey;

/// Algorithms of signatures that browsers reject: RSA and ECDSA with SHA-1, and Ed25519.
const REJECTED: [Oid<'_>; 3] = [OID_PKCS1_SHA1WITHRSA, oid!(1.2.840.10045.4.1), OID_SIG_ED25519];

/// Why clients of some kind reject `chain`, whose first certificate is the server's: each problem
/// with its remedy. The validity of the first certificate is left out.
pub(super) fn problems(chain: &[X509Certificate<'_>]) -> Vec<String> {
    let Some((first, others)) = chain.split_first() else { return Vec::new() };
    let of_first = problems_of_first(first, others.is_empty()).into_iter();
    let of_first =
        of_first.filter(|(is_found, _)| *is_found).map(|(_, problem)| problem.to_owned());
    let of_others = others.iter().zip(0..).filter_map(|(other, below)| {
        let problem = problem_of_issuer(other, below)?;
        Some(format!("certificate {} of its chain {problem}", below + 2))
    });
    of_first.chain(of_others).chain(problem_of_order(chain)).collect()
}

/// False if the certificate is for other purposes alone, such as for clients.
pub(super) fn is_for_servers(certificate: &X509Certificate<'_>) -> bool {
    let usage = certificate.extended_key_usage().ok().flatten();
    usage.is_none_or(|usage| usage.value.any || usage.value.server_auth)
}

fn problems_of_first(first: &X509Certificate<'_>, is_alone: bool) -> [(bool, &'static str); 6] {
    let usage = first.key_usage().ok().flatten();
    let lacks_usage = usage.is_some_and(|usage| !usage.value.digital_signature());
    let has_names = first.subject_alternative_name().ok().flatten().is_some();
    let has_rare_key = !has_common_key(first);
    let lacks_issuer = is_alone && !is_self_issued(first);
    [
        (!has_names, "browsers require a subject alternative name; request one that has it"),
        (
            first.is_ca(),
            "Firefox rejects a certificate that may sign others (CA:TRUE); request one with CA:FALSE",
        ),
        (lacks_usage, "browsers require digitalSignature in its key usage; request that"),
        (has_rare_key, "no browser supports its kind of key; request one for ECDSA P-256 or P-384"),
        (
            // A certificate for another key gets another signature.
            !has_rare_key && REJECTED.contains(first.signature_algorithm.oid()),
            "browsers reject its kind of signature; request one with SHA-256",
        ),
        (
            lacks_issuer,
            "no intermediate certificate; add its issuer's to the file, as in certbot's fullchain.pem, \
             unless clients trust the issuer",
        ),
    ]
}

/// A problem of a certificate behind the first one. `below` is the number of certificates between
/// both.
fn problem_of_issuer(issuer: &X509Certificate<'_>, below: u32) -> Option<String> {
    let validity = issuer.validity();
    if !validity.is_valid() {
        let [begin, end] =
            [validity.not_before, validity.not_after].map(|time| day(time.to_datetime().into()));
        return Some(format!(
            "is valid from {begin} to {end} only; get the authority's current chain, or correct the \
             clock"
        ));
    }
    let constraints = issuer.basic_constraints().ok().flatten();
    let length = constraints.and_then(|constraints| constraints.value.path_len_constraint);
    let usage = issuer.key_usage().ok().flatten();
    let may_sign = usage.is_none_or(|usage| usage.value.key_cert_sign());
    // Clients do not verify a root's signature of itself.
    let is_old = REJECTED.contains(issuer.signature_algorithm.oid()) && !is_self_issued(issuer);
    let problems = [
        (!issuer.is_ca() || !may_sign, "may not sign others"),
        (length.is_some_and(|length| length < below), "may not sign so long a chain"),
        (!is_for_servers(issuer), "may not sign certificates of servers"),
        (!has_common_key(issuer), "has a kind of key that some clients reject"),
        (is_old, "is signed with an algorithm that browsers reject"),
    ];
    let (_, problem) = problems.into_iter().find(|(is_found, _)| *is_found)?;
    Some(format!("{problem}; get the authority's current chain"))
}

/// The first pair in which the second certificate did not sign the first.
fn problem_of_order(chain: &[X509Certificate<'_>]) -> Option<String> {
    let index = chain.windows(2).position(|pair| !is_signed_by(&pair[0], &pair[1]))?;
    let (first, second, signed) = (index + 1, index + 2, &chain[index]);
    if is_self_issued(signed) {
        return Some(format!("certificate {second} of its chain is superfluous; remove it"));
    }
    // The whole name would need the names of all attributes, 40 kB of the executable.
    let name = signed.issuer().iter_common_name().next().and_then(|name| name.as_str().ok());
    Some(format!(
        "certificate {second} of its chain did not sign certificate {first}; put the certificate of \
         {} there, or get the authority's current chain",
        name.unwrap_or("its issuer")
    ))
}

fn is_self_issued(certificate: &X509Certificate<'_>) -> bool {
    certificate.issuer().as_raw() == certificate.subject().as_raw()
}

/// True if `issuer` signed `certificate`. If the signature cannot be verified, the names decide.
fn is_signed_by(certificate: &X509Certificate<'_>, issuer: &X509Certificate<'_>) -> bool {
    let is_named = certificate.issuer().as_raw() == issuer.subject().as_raw();
    match certificate.verify_signature(Some(issuer.public_key())) {
        Err(X509Error::SignatureUnsupportedAlgorithm) => is_named,
        Err(_) => is_named && !has_common_key(issuer),
        Ok(()) => true,
    }
}

/// True if all clients support the kind of key: RSA from 2048 bits on, or ECDSA with P-256 or
/// P-384.
fn has_common_key(certificate: &X509Certificate<'_>) -> bool {
    match certificate.public_key().parsed() {
        Ok(PublicKey::RSA(key)) => key.key_size() >= 2048,
        Ok(PublicKey::EC(key)) => key.key_size() <= 384,
        _ => false,
    }
}

/// The day of `time` in UTC: `22 Nov 2026`.
pub fn day(time: SystemTime) -> String {
    // HTTP has no date before the epoch.
    let date = httpdate::fmt_http_date(time.max(UNIX_EPOCH));
    // "Sun, 22 Nov 2026 08:00:00 GMT"
    date.get(5..16).unwrap_or(&date).to_owned()
}
