//! `recipelog-site export DIR`: the site as plain files for a CDN or another
//! server (DECISION-37).

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::exported_files;
use crate::cli::{Cli, print};
use crate::site::{Coding, Site};

/// Prefix of the staging folder. The process id follows.
const STAGING_PREFIX: &str = ".partial-";

/// Writes the site to `folder`. Without `force`, a folder that is not empty is an
/// error; with it, files with other names are kept. All files are written to a
/// staging folder first and moved at the end, pages after the files that they
/// load: an export that fails while writing leaves no file behind.
#[inline(never)]
pub fn export(cli: &Cli, folder: &Path, force: bool) -> Result<ExitCode, String> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let _lock = lock(folder)?;
    let abandoned = abandoned(folder).map_err(at(folder))?;
    let is_empty = fs::read_dir(folder).map_err(at(folder))?.count() == abandoned.len();
    if !is_empty && !force {
        let folder = folder.display();
        return Err(format!("{folder} is not empty; choose another folder or add --force"));
    }
    let files = exported_files::of_site(&Site::embedded(&cli.settings()));
    check_names(folder, &files)?;
    for path in abandoned {
        fs::remove_dir_all(&path).map_err(at(&path))?;
    }
    // Inside the output folder, so that both are on one file system and a file can
    // be moved by renaming it.
    let staging = folder.join(format!("{STAGING_PREFIX}{}", std::process::id()));
    let written = write_all(&staging, &files)
        .and_then(|()| move_all(&staging, folder, &files))
        .and_then(|()| remove_outdated(folder, &files));
    // If writing failed, its error is reported and not this one.
    let _ = fs::remove_dir_all(&staging);
    written?;
    let bytes: usize = files.values().map(Vec::len).sum();
    let (count, kilobytes) = (files.len(), bytes.div_ceil(1000));
    print(format!("Wrote {count} files, {kilobytes} kB, to {}\n", folder.display()).as_bytes())
}

/// The message for an error at `path`.
fn at(path: &Path) -> impl Fn(io::Error) -> String {
    move |error| {
        let remedy = match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                "it is not a folder; choose another name"
            }
            ErrorKind::StorageFull => "free some space, or choose a folder on another disk",
            ErrorKind::ResourceBusy | ErrorKind::CrossesDevices => {
                "it is a mount point; unmount it, or choose another folder"
            }
            _ => "choose a folder that this user may write to",
        };
        format!("cannot write to {}: {error}; {remedy}", path.display())
    }
}

/// A lock on `folder`, held until the returned file is closed. An error if another export
/// has it: each would remove the other's files.
#[cfg(unix)]
fn lock(folder: &Path) -> Result<fs::File, String> {
    use rustix::fs::{FlockOperation, flock};
    let file = fs::File::open(folder).map_err(at(folder))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(format!(
            "another export writes to {}; wait until it has ended, or choose another folder",
            folder.display()
        )),
        // A file system may not support locks.
        _ => Ok(file),
    }
}

/// There are no such locks on this platform.
#[cfg(not(unix))]
fn lock(_: &Path) -> Result<(), String> {
    Ok(())
}

/// Checks before the first file is moved that no name in `folder` is in the way.
fn check_names(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for name in files.keys() {
        let path = folder.join(name);
        if path.is_dir() {
            return Err(format!(
                "{} is a folder, but the site has a file of this name; remove the folder or \
                 choose another output folder",
                path.display()
            ));
        }
        let parents = path.ancestors().skip(1).take_while(|parent| *parent != folder);
        for parent in parents {
            if parent.symlink_metadata().is_ok() && !parent.is_dir() {
                return Err(format!(
                    "{} is not a folder; remove it or choose another output folder",
                    parent.display()
                ));
            }
        }
    }
    Ok(())
}

/// The staging folders in `folder` of exports that were killed.
fn abandoned(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut abandoned = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A folder with another suffix than a process id is not a staging folder.
        let name = entry.file_name();
        let suffix = name.to_str().and_then(|name| name.strip_prefix(STAGING_PREFIX));
        let is_staging = suffix.is_some_and(|suffix| suffix.parse::<u32>().is_ok());
        if is_staging && entry.file_type()?.is_dir() {
            abandoned.push(entry.path());
        }
    }
    Ok(abandoned)
}

/// Removes files of an earlier export that this one does not contain. Otherwise
/// the server would continue to send them.
fn remove_outdated(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let suffixes = [Coding::Identity, Coding::Brotli, Coding::Gzip];
    for name in files.keys().cloned().chain(Site::names_of_templates()) {
        for suffix in suffixes.map(|coding| coding.file_suffix().unwrap_or_default()) {
            let name = format!("{name}{suffix}");
            let path = folder.join(&name);
            // A folder of this name is not from an export.
            if !files.contains_key(&name) && path.is_file() {
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
    }
    Ok(())
}

fn write_all(staging: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for (name, content) in files {
        let path = staging.join(name);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(staging))?;
            let mut file = fs::File::create(&path)?;
            file.write_all(content)?;
            file.sync_all()
        };
        write().map_err(at(&path))?;
    }
    Ok(())
}

fn move_all(
    staging: &Path,
    folder: &Path,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    let is_page = |name: &&String| name.contains(".html");
    for name in files.keys().filter(|name| !is_page(name)).chain(files.keys().filter(is_page)) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))
            .and_then(|()| fs::rename(staging.join(name), &path))
            .map_err(at(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_while_moving_names_the_file() {
        let folder = std::env::temp_dir();
        let files = BTreeMap::from([("a.txt".to_owned(), Vec::new())]);
        let error = move_all(&folder.join("does-not-exist"), &folder, &files).unwrap_err();
        let path = folder.join("a.txt").display().to_string();
        assert!(error.starts_with(&format!("cannot write to {path}: ")), "{error}");
    }

    #[test]
    fn pages_are_moved_after_the_files_that_they_load() {
        let folder = std::env::temp_dir().join(format!("export-order-{}", std::process::id()));
        let staging = folder.join("staging");
        fs::create_dir_all(&staging).unwrap();
        fs::write(staging.join("index.html"), "").unwrap();
        // The script cannot be moved, because it does not exist.
        let names = ["index.html", "index.html.gz", "main.js"];
        let files = names.map(|name| (name.to_owned(), Vec::new())).into();
        let error = move_all(&staging, &folder, &files).unwrap_err();
        let is_moved = folder.join("index.html").exists();
        fs::remove_dir_all(&folder).unwrap();
        assert!(error.contains("main.js"), "{error}");
        assert!(!is_moved);
    }
}
