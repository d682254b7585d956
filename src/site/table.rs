//! The site as an immutable table from path to resource.

use std::collections::HashMap;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, VARY};

use super::file::{self, File, FileSet};
use super::kind::{CachePolicy, Kind};
use super::origin::Origin;
use super::percent_encoding::{decode, encode_path};
use super::resource::Resource;
use super::security;
use super::settings::Settings;

/// The file that is sent for unknown paths (PAGE-14).
pub const NOT_FOUND_FILE: &str = "404.html";

/// The redirects of the site, as the build of `ui/` writes them in the format of Netlify and
/// Cloudflare Pages: a line `FROM TO 301` for the file and for each alias of a page.
pub const REDIRECTS_FILE: &str = "_redirects";

/// Vary of every response at an unknown path: Accept selects between the page and plain text,
/// Accept-Encoding the variant of the page, and Service-Worker the script of WIRE-37 (WIRE-2).
pub const NOT_FOUND_VARY: HeaderValue =
    HeaderValue::from_static("Accept, Accept-Encoding, Service-Worker");

/// The path of the health check.
pub const HEALTH_PATH: &str = "/healthz";

/// The site, ready to be served.
#[derive(Debug)]
pub struct Site {
    resources: HashMap<String, Resource>,
    /// Canonical paths of pages by the [`spelling`] of their paths, files and aliases.
    canonical_paths: HashMap<String, String>,
    /// The content of [`REDIRECTS_FILE`].
    pub(crate) redirects: Bytes,
    /// The 404 page; `None` if the site has none.
    pub(crate) not_found: Option<Resource>,
    /// True if the public reaches the site over HTTPS.
    pub(crate) has_https_origin: bool,
    /// Header fields of every response that does not come from a resource.
    pub(crate) bare_headers: HeaderMap,
    /// `bare_headers` with the Cache-Control of error responses.
    pub(crate) error_headers: HeaderMap,
}

impl Site {
    /// A site of `files`.
    pub fn new(files: impl IntoIterator<Item = File>, settings: &Settings) -> Self {
        let resource = |files: FileSet, cache: CachePolicy| {
            let mut headers = security::headers(&files.plain, cache, settings);
            headers.insert(CACHE_CONTROL, cache.value());
            if !files.compressed.is_empty() {
                headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
            Resource::new(files, headers)
        };
        let mut sets = file::group(files);
        let redirects = sets.extract_if(.., |files| files.plain.path == REDIRECTS_FILE).next();
        let redirects = redirects.map_or_else(Bytes::new, |files| files.plain.content.bytes());
        let lines = str::from_utf8(&redirects).unwrap_or_default().lines();
        let rules: HashMap<&str, &str> =
            lines.filter_map(|line| line.strip_suffix(" 301")?.split_once(' ')).collect();
        let mut canonical_paths: HashMap<String, String> =
            rules.iter().map(|(from, to)| (spelling(from), (*to).to_owned())).collect();
        let mut resources = HashMap::new();
        let mut not_found = None;
        for files in sets {
            let name = files.plain.path.clone();
            if name == NOT_FOUND_FILE {
                not_found = Some(resource(files, CachePolicy::NoStore));
                continue;
            }
            let path = path_of(&name, &rules);
            let kind = Kind::of(&name);
            if kind == Kind::Document {
                canonical_paths.insert(spelling(&path), path.clone());
            }
            let cache = CachePolicy::of(&name, kind);
            resources.insert(path, resource(files, cache));
        }
        let bare_headers = security::every_response(settings);
        let mut error_headers = bare_headers.clone();
        error_headers.insert(CACHE_CONTROL, CachePolicy::NoStore.value());
        let has_https_origin = settings.origin.as_ref().is_some_and(Origin::is_https);
        Self {
            resources,
            canonical_paths,
            redirects,
            not_found,
            has_https_origin,
            bare_headers,
            error_headers,
        }
    }

    /// The resource at exactly this path.
    pub fn get(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path)
    }

    /// The canonical path (PAGE-1) of the page or file that `path` spells in another way (WIRE-20):
    /// `/privacy` for `/PRIVACY/`, `/privacy.html` or `/%70rivacy`.
    pub fn canonical(&self, path: &str) -> Option<&str> {
        let encoded = encode_path(&without_dot_segments(&decode(path)?));
        if let Some((path, _)) = self.resources.get_key_value(&encoded) {
            return Some(path);
        }
        self.canonical_paths.get(&spelling(&encoded)).map(String::as_str)
    }

    /// The path and the resource of everything that is served.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }
}

/// The path at which the file `name` is served. A rule sets the path of a page, such as `/privacy`
/// for `privacy.html`. Any other file has its own name, such as `/menu%20card.txt` for `menu
/// card.txt`.
fn path_of(name: &str, rules: &HashMap<&str, &str>) -> String {
    if name == "index.html" {
        return "/".to_owned();
    }
    let own = encode_path(&format!("/{name}"));
    rules.get(&*own).map_or(own, |path| (*path).to_owned())
}

/// What all spellings of an encoded path have in common.
fn spelling(path: &str) -> String {
    let lower = path.to_ascii_lowercase();
    let trimmed = lower.strip_suffix('/').unwrap_or(&lower);
    let page = trimmed.strip_suffix(".html").unwrap_or(trimmed);
    page.strip_suffix("/index").unwrap_or(page).to_owned()
}

/// `path` without empty segments, as nginx, Caddy and Apache merge slashes, and without `.` and
/// `..` (RFC 3986 §5.2.4).
fn without_dot_segments(path: &str) -> String {
    let mut kept = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}
