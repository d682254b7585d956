//! A hash over all inputs of the site. While it stays the same, the site in
//! `OUT_DIR` is kept.

use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

use crate::files;

/// The file in `OUT_DIR` with the fingerprint of the site that is there.
const FILE: &str = "site.fingerprint";

/// A hash over all inputs of the site.
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Starts with the executable of the build script, which contains all of its
    /// source files and the compressors.
    pub fn of_build_script() -> Result<Self, String> {
        let executable = env::current_exe()
            .map_err(|error| format!("cannot find the executable of the build script: {error}"))?;
        let mut fingerprint = Self(Sha256::new());
        fingerprint.add_content(&files::read(&executable)?);
        Ok(fingerprint)
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        self.add_content(text.as_bytes());
    }

    /// Adds the content of a file.
    pub fn add_file(&mut self, path: &str) -> Result<(), String> {
        self.add_content(&files::read(Path::new(path))?);
        Ok(())
    }

    /// Adds the names and contents of all files below `folder`, except for those
    /// in the subfolders `excluded`.
    pub fn add_folder(&mut self, folder: &Path, excluded: &[&str]) -> Result<(), String> {
        for path in files::below(folder, excluded)? {
            self.add(&path.to_string_lossy());
            self.add_content(&files::read(&folder.join(path))?);
        }
        Ok(())
    }

    /// True if the site in `out` was built from the same inputs.
    pub fn is_current(&self, out: &Path) -> bool {
        fs::read_to_string(path(out)).is_ok_and(|saved| saved == self.hexadecimal())
    }

    /// Records that the site in `out` is of no use until `save`: a build can be interrupted.
    pub fn clear(out: &Path) -> Result<(), String> {
        files::write(&path(out), b"")
    }

    /// Records that the site in `out` was built from these inputs.
    pub fn save(&self, out: &Path) -> Result<(), String> {
        files::write(&path(out), self.hexadecimal().as_bytes())
    }

    /// Adds the digest of `content`. Its length is fixed, so that different
    /// sequences of inputs cannot add the same bytes.
    fn add_content(&mut self, content: &[u8]) {
        self.0.update(Sha256::digest(content));
    }

    fn hexadecimal(&self) -> String {
        self.0.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn path(out: &Path) -> PathBuf {
    out.join(FILE)
}
