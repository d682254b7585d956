//! The root certificates that are trusted for the authority's own HTTPS.

use std::path::Path;
use std::sync::Arc;

use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, RootCertStore};

use crate::operator_file;
use crate::tls::{CertificateError, certificates_in, provider};

/// Configures TLS to the authority with the roots in `root_file` or, if that is `None`,
/// with those that Mozilla trusts. The error states the problem and the remedy in
/// one line.
pub(super) fn client_config(root_file: Option<&Path>) -> Result<Arc<ClientConfig>, String> {
    let roots = match root_file {
        Some(path) => read(path)?,
        None => RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() },
    };
    let config = ClientConfig::builder_with_provider(Arc::clone(provider()))
        .with_protocol_versions(&[&TLS13, &TLS12])
        .map_err(|error| format!("cannot configure TLS to the authority: {error}"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn read(path: &Path) -> Result<RootCertStore, String> {
    let name = path.display();
    let content = operator_file::read(path).map_err(|error| {
        let remedy = operator_file::remedy(path, &error);
        format!("cannot read the root certificates: {name}: {error}; {remedy}")
    })?;
    let mut roots = RootCertStore::empty();
    let added = certificates_in(&content).and_then(|certificates| {
        match roots.add_parsable_certificates(certificates) {
            (0, _) => Err(CertificateError::BadCertificate),
            _ => Ok(()),
        }
    });
    added.map(|()| roots).map_err(|error| {
        let remedy = match error {
            CertificateError::BadPem | CertificateError::JoinedLines => error.remedy(),
            _ => "write the authority's root certificate into it, in PEM",
        };
        format!("cannot use the root certificates: {name}: {error}; {remedy}")
    })
}
