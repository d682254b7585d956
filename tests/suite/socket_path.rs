//! Paths of Unix-domain sockets.

use std::io::{Read, Write};
use std::ops::Deref;
use std::os::unix::net::UnixStream;
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

    /// The bytes that a server sends in response to `request` until it closes the connection.
    pub fn exchange(&self, request: &str) -> Vec<u8> {
        let mut stream = UnixStream::connect(self).expect("a connection");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("the server closes");
        response
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
