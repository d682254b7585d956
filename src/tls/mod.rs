//! Certificates, and the configuration of TLS.

mod certificate;
mod certificates;
mod config;
mod files;
mod provider;
mod x509;

pub use certificate::{Certificate, CertificateError, day};
pub use certificates::Certificates;
pub use config::{ACME_TLS_ALPN, HTTP2_ALPN, server_config};
pub use files::CertificateFiles;
pub use provider::provider;
