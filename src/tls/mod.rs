//! Certificates, and the configuration of TLS.

mod alpn;
mod certificate;
mod certificates;
mod client;
mod config;
mod files;
mod provider;
mod x509;

pub use alpn::{ACME_TLS_ALPN, HTTP2_ALPN};
pub use certificate::{Certificate, CertificateError, certificates_in, day};
pub use certificates::Certificates;
pub use client::{not_after, unverified_client, unverified_config};
pub use config::server_config;
pub use files::{CertificateFiles, FileVersions};
pub use provider::provider;
