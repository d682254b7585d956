//! The certificate of `recipelog-site`: from files, or from an authority.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::acme::Acme;
use crate::cli::CertificateSource;
use crate::sandbox::Sandbox;
use crate::tls::{CertificateFiles, Certificates, FileVersions, server_config};

/// HTTPS before it is served.
pub(super) struct Https {
    config: Arc<ServerConfig>,
    certificates: Arc<Certificates>,
    source: Source,
    reload: Arc<Notify>,
}

enum Source {
    Files(CertificateFiles, FileVersions),
    Acme(Box<Acme>),
}

impl Https {
    /// Opens the files of `source`. The error states the problem and the remedy in
    /// one line.
    pub(super) fn open(source: CertificateSource) -> Result<Self, String> {
        let certificates = Arc::<Certificates>::default();
        let config = server_config(Arc::clone(&certificates))
            .map_err(|error| format!("cannot configure TLS: {error}"))?;
        let source = match source {
            CertificateSource::Files { certificate, key } => {
                let files = CertificateFiles { certificate, key };
                let versions = files.versions();
                certificates.install(Arc::new(files.read()?));
                Source::Files(files, versions)
            }
            CertificateSource::Acme(options) => {
                Source::Acme(Box::new(Acme::open(*options, Arc::clone(&certificates))?))
            }
        };
        let reload = reload_on_hangup()?;
        Ok(Self { config, certificates, source, reload })
    }

    /// Adds what is needed to renew the certificate.
    pub(super) fn allow(&self, sandbox: &mut Sandbox) {
        match &self.source {
            Source::Files(files, _) => {
                sandbox.read_replaceable(&files.certificate);
                sandbox.read_replaceable(&files.key);
            }
            Source::Acme(acme) => {
                sandbox.write.push(acme.folder().to_owned());
                for port in acme.ports() {
                    sandbox.connect_to(port);
                }
            }
        }
    }

    /// What handshakes present.
    pub(super) fn certificates(&self) -> Arc<Certificates> {
        Arc::clone(&self.certificates)
    }

    /// Keeps the certificate current until the task is aborted. That unlocks the
    /// state folder for the next instance.
    pub(super) fn start(self) -> (TlsAcceptor, AbortHandle) {
        let task = match self.source {
            Source::Files(files, versions) => {
                tokio::spawn(files.watch(versions, self.certificates, self.reload))
            }
            Source::Acme(acme) => tokio::spawn(acme.maintain()),
        };
        (self.config.into(), task.abort_handle())
    }
}

/// Notifies at each SIGHUP. The signal would end the process otherwise.
#[cfg(unix)]
fn reload_on_hangup() -> Result<Arc<Notify>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangup = signal(SignalKind::hangup())
        .map_err(|error| format!("cannot install a signal handler: {error}"))?;
    let reload = Arc::<Notify>::default();
    let notify = Arc::clone(&reload);
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            notify.notify_one();
        }
    });
    Ok(reload)
}

/// There is no such signal on this platform.
#[cfg(not(unix))]
fn reload_on_hangup() -> Result<Arc<Notify>, String> {
    Ok(Arc::default())
}
