//! Certificates, and the configuration of TLS.

mod certificate;
mod certificates;
mod chain;
mod config;
mod files;
mod provider;

pub use certificate::{Certificate, certificates_in, not_after, not_x509};
pub use certificates::{ACME_TLS_ALPN, Certificates};
pub use chain::day;
pub use config::{HTTP2_ALPN, server_config, unverified_client};
pub use files::CertificateFiles;
pub use provider::provider;
