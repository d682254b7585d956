//! `recipelog-site export DIR`: the site as plain files, for a CDN or another
//! server, with the fields that this server would send in the format that
//! Netlify and Cloudflare Pages read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use http::header::{CACHE_CONTROL, HeaderMap, VARY};

use super::documents::print;
use crate::cli::Cli;
use crate::site::{Coding, HEALTH_PATH, Resource, Site};

/// Of the folder that is written before anything is moved into place.
const STAGING_PREFIX: &str = ".partial-";

/// A CDN negotiates by itself and says so by itself.
const MADE_BY_CDN: [http::HeaderName; 1] = [VARY];

/// Writes the site into `folder`, which has to be empty unless `force` is
/// given; files of other names are left alone then. All of it is written
/// apart first and moved into place at the end, pages after what
/// they load: an export that fails leaves nothing behind.
#[inline(never)]
pub fn export(cli: &Cli, folder: &Path, force: bool) -> Result<ExitCode, String> {
    let failed = |error: io::Error| format!("cannot write {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    remove_abandoned(folder).map_err(failed)?;
    let is_empty = fs::read_dir(folder).map_err(failed)?.next().is_none();
    if !is_empty && !force {
        let folder = folder.display();
        return Err(format!("{folder} is not empty; name another folder, or add --force"));
    }
    let files = files(&Site::embedded(&cli.settings()));
    // Looked at before anything is moved.
    if let Some(name) = files.keys().find(|name| folder.join(name).is_dir()) {
        return Err(format!(
            "{} is a folder; the site has a file there",
            folder.join(name).display()
        ));
    }
    // Inside, so that moving never crosses into another file system.
    let staging = folder.join(format!("{STAGING_PREFIX}{}", std::process::id()));
    let written = write_all(&staging, &files)
        .and_then(|()| move_all(&staging, folder, &files))
        .and_then(|()| remove_outdated(folder, &files));
    // What was not moved is not wanted; the first error is the one to report.
    let _ = fs::remove_dir_all(&staging);
    written.map_err(failed)?;
    let bytes: usize = files.values().map(Vec::len).sum();
    let (count, kilobytes) = (files.len(), bytes.div_ceil(1000));
    print(format!("Wrote {count} files, {kilobytes} kB, to {}\n", folder.display()).as_bytes())
}

/// What an export left that was ended in the middle.
fn remove_abandoned(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Ours end in the process's number: nobody else's folder goes with them.
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(STAGING_PREFIX));
        let is_ours = number.is_some_and(|number| number.parse::<u32>().is_ok());
        if is_ours && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// What an earlier export wrote and this one did not: a server would go on
/// sending it.
fn remove_outdated(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    let suffixes = [Coding::Identity, Coding::Brotli, Coding::Gzip];
    for name in files.keys().cloned().chain(Site::names_of_templates()) {
        for suffix in suffixes.map(|coding| coding.file_suffix().unwrap_or_default()) {
            let name = format!("{name}{suffix}");
            let path = folder.join(&name);
            // A folder of that name is not an export's.
            if !files.contains_key(&name) && path.is_file() {
                fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}

fn write_all(staging: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for (name, content) in files {
        let path = staging.join(name);
        fs::create_dir_all(path.parent().unwrap_or(staging))?;
        let mut file = fs::File::create(path)?;
        file.write_all(content)?;
        file.sync_all()?;
    }
    Ok(())
}

fn move_all(staging: &Path, folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    let is_page = |name: &&String| name.contains(".html");
    for name in files.keys().filter(|name| !is_page(name)).chain(files.keys().filter(is_page)) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::rename(staging.join(name), path)?;
    }
    Ok(())
}

/// Every file by its name: the representations, their variants, and the two
/// files that configure a CDN.
fn files(site: &Site) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let resources = site.iter().filter(|(path, _)| *path != HEALTH_PATH);
    for (name, resource) in resources
        .map(|(path, resource)| (file_name(path, resource), resource))
        .chain(site.not_found().map(|resource| ("404.html".to_owned(), resource)))
    {
        for variant in resource.variants() {
            let suffix = variant.coding.file_suffix().unwrap_or_default();
            files.insert(format!("{name}{suffix}"), variant.body.to_vec());
        }
    }
    files.insert("_headers".to_owned(), headers_file(site).into_bytes());
    files.insert("_redirects".to_owned(), redirects_file(site).into_bytes());
    files
}

/// The file that a server without routes of its own finds for `path`.
fn file_name(path: &str, resource: &Resource) -> String {
    let name = path.trim_start_matches('/');
    match (name, resource.is_document()) {
        ("", _) => "index.html".to_owned(),
        (name, true) => format!("{name}.html"),
        (name, false) => name.to_owned(),
    }
}

/// Rules by path. What every answer of the site carries stands once, under
/// `/*`; so does what protects documents, because an unknown path is answered
/// with the 404 page and no rule can name it. Both services join what two rules
/// give to one field: only policies may meet so, of which browsers apply each
/// (Content Security Policy Level 3 §4.2).
fn headers_file(site: &Site) -> String {
    let everywhere = site.not_found().map_or_else(|| site.bare_headers(), |page| &*page.headers);
    let mut text = "# What recipelog-site itself would send.\n/*\n".to_owned();
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

fn push_fields(text: &mut String, headers: &HeaderMap, wanted: impl Fn(&http::HeaderName) -> bool) {
    for (name, value) in headers {
        if wanted(name) && !MADE_BY_CDN.contains(name) {
            let value = value.to_str().unwrap_or_default();
            text.push_str(&format!("  {name}: {value}\n"));
        }
    }
}

/// Pages by their file's name. Both services send a trailing slash to the page
/// by themselves, and a rule for it would loop on one of them; 301 is the
/// permanent redirect that both know.
fn redirects_file(site: &Site) -> String {
    let mut pages: Vec<_> = site.iter().filter(|(_, resource)| resource.is_document()).collect();
    pages.sort_unstable_by_key(|(path, _)| *path);
    let lines = pages
        .into_iter()
        .map(|(path, resource)| format!("/{} {path} 301\n", file_name(path, resource)));
    lines.collect()
}
