//! The site as an immutable table from path to resource.

use std::collections::HashMap;
use std::time::SystemTime;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, VARY};

use super::file::{self, File, FileSet};
use super::kind::{CachePolicy, Kind, content_type};
use super::origin::Origin;
use super::percent_encoding::{decode, encode_path};
use super::resource::Resource;
use super::security::{self, CROSS_ORIGIN_RESOURCE_POLICY};
use super::settings::Settings;

/// The file that is sent for unknown paths (PAGE-14).
pub const NOT_FOUND_FILE: &str = "404.html";

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
    /// Canonical paths of pages by their lower-case form without a trailing
    /// slash, for requests that spell a path in another way.
    canonical_paths: HashMap<String, String>,
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
    /// A site of `files`. `last_modified`, a whole second, is the date of all of them; without
    /// it, no response carries Last-Modified.
    pub fn new(
        files: impl IntoIterator<Item = File>,
        settings: &Settings,
        last_modified: Option<SystemTime>,
    ) -> Self {
        let resource = |files: FileSet, cache: CachePolicy, last_modified| {
            let kind = Kind::of(&files.plain.path);
            let markup = match kind {
                Kind::Document => files.plain.content.bytes(),
                _ => Bytes::new(),
            };
            let mut headers = security::headers(kind, settings, &markup);
            headers.insert(CACHE_CONTROL, cache.value());
            // With a fixed name: other sites show icons, and the picture for social networks, beside a link.
            if cache == CachePolicy::Short && content_type(&files.plain.path).starts_with("image/")
            {
                let shared = HeaderValue::from_static("cross-origin");
                headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, shared);
            }
            if !files.compressed.is_empty() {
                headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
            Resource::new(files, headers, last_modified)
        };
        let mut resources = HashMap::new();
        let mut canonical_paths = HashMap::new();
        let mut not_found = None;
        for files in file::group(files) {
            let name = files.plain.path.clone();
            if name == NOT_FOUND_FILE {
                not_found = Some(resource(files, CachePolicy::NoStore, last_modified));
                continue;
            }
            let path = path_of(&name);
            let kind = Kind::of(&name);
            if kind == Kind::Document {
                let spelling = path.trim_end_matches('/').to_ascii_lowercase();
                canonical_paths.insert(spelling, path.clone());
            }
            let cache = CachePolicy::of(&name, kind);
            resources.insert(path, resource(files, cache, last_modified));
        }
        let bare_headers = security::headers(Kind::Other, settings, b"");
        let mut error_headers = bare_headers.clone();
        error_headers.insert(CACHE_CONTROL, CachePolicy::NoStore.value());
        let has_https_origin = settings.origin.as_ref().is_some_and(Origin::is_https);
        Self {
            resources,
            canonical_paths,
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

    /// The canonical path (PAGE-1) of the page or file that `path` spells in another way
    /// (WIRE-20): `/privacy` for `/PRIVACY/`, `/privacy.html` or `/%70rivacy`.
    pub fn canonical(&self, path: &str) -> Option<&str> {
        let encoded = encode_path(&decode(path)?);
        if let Some((path, _)) = self.resources.get_key_value(&encoded) {
            return Some(path);
        }
        let lower = encoded.to_ascii_lowercase();
        let trimmed = lower.strip_suffix('/').unwrap_or(&lower);
        let page = trimmed.strip_suffix(".html").unwrap_or(trimmed);
        let page = page.strip_suffix("/index").unwrap_or(page);
        self.canonical_paths.get(page).map(String::as_str)
    }

    /// The path and the resource of everything that is served.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }
}

/// The path at which the file `name` is served: `/` for `index.html`,
/// `/privacy` for `privacy.html`, `/menu%20card.txt` for `menu card.txt`.
fn path_of(name: &str) -> String {
    match name.strip_suffix(".html") {
        Some("index") => "/".to_owned(),
        Some(page) => encode_path(&format!("/{}", page.strip_suffix("/index").unwrap_or(page))),
        None => encode_path(&format!("/{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_path_of_a_file_follows_from_its_name() {
        for (name, expected) in [
            ("index.html", "/"),
            ("privacy.html", "/privacy"),
            ("recipes/index.html", "/recipes"),
            (".well-known/security.txt", "/.well-known/security.txt"),
            ("crème brûlée.html", "/cr%C3%A8me%20br%C3%BBl%C3%A9e"),
            ("100%?#.txt", "/100%25%3F%23.txt"),
        ] {
            assert_eq!(path_of(name), expected, "{name}");
        }
    }
}
