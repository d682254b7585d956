//! Unix-domain sockets and the paths that they are bound to.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The path of a bound socket. Dropping it removes the path, unless it belongs to another socket by
/// now.
#[derive(Debug)]
pub struct UnixSocket {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl UnixSocket {
    /// Listens on `path`. A socket on which no process listens, left behind by a process that was
    /// killed, is replaced.
    pub(super) fn bind(path: &Path) -> io::Result<(UnixListener, Self)> {
        let socket = match UnixListener::bind(path) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && is_abandoned(path)? => {
                fs::remove_file(path)?;
                UnixListener::bind(path)?
            }
            result => result?,
        };
        let bound = fs::symlink_metadata(path)?;
        Ok((socket, Self { path: path.to_owned(), device: bound.dev(), inode: bound.ino() }))
    }

    /// The folder of the path; `None` if it does not exist any more.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).canonicalize().ok()
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        let is_own = |file: fs::Metadata| (file.dev(), file.ino()) == (self.device, self.inode);
        if fs::symlink_metadata(&self.path).is_ok_and(is_own) {
            // The path may have been removed meanwhile; then there is nothing to do.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// True if `path` is a socket on which no process listens.
fn is_abandoned(path: &Path) -> io::Result<bool> {
    let is_socket = fs::symlink_metadata(path)?.file_type().is_socket();
    let is_refused = |error: io::Error| error.kind() == ErrorKind::ConnectionRefused;
    Ok(is_socket && UnixStream::connect(path).is_err_and(is_refused))
}
