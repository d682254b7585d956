//! Unix-domain sockets and the paths that they are bound to.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use socket2::{Domain, SockAddr, Socket, Type};

/// The path of a bound socket. Dropping it removes the path, unless it belongs
/// to another socket by now.
#[derive(Debug)]
pub struct UnixSocket {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl UnixSocket {
    /// Listens on `path`. A socket on which no process listens, left behind by
    /// a process that was killed, is replaced.
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

/// True if `path` is a socket on which no process listens. Does not wait: the queue of a process
/// that has stopped may be full.
fn is_abandoned(path: &Path) -> io::Result<bool> {
    let is_socket = fs::symlink_metadata(path)?.file_type().is_socket();
    let probe = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    probe.set_nonblocking(true)?;
    let connected = probe.connect(&SockAddr::unix(path)?);
    Ok(is_socket && connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("recipelog-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    /// connect(2) is refused for any file on which no process listens.
    #[test]
    fn a_file_that_is_not_a_socket_is_left_alone() {
        let path = path("file");
        fs::write(&path, "content").unwrap();
        let error = UnixSocket::bind(&path).unwrap_err();
        let content = fs::read_to_string(&path);
        let _ = fs::remove_file(path);
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        assert_eq!(content.unwrap(), "content");
    }

    #[test]
    fn a_unix_socket_whose_queue_is_full_is_reported_as_in_use_without_a_wait() {
        let path = path("full");
        // A listener with a short queue, which no process accepts from.
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None).unwrap();
        let address = SockAddr::unix(&path).unwrap();
        socket.bind(&address).unwrap();
        socket.listen(1).unwrap();
        let mut waiting = Vec::new();
        loop {
            let client = Socket::new(Domain::UNIX, Type::STREAM, None).unwrap();
            client.set_nonblocking(true).unwrap();
            if client.connect(&address).is_err() {
                break;
            }
            waiting.push(client);
        }
        let error = UnixSocket::bind(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
        fs::remove_file(path).unwrap();
    }
}
