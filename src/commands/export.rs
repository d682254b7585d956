//! `recipelog-site export DIR`: the site as plain files for a CDN or another server. `_headers` and
//! `_redirects` give the header fields and redirects of this server in the format of Netlify and
//! Cloudflare Pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, VARY};

use super::texts::print;
use crate::output::report;
use crate::problem::Problem;
use crate::site::{CROSS_ORIGIN_RESOURCE_POLICY, REDIRECTS_FILE, Resource, Settings, Site};

/// Writes the site under `settings` to `folder`, which is created if it is missing. A folder that is not empty is an
/// error.
#[inline(never)]
pub fn export(settings: &Settings, folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    if fs::read_dir(folder).map_err(at(folder))?.next().is_some() {
        let what = format!("{} is not empty", folder.display());
        return Err(Problem::new(what, "choose a new or empty folder"));
    }
    let files = files(&Site::embedded(settings));
    write(&files, folder)?;
    report(settings.contact_report());
    let bytes: usize = files.values().map(Bytes::len).sum();
    let (count, kilobytes) = (files.len(), bytes.div_ceil(1000));
    print(format!("Wrote {count} files, {kilobytes} kB, to {}\n", folder.display()).as_bytes())
}

/// Writes `files` to `folder`, with the date of the source: `rsync` and `aws s3 sync` compare sizes and dates. Each folder
/// and file is a new one: another user may have created a link since the folder was checked.
fn write(files: &BTreeMap<String, Bytes>, folder: &Path) -> Result<(), Problem> {
    let folders = files.keys().flat_map(|name| Path::new(name).ancestors().skip(1));
    // The first one is empty: `folder` itself.
    for name in folders.collect::<BTreeSet<_>>().into_iter().skip(1) {
        let path = folder.join(name);
        fs::create_dir(&path).map_err(at(&path))?;
    }
    let seconds = env!("RECIPELOG_EPOCH").parse().expect("the build script writes a number");
    let date = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    for (name, content) in files {
        let path = folder.join(name);
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(content)?;
            file.set_modified(date)
        });
        written.map_err(at(&path))?;
    }
    Ok(())
}

/// The problem for an error at `path`.
fn at(path: &Path) -> impl Fn(io::Error) -> Problem {
    move |error| {
        Problem::of(format!("cannot write to {}", path.display()), error, |error| {
            match error.kind() {
                // /proc accepts no new folder.
                PermissionDenied | ReadOnlyFilesystem | NotFound => {
                    "choose a folder that this user may write to"
                }
                _ => "choose a new or empty folder",
            }
        })
    }
}

/// All files by name: every variant of every resource, and the two files that configure a CDN.
fn files(site: &Site) -> BTreeMap<String, Bytes> {
    let mut files = BTreeMap::new();
    let not_found = site.not_found.as_ref();
    for resource in site.iter().map(|(_, resource)| resource).chain(not_found) {
        for variant in resource.variants() {
            files.insert(variant.coding.file_name(&resource.file), variant.body.bytes());
        }
    }
    // By default, most servers send `privacy/index.html` for `/privacy`, and none `privacy.html`.
    let is_page = |(path, page): &(&str, &Resource)| page.file == format!("{}.html", &path[1..]);
    for (path, page) in site.iter().filter(is_page) {
        for variant in page.variants() {
            let name = variant.coding.file_name(&format!("{}/index.html", &path[1..]));
            files.insert(name, variant.body.bytes());
        }
    }
    files.insert("_headers".to_owned(), headers_file(site).into());
    files.insert(REDIRECTS_FILE.to_owned(), site.redirects.clone());
    files
}

/// The `_headers` file: rules by path. The rule for `/*` contains the fields of every response and
/// the fields of documents, because the 404 page is sent for unknown paths, which no other rule can
/// match. If two rules set one field, both services combine the values. This is correct only for
/// policies, of which browsers apply each one (Content Security Policy Level 3 §4.2), so the
/// resource policy is in the rules of files.
fn headers_file(site: &Site) -> String {
    let everywhere = site.not_found.as_ref().map_or(&site.bare_headers, |page| &page.headers);
    let mut text = "# The header fields that recipelog-site sends.\n/*\n".to_owned();
    let differs = |name: &HeaderName| name == CACHE_CONTROL || name == CROSS_ORIGIN_RESOURCE_POLICY;
    push_fields(&mut text, everywhere, |name| !differs(name));
    for (path, resource) in BTreeMap::from_iter(site.iter()) {
        text.push_str(path);
        text.push('\n');
        push_fields(&mut text, &resource.headers, |name| {
            differs(name) || everywhere.get(name) != resource.headers.get(name)
        });
        // Other servers know types by the extension.
        if Path::new(&resource.file).extension().is_none() {
            push_fields(&mut text, &resource.identity.headers, |name| name == CONTENT_TYPE);
        }
    }
    text
}

/// Adds the selected fields. A CDN adds Vary itself, because it does content negotiation itself.
fn push_fields(text: &mut String, headers: &HeaderMap, is_selected: impl Fn(&HeaderName) -> bool) {
    for (name, value) in headers {
        if is_selected(name) && name != VARY {
            let value = value.to_str().unwrap_or_default();
            text.push_str(&format!("  {name}: {value}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::tempdir;

    use super::*;
    use crate::site;

    #[test]
    fn a_link_that_another_user_plants_in_the_folder_is_not_followed() {
        let (folder, elsewhere) = (tempdir().unwrap(), tempdir().unwrap());
        symlink(&elsewhere, folder.path().join("a")).unwrap();
        let files = BTreeMap::from([("a/b.txt".to_owned(), Bytes::from_static(b"text"))]);
        let problem = write(&files, folder.path()).expect_err("a link").to_string();
        assert!(problem.contains("/a: File exists; choose a new or empty folder"), "{problem}");
        assert!(!elsewhere.path().join("b.txt").exists());
    }

    #[test]
    fn a_file_is_exported_under_its_name_and_described_by_its_path() {
        let names = ["crème.html", "crème.html.gz", "menu card.txt", "100%.txt", "association"];
        let site = Site::new(names.map(|name| site::File::new(name, name)), &Settings::default());
        let files = files(&site);
        for name in names {
            assert_eq!(files[name], name, "{name}");
        }
        let headers = std::str::from_utf8(&files["_headers"]).unwrap();
        assert!(headers.contains("\n/menu%20card.txt\n"), "{headers}");
        assert_eq!(headers.matches("  content-type: application/octet-stream\n").count(), 1);
    }
}
