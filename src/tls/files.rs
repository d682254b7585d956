//! A certificate in files of the operator, which are read again when they change
//! (HTTP-32, DECISION-48).

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use super::certificate::{Certificate, day};
use super::certificates::Certificates;
use crate::diagnostics::report;
use crate::operator_file;

/// Time between two checks of the files. The operator may replace the chain and the key one
/// after the other, so both are read only after they have not changed for this time.
const INTERVAL: Duration = Duration::from_secs(1);

// HTTP-32 promises 3 s: a change is seen within one interval, and read after a further one.
const _: () = assert!(2 * INTERVAL.as_millis() < 3000);

/// Why the files lead to no certificate, with the remedy, in one line.
#[derive(Debug)]
enum ReadError {
    /// They cannot be read. Reading them later can succeed even if they do not change.
    Unread(String),
    /// They are no valid pair, or one of them is too large or no regular file.
    Invalid(String),
}

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

/// Device, inode number, length, and the times of the last modification and of the last change,
/// which includes a change of the mode (stat(2)), in seconds and nanoseconds.
type Version = (u64, u64, u64, [i64; 2], [i64; 2]);

impl CertificateFiles {
    /// Reads both files, and reports the end of the validity. The error states the
    /// problem and the remedy in one line.
    pub fn read(&self) -> Result<Certificate, String> {
        let line = |(ReadError::Unread(line) | ReadError::Invalid(line))| line;
        self.try_read().map_err(line)
    }

    fn try_read(&self) -> Result<Certificate, ReadError> {
        let read = |path: &Path| {
            operator_file::read(path).map_err(|error| {
                let remedy = operator_file::remedy(path, &error);
                let line = format!("cannot read {}: {error}; {remedy}", path.display());
                match error.kind() {
                    ErrorKind::InvalidInput | ErrorKind::FileTooLarge => ReadError::Invalid(line),
                    _ => ReadError::Unread(line),
                }
            })
        };
        let (chain, key) = (read(&self.certificate)?, read(&self.key)?);
        let certificate = Certificate::from_pem(&chain, &key).map_err(|error| {
            let path = if error.is_of_key() { &self.key } else { &self.certificate };
            let path = path.display();
            ReadError::Invalid(format!("cannot use {path}: {error}; {}", error.remedy()))
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
        installed: FileVersions,
        certificates: &Certificates,
        reload: &Receiver<()>,
    ) {
        let mut watch = Watch::new(installed);
        loop {
            let is_requested = match reload.recv_timeout(INTERVAL) {
                Ok(()) => true,
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if !watch.is_due(self.versions(), is_requested) {
                continue;
            }
            match watch.read(is_requested, || self.try_read()) {
                Ok(certificate) => certificates.install(Arc::new(certificate)),
                Err(Some(problem)) => {
                    report(format_args!("{problem}; the old certificate stays in use"));
                }
                Err(None) => {}
            }
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

/// State between two checks of the files.
struct Watch {
    /// The versions that were read last.
    installed: FileVersions,
    /// The versions at the last check.
    seen: FileVersions,
    /// The reported problem, if the files could not be read.
    unread: Option<String>,
}

impl Watch {
    fn new(installed: FileVersions) -> Self {
        Self { installed, seen: installed, unread: None }
    }

    /// True if the files, which have the versions `current`, are to be read.
    fn is_due(&mut self, current: FileVersions, is_requested: bool) -> bool {
        let has_settled = current == self.seen;
        let is_outdated = current != self.installed || self.unread.is_some();
        self.seen = current;
        is_requested || (has_settled && is_outdated)
    }

    /// Calls `read`. The error is the problem. If the files cannot be read, it is stated once
    /// and when the read was requested.
    fn read(
        &mut self,
        is_requested: bool,
        read: impl FnOnce() -> Result<Certificate, ReadError>,
    ) -> Result<Certificate, Option<String>> {
        self.installed = self.seen;
        let reported = self.unread.take();
        // A panic must not end the thread. `read` shares no state that a panic could leave
        // inconsistent.
        match catch_unwind(AssertUnwindSafe(read)) {
            Ok(Ok(certificate)) => Ok(certificate),
            Ok(Err(ReadError::Unread(problem))) => {
                let is_new = is_requested || reported.as_ref() != Some(&problem);
                self.unread = Some(problem.clone());
                Err(is_new.then_some(problem))
            }
            Ok(Err(ReadError::Invalid(problem))) => Err(Some(problem)),
            Err(_) => Err(Some(PANIC.to_owned())),
        }
    }
}

#[cfg(unix)]
fn of(data: &Metadata) -> Version {
    use std::os::unix::fs::MetadataExt;
    let modified = [data.mtime(), data.mtime_nsec()];
    (data.dev(), data.ino(), data.size(), modified, [data.ctime(), data.ctime_nsec()])
}

#[cfg(not(unix))]
fn of(data: &Metadata) -> Version {
    let modified = data.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    (0, 0, data.len(), [since.as_secs() as i64, i64::from(since.subsec_nanos())], [0; 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(number: u64) -> FileVersions {
        FileVersions([Some((0, number, 0, [0; 2], [0; 2])); 2])
    }

    fn unread() -> Result<Certificate, ReadError> {
        Err(ReadError::Unread("too many open files".to_owned()))
    }

    fn invalid() -> Result<Certificate, ReadError> {
        Err(ReadError::Invalid("no pair".to_owned()))
    }

    #[test]
    fn files_are_read_once_they_have_changed_and_settled() {
        let mut watch = Watch::new(versions(1));
        for (number, is_due) in [(1, false), (2, false), (3, false), (3, true), (3, false)] {
            assert_eq!(watch.is_due(versions(number), false), is_due);
            if is_due {
                assert_eq!(watch.read(false, invalid).err(), Some(Some("no pair".to_owned())));
            }
        }
        assert!(watch.is_due(versions(3), true));
    }

    #[test]
    fn files_that_cannot_be_read_are_reported_once_and_read_again_without_a_change() {
        let mut watch = Watch::new(versions(1));
        assert!(watch.is_due(versions(1), true));
        assert!(watch.read(true, unread).is_err_and(|problem| problem.is_some()));
        for _ in 0..2 {
            assert!(watch.is_due(versions(1), false));
            assert!(watch.read(false, unread).is_err_and(|problem| problem.is_none()));
        }
        assert!(watch.read(true, unread).is_err_and(|problem| problem.is_some()), "on request");
        assert!(watch.read(false, invalid).is_err_and(|problem| problem.is_some()));
        assert!(!watch.is_due(versions(1), false));
    }

    #[test]
    fn a_panic_leaves_the_old_certificate_in_use() {
        let mut watch = Watch::new(versions(1));
        let problem = watch.read(false, || panic!("by the parser")).err();
        assert_eq!(problem, Some(Some(PANIC.to_owned())));
    }
}
