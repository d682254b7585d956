//! Paths of Unix-domain sockets.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The path of a Unix-domain socket that does not exist yet. It is removed on drop. Its folder
/// is not `target/`, whose path can be too long for a socket (unix(7)).
pub struct SocketPath(PathBuf);

impl SocketPath {
    pub fn new(name: &str) -> Self {
        // A process with this id can have left a file of another user behind.
        let time = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
        let name = format!("recipelog-{name}-{}-{}.sock", std::process::id(), time.as_nanos());
        Self(std::env::temp_dir().join(name))
    }
}

impl Deref for SocketPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for SocketPath {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for SocketPath {
    fn drop(&mut self) {
        // Fails if the server has removed it.
        let _ = std::fs::remove_file(&self.0);
    }
}
