//! A certificate in files of the operator, which are read again when they change
//! (HTTP-32, DECISION-48).

use std::fs::{self, Metadata};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use super::certificate::{Certificate, CertificateError, day};
use super::certificates::Certificates;
use crate::diagnostics::report;
use crate::operator_file;

/// Time between two checks of the files. The operator may replace the chain and the key one
/// after the other, so both are read only after they have not changed for this time.
const INTERVAL: Duration = Duration::from_secs(1);

/// The problem after a panic, which the panic hook reports.
const PANIC: &str = "cannot use the new certificate because of a panic; renew it";

/// The files of a chain and its key.
#[derive(Clone, Debug)]
pub struct CertificateFiles {
    /// The chain in PEM.
    pub certificate: PathBuf,
    /// The key in PEM.
    pub key: PathBuf,
}

/// The versions of the chain and of the key, to detect changes. `None` for a file without
/// metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersions([Option<Version>; 2]);

/// Device, inode number, length, and modification time in seconds and nanoseconds.
type Version = (u64, u64, u64, i64, i64);

impl CertificateFiles {
    /// Reads both files, and reports the end of the validity. The error states the
    /// problem and the remedy in one line.
    pub fn read(&self) -> Result<Certificate, String> {
        let read = |path: &Path| {
            operator_file::read(path).map_err(|error| {
                let remedy = operator_file::remedy(path, &error);
                format!("cannot read {}: {error}; {remedy}", path.display())
            })
        };
        let (chain, key) = (read(&self.certificate)?, read(&self.key)?);
        let certificate = Certificate::from_pem(&chain, &key).map_err(|error| {
            let path = if error.is_of_key() { &self.key } else { &self.certificate };
            let path = path.display();
            let remedy = match error {
                CertificateError::EncryptedKey => {
                    format!("remove its password: openssl pkey -in {path} -out NEW_FILE")
                }
                _ => "give a chain in PEM and its private key".to_owned(),
            };
            format!("cannot use {path}: {error}; {remedy}")
        })?;
        let now = SystemTime::now();
        let last_day = certificate.last_day();
        let validity = if now < certificate.not_before {
            let first_day = day(certificate.not_before);
            format!("not valid before {first_day}; replace it, or correct the clock")
        } else if certificate.not_after < now {
            format!("expired on {last_day}; replace it")
        } else {
            format!("valid until {last_day}")
        };
        report(format_args!("certificate loaded: {validity}"));
        Ok(certificate)
    }

    /// Reads the files when they change and at each message of `reload`, and installs
    /// a valid certificate, until the sender is dropped. An invalid one is reported, and the
    /// old certificate stays.
    ///
    /// Needs a thread of its own: a file system that does not answer blocks each thread that
    /// accesses it.
    ///
    /// The files are checked by path, because certbot and Kubernetes replace symbolic
    /// links, and other tools replace the files. `installed` is the result of
    /// [`Self::versions`] before the first read.
    pub fn watch(
        &self,
        mut installed: FileVersions,
        certificates: &Certificates,
        reload: &Receiver<()>,
    ) {
        let mut seen = installed;
        loop {
            let is_requested = match reload.recv_timeout(INTERVAL) {
                Ok(()) => true,
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let version = self.versions();
            let has_settled = version == seen;
            seen = version;
            if !is_requested && (version == installed || !has_settled) {
                continue;
            }
            installed = version;
            read_again(certificates, || self.read());
        }
    }

    /// The current versions. To be called before the files are read, so that no change is
    /// missed.
    pub fn versions(&self) -> FileVersions {
        FileVersions(
            [&self.certificate, &self.key]
                .map(|path| fs::metadata(path).ok().map(|data| of(&data))),
        )
    }
}

/// Installs what `read` returns. An error is reported, and the old certificate stays.
/// A panic must not end the thread that watches the files.
fn read_again(certificates: &Certificates, read: impl FnOnce() -> Result<Certificate, String>) {
    // `read` shares no state that a panic could leave inconsistent.
    match catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(PANIC.to_owned())) {
        Ok(certificate) => certificates.install(Arc::new(certificate)),
        Err(problem) => report(format_args!("{problem}; the old certificate stays in use")),
    }
}

#[cfg(unix)]
fn of(data: &Metadata) -> Version {
    use std::os::unix::fs::MetadataExt;
    (data.dev(), data.ino(), data.size(), data.mtime(), data.mtime_nsec())
}

#[cfg(not(unix))]
fn of(data: &Metadata) -> Version {
    let modified = data.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    (0, 0, data.len(), since.as_secs() as i64, i64::from(since.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_leaves_the_old_certificate_in_use() {
        let certificates = Certificates::default();
        read_again(&certificates, || panic!("by the parser"));
        assert!(certificates.current().is_none());
    }
}
