//! The folder that keeps accounts, keys and certificates:
//!
//! ```text
//! FOLDER/lock                                held by the process that uses the folder
//! FOLDER/AUTHORITY/account.json              the account and its key
//! FOLDER/AUTHORITY/DOMAIN/certificate.pem    the key and the certificate chain
//! FOLDER/AUTHORITY/DOMAIN/failures.json      attempts since the last certificate; time and reason of the last
//! ```
//!
//! AUTHORITY is the address of the directory. A folder that this module creates has
//! the mode 0700, and a file 0600.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::operator_file;
use crate::problem::Problem;

pub(super) const ACCOUNT: &str = "account.json";

/// The folder. No other process uses it.
#[derive(Debug)]
pub(super) struct StateFolder {
    /// The part for the authority.
    authority: PathBuf,
    /// The kernel releases the lock with the process, however it ends.
    _lock: File,
}

impl StateFolder {
    /// Creates and locks the folder, with a part for `authority`.
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

    /// The path of a file for the authority.
    pub(super) fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.authority.join(name)
    }

    /// The content of the file `name`, if it exists. The error states the problem and the remedy.
    pub(super) fn read(&self, name: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.file(name);
        match operator_file::read(&path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(problem("cannot read", &path, error)),
        }
    }

    /// Replaces the file `name` as a whole: after a crash it has either its old or its new content.
    /// The error states the problem.
    pub(super) fn write(&self, name: impl AsRef<Path>, content: &[u8]) -> Result<(), Problem> {
        let path = self.file(name);
        replace(&path, content).map_err(|error| problem("cannot write", &path, error))
    }
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_folder(folder)?;
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    // A file that a crash left behind, or that somebody else made, may have another mode.
    let _ = fs::remove_file(&temporary);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    // Synchronises the names of the file and of its folder, where the file system can do that.
    let _ = folder.ancestors().take(2).try_for_each(|folder| File::open(folder)?.sync_all());
    Ok(())
}

fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn problem(what: &str, path: &Path, error: io::Error) -> Problem {
    Problem::of(format!("{what} {}", path.display()), error, |error| match error.kind() {
        ErrorKind::PermissionDenied => {
            "make this user the owner of the folder, or choose another with --acme-dir"
        }
        ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
            "remove it, or choose another folder with --acme-dir"
        }
        _ => "choose another folder with --acme-dir",
    })
}
