//! Certificates, and the configuration of TLS.

mod certificate;
mod certificates;
mod chain;
mod config;
mod day;
mod files;
mod provider;

pub use certificate::{Certificate, CertificateError, certificates_in, not_after};
pub use certificates::{ACME_TLS_ALPN, Certificates};
pub use config::{HTTP2_ALPN, server_config, unverified_client};
pub use day::day;
pub use files::CertificateFiles;
pub use provider::provider;
