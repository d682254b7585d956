//! Certificates from an authority that speaks ACME (RFC 8555): obtained, stored and renewed while
//! the server runs.
//!
//! The authority validates each domain over TLS (TLS-ALPN-01, RFC 8737), so no port besides the
//! server's own is needed.

mod acme_client;
mod attempts;
mod https_requests;
mod maintain;
mod next_order;
mod options;
mod reason;
mod state_folder;

pub use maintain::Acme;
pub use options::Options;
