//! `recipelog-site export DIR`: the site as plain files for a CDN or another
//! server (DECISION-37). `_headers` and `_redirects` give the header fields and
//! redirects of this server in the format of Netlify and Cloudflare Pages.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use http::header::{CACHE_CONTROL, HeaderMap, VARY};

use crate::cli::{Cli, print};
use crate::site::{Coding, HEALTH_PATH, NOT_FOUND_FILE, Resource, Site};

/// Prefix of the staging folder. The process id follows.
const STAGING_PREFIX: &str = ".partial-";

/// Fields that a CDN adds itself, because it does content negotiation itself.
const ADDED_BY_CDN: [http::HeaderName; 1] = [VARY];

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
    let files = files(&Site::embedded(&cli.settings()));
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

/// All files by name: every variant of every resource, and the two files that
/// configure a CDN.
fn files(site: &Site) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let resources = site.iter().filter(|(path, _)| *path != HEALTH_PATH);
    for (name, resource) in resources
        .map(|(path, resource)| (file_name(path, resource), resource))
        .chain(site.not_found().map(|resource| (NOT_FOUND_FILE.to_owned(), resource)))
    {
        for variant in resource.variants() {
            files.insert(variant.coding.file_name(&name), variant.body.bytes().to_vec());
        }
    }
    files.insert("_headers".to_owned(), headers_file(site).into_bytes());
    files.insert("_redirects".to_owned(), redirects_file(site).into_bytes());
    files
}

/// The name under which a server without routes finds the file for `path`.
fn file_name(path: &str, resource: &Resource) -> String {
    let name = path.trim_start_matches('/');
    match (name, resource.is_document()) {
        ("", _) => "index.html".to_owned(),
        (name, true) => format!("{name}.html"),
        (name, false) => name.to_owned(),
    }
}

/// The `_headers` file: rules by path. The rule for `/*` contains the fields of
/// every response and those of documents, because the 404 page is sent for unknown
/// paths, which no other rule can name. If two rules set one field, both services
/// combine the values. This is correct only for policies, of which browsers apply
/// each one (Content Security Policy Level 3 §4.2).
fn headers_file(site: &Site) -> String {
    let everywhere = site.not_found().map_or_else(|| site.bare_headers(), |page| &*page.headers);
    let mut text = "# The header fields that recipelog-site sends.\n/*\n".to_owned();
    push_fields(&mut text, everywhere, |name| name != CACHE_CONTROL);
    let mut resources: Vec<_> = site.iter().filter(|(path, _)| *path != HEALTH_PATH).collect();
    resources.sort_unstable_by_key(|(path, _)| *path);
    for (path, resource) in resources {
        text.push_str(path);
        text.push('\n');
        push_fields(&mut text, &resource.headers, |name| {
            everywhere.get(name) != resource.headers.get(name)
        });
    }
    text
}

fn push_fields(
    text: &mut String,
    headers: &HeaderMap,
    is_selected: impl Fn(&http::HeaderName) -> bool,
) {
    for (name, value) in headers {
        if is_selected(name) && !ADDED_BY_CDN.contains(name) {
            let value = value.to_str().unwrap_or_default();
            text.push_str(&format!("  {name}: {value}\n"));
        }
    }
}

/// The `_redirects` file: from the file name of a page to its canonical path.
/// Both services redirect a trailing slash themselves; on one of them, a rule for
/// it would cause a redirect loop. 301 is the permanent redirect that both support.
fn redirects_file(site: &Site) -> String {
    let mut pages: Vec<_> = site.iter().filter(|(_, resource)| resource.is_document()).collect();
    pages.sort_unstable_by_key(|(path, _)| *path);
    let lines = pages
        .into_iter()
        .map(|(path, resource)| format!("/{} {path} 301\n", file_name(path, resource)));
    lines.collect()
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
}
