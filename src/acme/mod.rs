//! Certificates from an authority that speaks ACME (RFC 8555): obtained, stored
//! and renewed while the server runs.
//!
//! The authority validates each domain over TLS (TLS-ALPN-01, RFC 8737), so no
//! port besides the server's own is needed.

mod account;
mod authority;
mod catch_panic;
mod challenge;
mod client;
mod connect;
mod domain;
mod external_account;
mod failure;
mod history;
mod maintain;
mod messages;
mod nonce;
mod open;
mod options;
mod order;
mod renewal;
mod response;
mod roots;
mod schedule;
mod state_folder;
mod stored_certificate;
mod target;

pub use authority::Authority;
pub use domain::Domain;
pub use open::Acme;
pub use options::{ExternalAccount, Options};
pub use schedule::Schedule;
