//! Temporary folders.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder that is removed with its content on drop.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        fs::create_dir_all(parent).expect("a folder in target/");
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Self(path),
                // A process that had this id was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes an executable script of the shell. A child process writes it: if this process
    /// did, a child that another thread starts meanwhile would have the file open for
    /// writing too, and the kernel executes no such file (ETXTBSY of execve(2)).
    pub fn write_script(&self, name: &str, script: &str) {
        let mut command = Command::new("sh");
        command.args(["-c", r#"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh"]);
        let status = command.arg(self.0.join(name)).arg(script).status();
        assert!(status.expect("a shell").success(), "{name}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If the removal fails, the folder stays in `target/` until `cargo clean`.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All files and folders below `folder`.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let children = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = children.flat_map(|path| {
        let below = if path.is_dir() { entries(&path) } else { Vec::new() };
        [vec![path], below].concat()
    });
    all.collect()
}
