//! The root certificates that are trusted for the authority's own HTTPS.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, RootCertStore};

use crate::operator_file;
use crate::tls::provider;

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
    let certificates =
        CertificateDer::pem_slice_iter(&content).collect::<Result<Vec<_>, _>>().map_err(|_| {
            format!("cannot use the root certificates: {name} is not in PEM; convert it to PEM")
        })?;
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(certificates);
    if added == 0 {
        return Err(format!(
            "cannot use the root certificates: {name} has no certificate in PEM; write the \
             authority's root certificate into it"
        ));
    }
    Ok(roots)
}
