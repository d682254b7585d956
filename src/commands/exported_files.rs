//! The files of an export. `_headers` and `_redirects` give the header fields and
//! redirects of this server in the format of Netlify and Cloudflare Pages (DECISION-37).

use std::borrow::Cow;
use std::collections::BTreeMap;

use http::header::{CACHE_CONTROL, HeaderMap, VARY};

use crate::site::{HEALTH_PATH, NOT_FOUND_FILE, Resource, Site, percent_encoding};

/// Fields that a CDN adds itself, because it does content negotiation itself.
const ADDED_BY_CDN: [http::HeaderName; 1] = [VARY];

/// All files by name: every variant of every resource, and the two files that
/// configure a CDN.
pub(super) fn of_site(site: &Site) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let resources = site.iter().filter(|(path, _)| *path != HEALTH_PATH);
    for (name, resource) in resources
        .map(|(path, resource)| (decoded(&file_path(path, resource)), resource))
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

/// The name of the file at `path`: a server decodes the path of a request before it looks for it.
fn decoded(path: &str) -> String {
    percent_encoding::decode(path).map_or_else(|| path.to_owned(), Cow::into_owned)
}

/// The path at which a server without routes finds the file for `path`, without the slash at
/// its beginning.
fn file_path(path: &str, resource: &Resource) -> String {
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
        .map(|(path, resource)| format!("/{} {path} 301\n", file_path(path, resource)));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{File, Settings};

    #[test]
    fn a_file_is_exported_under_its_name_and_described_by_its_path() {
        let names = ["crème.html", "crème.html.gz", "menu card.txt", "100%.txt", "index.html"];
        let site = Site::new(names.map(|name| File::new(name, name)), &Settings::default(), None);
        let files = of_site(&site);
        for name in names {
            assert_eq!(files.get(name).map(|content| &**content), Some(name.as_bytes()), "{name}");
        }
        let headers = std::str::from_utf8(&files["_headers"]).unwrap();
        assert!(headers.contains("\n/menu%20card.txt\n"), "{headers}");
        let redirects = std::str::from_utf8(&files["_redirects"]).unwrap();
        let expected = "/index.html / 301\n/cr%C3%A8me.html /cr%C3%A8me 301\n";
        assert_eq!(redirects, expected);
    }
}
