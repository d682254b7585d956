//! File operations for which the standard library needs several calls. Their errors contain the path.

use std::io;
use std::path::Path;

/// The content of the file at `path`. Cargo runs the build script again when the file changes.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", path.display());
    fs_err::read(path)
}

/// Writes a file. Creates its folder if it is missing.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs_err::write(path, content)
}

/// Creates an empty folder. Removes an older one with its content.
pub fn empty_folder(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs_err::remove_dir_all(folder)?;
    }
    fs_err::create_dir_all(folder)
}
