//! The folder that keeps accounts, keys and certificates:
//!
//! ```text
//! FOLDER/lock                          held by the process that uses the folder
//! FOLDER/AUTHORITY/account.json        the account and its key
//! FOLDER/AUTHORITY/certificate.pem     names, certificate chain and key
//! FOLDER/AUTHORITY/history.json        orders of the last week
//! ```
//!
//! AUTHORITY is the address of the directory. A folder that this module creates has
//! the mode 0700. An AUTHORITY folder gets it whenever it is opened. Files have 0600.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::authority::folder_name;
use crate::operator_file;

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The folder. No other process uses it.
#[derive(Debug)]
pub(super) struct StateFolder {
    path: PathBuf,
    /// The kernel releases the lock with the process, however it ends.
    _lock: File,
}

impl StateFolder {
    /// Creates and locks the folder. The error states the problem and the remedy in
    /// one line.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let explain = |error: io::Error| {
            format!(
                "cannot use the state folder: {}: {error}; choose a folder that this user can \
                 write to",
                path.display()
            )
        };
        create(path).map_err(explain)?;
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(FILE_MODE)
            // Without this flag, opening a FIFO of this name would block until it has a reader.
            .custom_flags(OFlags::NONBLOCK.bits() as i32)
            .open(path.join("lock"))
            .map_err(explain)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(Errno::WOULDBLOCK) => Err(format!(
                "cannot use the state folder: another process uses {}; stop it, or choose \
                 another folder",
                path.display()
            )),
            Err(error) => Err(explain(error.into())),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The part of the folder for the authority at `directory`.
    pub(super) fn authority(&self, directory: &str) -> io::Result<AuthorityFolder> {
        let path = self.path.join(folder_name(directory));
        create(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(FOLDER_MODE))?;
        Ok(AuthorityFolder(path))
    }
}

fn create(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// The files for one authority.
#[derive(Clone, Debug)]
pub(super) struct AuthorityFolder(PathBuf);

impl AuthorityFolder {
    /// The path of the file `name`, for messages.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The content of the file `name`, if it exists.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match operator_file::read(&self.path(name)) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces the file `name` as a whole: after a crash it has either its old or
    /// its new content.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        // The lock makes this process the only writer, so the name is free once the file
        // that a crash may have left is removed.
        let temporary = self.path(&format!("{name}.new"));
        self.remove(&format!("{name}.new"))?;
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(&temporary)
            .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&temporary, self.path(name)));
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&temporary);
        }
        written?;
        File::open(&self.0)?.sync_all()
    }

    /// Removes the file `name` if it exists.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
