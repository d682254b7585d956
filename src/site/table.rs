//! The site as an immutable table from path to resource.

use std::collections::HashMap;
use std::time::SystemTime;

use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, VARY};
use rustc_hash::FxBuildHasher;

use super::cache::CachePolicy;
use super::fields::{PreparedFields, SharedFields};
use super::file::File;
use super::file_set::{self, FileSet};
use super::kind::Kind;
use super::path;
use super::percent_encoding;
use super::resource::Resource;
use super::security::Policy;
use super::settings::Settings;
use super::validator::LastModified;

/// The file that is sent for unknown paths (PAGE-14).
pub const NOT_FOUND_FILE: &str = "404.html";

/// The path of the health check.
pub const HEALTH_PATH: &str = "/healthz";

/// The site, ready to be served.
#[derive(Debug)]
pub struct Site {
    /// By their paths. The hash has no secret: no client chooses the paths of the table.
    resources: HashMap<String, Resource, FxBuildHasher>,
    /// Canonical paths of pages by their lower-case form without a trailing
    /// slash, for requests that spell a path in another way.
    canonical_paths: HashMap<String, String>,
    not_found: Option<Resource>,
    /// Header fields of every response that does not come from a resource.
    bare: HeaderMap,
    /// `bare` with the Cache-Control of error responses.
    error: HeaderMap,
}

impl Site {
    /// A site of `files`. `last_modified` is the date of all of them; without
    /// it, no response carries Last-Modified.
    pub fn new(
        files: impl IntoIterator<Item = File>,
        settings: &Settings,
        last_modified: Option<SystemTime>,
    ) -> Self {
        let last_modified = last_modified.map(LastModified::from);
        let file_sets = file_set::group(files);
        let has_font = file_sets.iter().any(|files| files.plain.path.ends_with(".woff2"));
        let mut policy = Policy::new(settings.origin.as_ref(), has_font);
        let bare = policy.headers(Kind::Other, None);
        let mut error = bare.clone();
        error.insert(CACHE_CONTROL, CachePolicy::NoStore.value());
        let mut builder = Builder {
            site: Self {
                resources: HashMap::with_capacity_and_hasher(file_sets.len() + 1, FxBuildHasher),
                canonical_paths: HashMap::new(),
                not_found: None,
                bare,
                error,
            },
            policy,
            shared: SharedFields::default(),
            prepared: PreparedFields::default(),
            last_modified: last_modified.as_ref(),
        };
        for files in file_sets {
            builder.add(&files);
        }
        builder.add_health_check();
        builder.site
    }

    /// The resource at exactly this path.
    pub fn get(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path)
    }

    /// The canonical path (PAGE-1) of the page or file that `path` spells in another way
    /// (HTTP-20): `/privacy` for `/PRIVACY/`, `/privacy.html` or `/%70rivacy`.
    pub fn canonical(&self, path: &str) -> Option<&str> {
        let encoded = percent_encoding::encode_path(&percent_encoding::decode(path)?);
        if let Some((path, _)) = self.resources.get_key_value(&encoded) {
            return Some(path);
        }
        let lower = encoded.to_ascii_lowercase();
        let trimmed = lower.strip_suffix('/').unwrap_or(&lower);
        let page = trimmed.strip_suffix(".html").unwrap_or(trimmed);
        let page = page.strip_suffix("/index").unwrap_or(page);
        self.canonical_paths.get(page).map(String::as_str)
    }

    /// The 404 page; `None` if the site has none.
    pub fn not_found(&self) -> Option<&Resource> {
        self.not_found.as_ref()
    }

    /// The header fields of a response that does not come from a resource.
    pub fn bare_headers(&self) -> &HeaderMap {
        &self.bare
    }

    /// The header fields of an error response.
    pub fn error_headers(&self) -> &HeaderMap {
        &self.error
    }

    /// The path and the resource of everything that is served.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }
}

/// A site whose table is being filled.
struct Builder<'a> {
    site: Site,
    policy: Policy<'a>,
    shared: SharedFields,
    prepared: PreparedFields,
    last_modified: Option<&'a LastModified>,
}

impl Builder<'_> {
    fn add(&mut self, files: &FileSet) {
        let name = &files.plain.path;
        let kind = Kind::of(name);
        let is_not_found = name == NOT_FOUND_FILE;
        let cache = if is_not_found { CachePolicy::NoStore } else { CachePolicy::of(name, kind) };
        let resource = self.resource(files, cache, self.last_modified);
        if is_not_found {
            self.site.not_found = Some(resource);
            return;
        }
        let path = path::of_file(name);
        if kind == Kind::Document {
            let spelling = path.trim_end_matches('/').to_ascii_lowercase();
            self.site.canonical_paths.insert(spelling, path.clone());
        }
        self.site.resources.insert(path, resource);
    }

    fn add_health_check(&mut self) {
        let plain = File::new("healthz.txt", &b"ok\n"[..]);
        let files = FileSet { plain, compressed: Vec::new() };
        let resource = self.resource(&files, CachePolicy::NoStore, None);
        self.site.resources.insert(HEALTH_PATH.to_owned(), resource);
    }

    fn resource(
        &mut self,
        files: &FileSet,
        cache: CachePolicy,
        last_modified: Option<&LastModified>,
    ) -> Resource {
        let FileSet { plain, compressed } = files;
        let mut headers = self.policy.headers(Kind::of(&plain.path), Some(&plain.content));
        headers.insert(CACHE_CONTROL, cache.value());
        if !compressed.is_empty() {
            headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        Resource::new(files, self.shared.intern(headers), last_modified, &mut self.prepared)
    }
}
