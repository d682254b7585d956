//! Options of the operator for ACME.

use std::path::PathBuf;

use super::authority::Authority;
use super::domain::Domain;
use super::schedule::Schedule;

/// Options for obtaining a certificate. By setting them, the operator agrees to the terms
/// of service of the authority.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names in the certificate, at least one.
    pub domains: Vec<Domain>,
    /// The folder that keeps accounts, keys and certificates. Used by one process
    /// at a time.
    pub folder: PathBuf,
    /// The issuer.
    pub authority: Authority,
    /// A file with the root certificates, in PEM, that are trusted for the authority's
    /// own HTTPS instead of the public ones.
    pub root_file: Option<PathBuf>,
    /// Email address to which the authority can send messages.
    pub email: Option<String>,
    /// The certificate profile to order, one of those that the authority offers.
    pub profile: Option<String>,
    /// An existing account with the authority, which some authorities require.
    pub external_account: Option<ExternalAccount>,
    /// Times of checks and retries.
    pub schedule: Schedule,
}

/// An account outside of ACME that the ACME account is bound to (RFC 8555 §7.3.4).
#[derive(Clone, Debug)]
pub struct ExternalAccount {
    /// The id that the authority has given to the key.
    pub key_id: String,
    /// A file with the HMAC key in base64url.
    pub key_file: PathBuf,
}
