//! The folder that keeps accounts, keys and certificates:
//!
//! ```text
//! FOLDER/lock                          held by the process that uses the folder
//! FOLDER/AUTHORITY/account.json        the account and its key
//! FOLDER/AUTHORITY/certificate.pem     the key and the certificate chain
//! FOLDER/AUTHORITY/failures.json       tries since the last certificate, and time of the last
//! ```
//!
//! AUTHORITY is the address of the directory. A folder that this module creates has
//! the mode 0700. Files have 0600.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::options::Authority;
use crate::operator_file;

pub(super) const ACCOUNT: &str = "account.json";

/// One file, so that one rename replaces certificate and key: a crash
/// leaves the old or the new pair.
pub(super) const CERTIFICATE: &str = "certificate.pem";

const FAILURES: &str = "failures.json";

/// The folder. No other process uses it.
#[derive(Debug)]
pub(super) struct StateFolder {
    /// The part for the authority.
    authority: PathBuf,
    /// The kernel releases the lock with the process, however it ends.
    _lock: File,
}

impl StateFolder {
    /// Creates and locks the folder. The error states the problem and the remedy in
    /// one line.
    pub(super) fn open(path: &Path, authority: &Authority) -> Result<Self, String> {
        let unusable = |path: &Path, error: &io::Error| {
            let remedy = remedy(error);
            format!("cannot use the state folder: {}: {error}; {remedy}", path.display())
        };
        let folder = path.join(authority.folder_name());
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(|error| unusable(path, &error))?;
        let path = path.join("lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let lock = operator_file::open(&path, &mut options);
        let lock = lock.map_err(|error| unusable(&path, &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { authority: folder, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(format!(
                "cannot use the state folder: another process uses {}; stop it, or choose \
                 another folder with --acme-dir",
                path.display()
            )),
            Err(TryLockError::Error(error)) => Err(unusable(&path, &error)),
        }
    }

    /// The content of the file `name`, if it exists. The error states the problem and the remedy.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.authority.join(name);
        match operator_file::read(&path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => {
                let remedy = remedy(&error);
                Err(format!("cannot read {}: {error}; {remedy}", path.display()))
            }
        }
    }

    /// Replaces the file `name` as a whole: after a crash it has either its old or
    /// its new content. The error states the problem.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<(), String> {
        let path = self.authority.join(name);
        let temporary = self.authority.join(format!("{name}.new"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        operator_file::open(&temporary, &mut options)
            .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// The number of tries since the last certificate, and the time of the last one. Without
    /// a file that can be parsed, there was none. A time in the future is none: the clock was set back.
    pub(super) fn failures(&self) -> Result<(usize, SystemTime), String> {
        let json = self.read(FAILURES)?.unwrap_or_default();
        let (failures, seconds) = serde_json::from_slice(&json).unwrap_or_default();
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        let time = time.filter(|&time| time <= SystemTime::now());
        Ok((failures, time.unwrap_or(UNIX_EPOCH)))
    }

    pub(super) fn write_failures(&self, failures: usize, last: SystemTime) -> Result<(), String> {
        let seconds = last.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.write(FAILURES, format!("[{failures}, {seconds}]").as_bytes())
    }
}

/// The remedy for an error of a file or folder.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::PermissionDenied => {
            "make this user the owner of the folder, or choose another with --acme-dir"
        }
        ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
            "remove it, or choose another folder with --acme-dir"
        }
        _ => "choose another folder with --acme-dir",
    }
}
