//! Unix-domain sockets and the paths that they are bound to (DECISION-35).

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use socket2::{Domain, SockAddr, Socket, Type};

/// Maximum time to wait for another instance that binds in the same folder.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(10);

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
        // Two instances could both find the same abandoned socket, and the
        // second could remove the new socket of the first.
        let _lock = lock_folder_of(path);
        let socket = match UnixListener::bind(path) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && is_abandoned(path) => {
                fs::remove_file(path)?;
                UnixListener::bind(path)?
            }
            result => result?,
        };
        socket.set_nonblocking(true)?;
        let bound = fs::symlink_metadata(path)?;
        Ok((socket, Self { path: path.to_owned(), device: bound.dev(), inode: bound.ino() }))
    }

    /// The folder of the path; `None` if it does not exist any more.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).canonicalize().ok()
    }

    fn remove(&self) -> io::Result<()> {
        let _lock = lock_folder_of(&self.path);
        let current = fs::symlink_metadata(&self.path)?;
        if (current.dev(), current.ino()) == (self.device, self.inode) {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}

impl fmt::Display for UnixSocket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unix:{}", self.path.display())
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        // The path may have been removed already; then there is nothing to do.
        let _ = self.remove();
    }
}

/// An exclusive lock on the folder of `path`, held until the returned file is closed.
/// It leaves no file behind, even after a crash. `None` if the folder cannot be
/// locked: it may be unreadable, or on a file system without locks.
fn lock_folder_of(path: &Path) -> Option<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new("."))).ok()?;
    let begun = Instant::now();
    loop {
        match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Some(folder),
            Err(error)
                if error.kind() == ErrorKind::WouldBlock && begun.elapsed() < LOCK_TIMEOUT =>
            {
                thread::sleep(LOCK_RETRY_INTERVAL);
            }
            Err(_) => return None,
        }
    }
}

/// True if no process listens on `path`. Does not wait: the queue of a process
/// that has stopped may be full.
fn is_refused(path: &Path) -> io::Result<bool> {
    let probe = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    probe.set_nonblocking(true)?;
    let connected = probe.connect(&SockAddr::unix(path)?);
    Ok(connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused))
}

fn is_abandoned(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    is_socket && is_refused(path).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("recipelog-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn a_path_that_belongs_to_another_socket_is_left_alone() {
        let path = path("successor");
        let (first_socket, first) = UnixSocket::bind(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let (_second_socket, second) = UnixSocket::bind(&path).unwrap();
        drop((first_socket, first));
        assert!(path.exists());
        drop(second);
        assert!(!path.exists());
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

    #[test]
    fn one_of_many_instances_replaces_an_abandoned_socket() {
        let path = path("raced");
        for _ in 0..20 {
            // Dropping a listener of the standard library leaves the path.
            drop(UnixListener::bind(&path).unwrap());
            let bound: Vec<_> = thread::scope(|scope| {
                let instances: Vec<_> =
                    (0..8).map(|_| scope.spawn(|| UnixSocket::bind(&path))).collect();
                instances.into_iter().filter_map(|one| one.join().unwrap().ok()).collect()
            });
            assert_eq!(bound.len(), 1);
        }
        assert!(!path.exists());
    }
}
