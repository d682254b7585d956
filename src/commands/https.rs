//! The certificate of `recipelog-site`: from files, or from an authority (DECISION-12).

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use tokio::runtime::Builder;
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::acme::Acme;
use crate::cli::CertificateSource;
use crate::sandbox::Sandbox;
use crate::tls::{CertificateFiles, Certificates, FileVersions, server_config};

/// The configuration of HTTPS and the source of its certificate, before serving starts.
pub(super) struct Https {
    config: Arc<ServerConfig>,
    certificates: Arc<Certificates>,
    source: Source,
}

enum Source {
    Files(CertificateFiles, FileVersions, Reload),
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
                Source::Files(files, versions, reload_on_hangup()?)
            }
            CertificateSource::Acme(options) => {
                Source::Acme(Box::new(Acme::open(*options, Arc::clone(&certificates))?))
            }
        };
        Ok(Self { config, certificates, source })
    }

    /// Allows in `sandbox` the files and connections that renewing the certificate needs.
    pub(super) fn allow(&self, sandbox: &mut Sandbox) {
        match &self.source {
            // The operator may replace folders and links on the way to the files.
            Source::Files(..) => sandbox.read.push("/".into()),
            Source::Acme(acme) => {
                sandbox.write.push(acme.folder().to_owned());
                for port in acme.ports() {
                    sandbox.connect_to(port);
                }
            }
        }
    }

    /// The certificates that handshakes present.
    pub(super) fn certificates(&self) -> Arc<Certificates> {
        Arc::clone(&self.certificates)
    }

    /// Keeps the certificate current until the task is aborted. Aborting it also unlocks
    /// the state folder for the next instance.
    pub(super) fn start(self) -> Result<(TlsAcceptor, AbortHandle), String> {
        let task = match self.source {
            Source::Files(files, versions, Reload { requests, task }) => {
                let certificates = self.certificates;
                spawn(move || files.watch(versions, &certificates, &requests)).map_err(
                    |error| {
                        format!("cannot watch the certificate: {error}; raise the limit on threads")
                    },
                )?;
                task
            }
            Source::Acme(acme) => maintain(acme).map_err(|error| {
                format!(
                    "cannot renew the certificate: {error}; raise the limits on threads and open \
                     files"
                )
            })?,
        };
        Ok((self.config.into(), task))
    }
}

/// Starts the thread of the certificate. A file system or a name server that does not answer may
/// block it, and the end of the process does not wait for it (DECISION-48).
fn spawn(body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("certificate".to_owned()).spawn(body).map(drop)
}

/// Starts the renewal by ACME. Returns its task.
fn maintain(acme: Box<Acme>) -> io::Result<AbortHandle> {
    let (sender, started) = sync_channel(1);
    spawn(move || {
        let runtime = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(sender.send(Err(error))),
        };
        let task = runtime.spawn(acme.maintain());
        // The receiver waits for this message.
        let _ = sender.send(Ok(task.abort_handle()));
        // Ends with an error once the task is aborted.
        let _ = runtime.block_on(task);
    })?;
    started.recv().map_err(io::Error::other)?
}

/// Requests to read the files again.
struct Reload {
    requests: Receiver<()>,
    /// The task that sends `requests`.
    task: AbortHandle,
}

/// Sends a request at each SIGHUP.
fn reload_on_hangup() -> Result<Reload, String> {
    // One waiting request is enough; more would have the same effect.
    let (sender, requests) = sync_channel(1);
    let task = tokio::spawn(request_at_each_hangup(sender)?).abort_handle();
    Ok(Reload { requests, task })
}

#[cfg(unix)]
fn request_at_each_hangup(sender: SyncSender<()>) -> Result<impl Future<Output = ()>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangup = signal(SignalKind::hangup())
        .map_err(|error| format!("cannot install a signal handler: {error}"))?;
    Ok(async move {
        while hangup.recv().await.is_some() {
            let _ = sender.try_send(());
        }
    })
}

/// There is no such signal on this platform.
#[cfg(not(unix))]
fn request_at_each_hangup(sender: SyncSender<()>) -> Result<impl Future<Output = ()>, String> {
    Ok(async move {
        std::future::pending::<()>().await;
        drop(sender);
    })
}
