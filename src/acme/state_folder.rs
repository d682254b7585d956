//! The folder that keeps accounts, keys and certificates:
//!
//! ```text
//! FOLDER/lock                                held by the process that uses the folder
//! FOLDER/AUTHORITY/account.json              the account and its key
//! FOLDER/AUTHORITY/DOMAIN/certificate.pem    the key and the certificate chain
//! FOLDER/AUTHORITY/DOMAIN/failures.json      tries since the last certificate; time and reason of the last
//! FOLDER/AUTHORITY/certificate.pem           of earlier versions, for all domains
//! ```
//!
//! AUTHORITY is the address of the directory. A folder that this module creates has
//! the mode 0700. Files have 0600.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::operator_file;
use crate::problem::{Problem, Subject};

pub(super) const ACCOUNT: &str = "account.json";

/// One file, so that one rename replaces certificate and key: a crash
/// leaves the old or the new pair.
pub(super) const CERTIFICATE: &str = "certificate.pem";

const FAILURES: &str = "failures.json";

/// The tries since the last certificate of a domain.
#[derive(Default)]
pub(super) struct Failures {
    pub(super) count: usize,
    /// Time of the last try, in seconds since 1970.
    pub(super) last: u64,
    /// The reason of the last failure.
    pub(super) reason: String,
}

/// The folder. No other process uses it.
#[derive(Debug)]
pub(super) struct StateFolder {
    /// The part for the authority.
    authority: PathBuf,
    /// The kernel releases the lock with the process, however it ends.
    _lock: File,
}

impl StateFolder {
    /// Creates and locks the folder, with a part for `authority`. The error states the problem and the remedy in
    /// one line.
    pub(super) fn open(path: &Path, authority: &str) -> Result<Self, Problem> {
        let unusable = |path: &Path, error| problem("cannot use the state folder:", path, error);
        let folder = path.join(authority);
        create_folder(&folder).map_err(|error| unusable(path, error))?;
        let path = path.join("lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let lock = operator_file::open(&path, &mut options);
        let lock = lock.map_err(|error| unusable(&path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { authority: folder, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Problem::new(
                format!("cannot use the state folder: another process uses {}", path.display()),
                "stop it, or choose another folder with --acme-dir",
            )),
            Err(TryLockError::Error(error)) => Err(unusable(&path, error)),
        }
    }

    /// The folder, with the parts for all authorities.
    pub(super) fn path(&self) -> &Path {
        self.authority.parent().unwrap_or(&self.authority)
    }

    /// The key and the chain for `domain`, or those of an earlier version for all domains.
    pub(super) fn certificate(&self, domain: &str) -> Result<Option<Vec<u8>>, Problem> {
        let own = self.read(file(domain, CERTIFICATE))?;
        own.map_or_else(|| self.read(CERTIFICATE), |pem| Ok(Some(pem)))
    }

    /// The tries for `domain`. Without a file that can be parsed, there was none.
    pub(super) fn failures(&self, domain: &str) -> Result<Failures, Problem> {
        let json = self.read(file(domain, FAILURES))?.unwrap_or_default();
        let (count, last, reason) = serde_json::from_slice(&json).unwrap_or_default();
        Ok(Failures { count, last, reason })
    }

    pub(super) fn write_failures(
        &self,
        domain: &str,
        Failures { count, last, reason }: &Failures,
    ) -> Result<(), Problem> {
        let json = json!([count, last, reason]).to_string();
        self.write(file(domain, FAILURES), json.as_bytes())
    }

    /// The content of the file `name`, if it exists. The error states the problem and the remedy.
    pub(super) fn read(&self, name: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.authority.join(name);
        match operator_file::read(&path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(problem("cannot read", &path, error)),
        }
    }

    /// Replaces the file `name` as a whole: after a crash it has either its old or
    /// its new content. The error states the problem.
    pub(super) fn write(&self, name: impl AsRef<Path>, content: &[u8]) -> Result<(), Problem> {
        let path = self.authority.join(name);
        let mut temporary = path.clone().into_os_string();
        temporary.push(".new");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let folder = path.parent().unwrap_or(&self.authority);
        create_folder(folder)
            .and_then(|()| operator_file::open(Path::new(&temporary), &mut options))
            .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(|error| problem("cannot write", &path, error))
    }
}

/// The name of a file of `domain`.
pub(super) fn file(domain: &str, name: &str) -> PathBuf {
    Path::new(domain).join(name)
}

fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn problem(what: &str, path: &Path, error: io::Error) -> Problem {
    Problem::of(format!("{what} {}", path.display()), Subject::State, error)
}
