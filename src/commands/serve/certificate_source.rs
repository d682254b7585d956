//! The certificate of `recipelog-site`: from files, or from an authority.

use std::sync::Arc;
use std::thread;

use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::acme::Acme;
use crate::cli::{Config, HttpsOptions};
use crate::problem::Problem;
use crate::sandbox::Sandbox;
use crate::server::Tls;
use crate::tls::{CertificateFiles, server_config};

/// Where the certificate comes from, before serving starts.
pub(super) enum CertificateSource {
    Files(Box<CertificateFiles>),
    Acme(Box<Acme>),
}

impl CertificateSource {
    /// Opens the files of the certificate, on a thread of its own, because a file system may not
    /// answer. The certificate is for the host of the origin, if it is known. The error states the
    /// problem and the remedy in one line.
    pub(super) async fn open(config: &Config) -> Result<Self, Problem> {
        let (options, host) = (config.https.clone(), config.host().map(str::to_owned));
        let (sender, opened) = oneshot::channel();
        spawn(move || drop(sender.send(Self::read(options, host))))?;
        opened.await.unwrap_or_else(|_| {
            Err(Problem::new("cannot read the certificate", "report the panic in the line above"))
        })
    }

    fn read(options: HttpsOptions, host: Option<String>) -> Result<Self, Problem> {
        Ok(match (options.tls_cert, options.tls_key) {
            (Some(certificate), Some(key)) => {
                Self::Files(CertificateFiles::open(certificate, key, host)?.into())
            }
            _ => Self::Acme(Acme::open(options.acme, host)?.into()),
        })
    }

    /// Allows in `sandbox` the files and connections that renewing the certificate needs.
    pub(super) fn allow(&self, sandbox: &mut Sandbox) {
        match self {
            // The operator may replace folders and links on the way to the files.
            Self::Files(_) => sandbox.read.push("/".into()),
            Self::Acme(acme) => {
                sandbox.write.push(acme.folder().to_owned());
                sandbox.connect_to(acme.port());
            }
        }
    }

    /// Keeps the certificate current. Aborting the task unlocks the state folder for the next
    /// instance; certificates in files have no task.
    pub(super) fn start(self) -> Result<(Tls, Option<AbortHandle>), Problem> {
        let certificates = Arc::clone(match &self {
            Self::Files(files) => files.certificates(),
            Self::Acme(acme) => acme.certificates(),
        });
        let config = server_config(Arc::clone(&certificates))
            .map_err(Problem::of_process("cannot configure TLS"))?;
        let task = match self {
            Self::Files(files) => {
                spawn(move || files.watch())?;
                None
            }
            Self::Acme(acme) => Some(maintain(*acme)?),
        };
        Ok((Tls { acceptor: config.into(), certificates }, task))
    }
}

/// Starts the thread of the certificate. A file system or a name server that does not answer may
/// block it, and the end of the process does not wait for it.
fn spawn(body: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
    let thread = thread::Builder::new().name("certificate".to_owned()).spawn(body);
    thread.map(drop).map_err(Problem::of_process("cannot start a thread"))
}

/// Starts the renewal by ACME. Returns its task.
fn maintain(acme: Acme) -> Result<AbortHandle, Problem> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Problem::of_process("cannot renew the certificate"))?;
    let task = runtime.spawn(acme.maintain());
    let handle = task.abort_handle();
    // Ends with an error once the task is aborted.
    spawn(move || drop(runtime.block_on(task)))?;
    Ok(handle)
}
