//! Files, sockets and terminals that tests make.

use std::fs::{self};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
use tempfile::{TempDir, tempdir};

/// Writes an executable script of the shell. A child process writes it: if this process did, a child
/// that another thread starts meanwhile would have the file open for writing too, and the kernel
/// executes no such file (ETXTBSY of execve(2)).
pub fn write_script(folder: &TempDir, name: &str, script: &str) {
    let mut command = Command::new("sh");
    command.args(["-c", r#"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh"]);
    let status = command.arg(folder.path().join(name)).arg(script).status();
    assert!(status.expect("a shell").success(), "{name}");
}

/// Creates a FIFO without a writer: reading it never ends.
pub fn make_fifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(status.success(), "mkfifo {}: {status}", path.display());
}

/// Creates a file of more than 1 MiB.
pub fn make_large(path: &Path) {
    fs::File::create(path).unwrap().set_len((1 << 20) + 1).unwrap();
}

/// A new terminal: the end that reads what programs write to it, and their end.
pub fn terminal() -> (OwnedFd, OwnedFd) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let reader = openpt(flags).expect("a terminal");
    unlockpt(&reader).expect("a terminal");
    let name = ptsname(&reader, Vec::new()).expect("a terminal");
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    (reader, open(name, flags, Mode::empty()).expect("a terminal"))
}

/// The path of a Unix-domain socket that does not exist yet, with its folder, which is removed on drop,
/// and its option. A path in `target/` can be too long for a socket (unix(7)).
pub fn socket_path() -> (TempDir, PathBuf, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("socket");
    let listen = format!("unix:{}", path.display());
    (folder, path, listen)
}
