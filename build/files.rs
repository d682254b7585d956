//! File operations whose errors name the file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The content of the file at `path`.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| describe(path, &error))
}

/// The content of the file at `path`. Cargo runs the build script again when the file changes.
pub fn read_input(path: &Path) -> Result<Vec<u8>, String> {
    println!("cargo::rerun-if-changed={}", path.display());
    read(path)
}

/// Writes a file. Creates its folder if it is missing.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| describe(path, &error))
}

/// Removes a folder with its content. A missing folder is not an error.
pub fn remove_folder(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(describe(folder, &error)),
        _ => Ok(()),
    }
}

/// The sorted relative paths of all files below `folder`.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let absolute = folder.join(&relative);
        let entries = fs::read_dir(&absolute).map_err(|error| describe(&absolute, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| describe(&absolute, &error))?;
            let path = relative.join(entry.file_name());
            if entry.path().is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

fn describe(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
