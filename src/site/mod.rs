//! What is served: the embedded files as an immutable table, built once at
//! start, from path to resource to variants.

mod address;
mod cache;
mod compression;
mod embedded;
mod fields;
mod origin;
mod resource;
mod security;
mod settings;
mod template;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderValue, VARY};
use sha2::{Digest, Sha256};

pub use fields::{Fields, NOT_FOUND_VARY};
pub use origin::Origin;
pub use resource::{Coding, LastModified, Resource, Variant};
pub use settings::{AppName, EmailAddress, Settings};

use cache::CachePolicy;
use fields::PreparedFields;
use resource::Kind;
use template::Syntax;

/// The page that answers where nothing else does.
const NOT_FOUND_PAGE: &str = "404.html";

/// Where a container's supervisor or a balancer asks whether we serve.
pub const HEALTH_PATH: &str = "/healthz";

/// One file of the site before it becomes a resource. A name that ends in
/// `.br` or `.gz` is a variant of the file whose name stands before that.
#[derive(Clone, Debug)]
pub struct File {
    /// Relative path with forward slashes and no leading one: `icons/a.svg`.
    pub path: String,
    /// The bytes that are sent.
    pub content: Bytes,
    /// SHA-256 of `content`, which becomes the ETag.
    pub sha256: [u8; 32],
}

impl File {
    /// A file that did not exist at compile time.
    pub fn new(path: impl Into<String>, content: impl Into<Bytes>) -> Self {
        let content = content.into();
        let sha256 = Sha256::digest(&content).into();
        Self { path: path.into(), content, sha256 }
    }
}

/// The whole site, ready to be served.
#[derive(Debug)]
pub struct Site {
    resources: HashMap<String, Resource>,
    /// Pages by the lower-case form of their path, for requests that spell it
    /// in another way.
    pages: HashMap<String, String>,
    not_found: Option<Resource>,
    /// What an answer that is no resource carries: errors and redirects.
    bare: HeaderMap,
}

impl Site {
    /// The embedded site under `settings`.
    pub fn embedded(settings: &Settings) -> Self {
        let files = embedded::files();
        if *settings == Settings::default() {
            Self::new(files, settings, built_at())
        } else {
            Self::new(with_settings(files, settings), settings, None)
        }
    }

    /// The names of the embedded files that settings change. Without an origin
    /// a site lacks those of them that are about addresses alone.
    pub fn names_of_templates() -> impl Iterator<Item = String> {
        embedded::templates().map(|template| template.path)
    }

    /// A site of `files`. `last_modified` is the moment that all of them date
    /// from; without it, no answer carries the field.
    pub fn new(
        files: impl IntoIterator<Item = File>,
        settings: &Settings,
        last_modified: Option<SystemTime>,
    ) -> Self {
        let last_modified = last_modified.map(LastModified::from);
        let mut contents: HashMap<String, File> =
            files.into_iter().map(|file| (file.path.clone(), file)).collect();
        let mut names: Vec<String> = contents
            .keys()
            .filter(|name| {
                Coding::of_file_name(name).is_none_or(|(plain, _)| !contents.contains_key(plain))
            })
            .cloned()
            .collect();
        names.sort_unstable();
        let has_font = names.iter().any(|name| name.ends_with(".woff2"));
        let mut policy = security::Policy::new(settings.origin.as_ref(), has_font);

        let mut shared = SharedHeaders::default();
        let mut prepared = PreparedFields::default();
        let mut site = Self {
            resources: HashMap::with_capacity(names.len() + 1),
            pages: HashMap::new(),
            not_found: None,
            bare: policy.headers(Kind::Plain, None),
        };
        for name in names {
            let Some(file) = contents.remove(&name) else { continue };
            let coded: Vec<(Coding, File)> = Coding::COMPRESSED
                .into_iter()
                .filter_map(|coding| {
                    let file = contents.remove(&format!("{name}{}", coding.file_suffix()?))?;
                    Some((coding, file))
                })
                .collect();
            let kind = Kind::of(&name);
            let cache = if name == NOT_FOUND_PAGE {
                CachePolicy::Never
            } else {
                CachePolicy::of(&name, kind)
            };
            let mut headers = policy.headers(kind, Some(&file.content));
            headers.insert(CACHE_CONTROL, cache.value());
            if !coded.is_empty() {
                headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
            let resource = Resource::new(
                &file,
                &coded,
                shared.intern(headers),
                last_modified.clone(),
                &mut prepared,
            );
            if name == NOT_FOUND_PAGE {
                site.not_found = Some(resource);
            } else {
                site.insert(&name, kind, resource);
            }
        }
        site.insert_health(&mut policy, &mut prepared);
        site
    }

    /// The resource at exactly this path.
    pub fn get(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path)
    }

    /// The one address of a page, or of a file, that `path` means though it
    /// spells it in another way: `/privacy` for `/PRIVACY/` or `/privacy.html`.
    /// `decoded` has no percent-encoding left.
    pub fn canonical(&self, decoded: &str) -> Option<&str> {
        let encoded = address::encode(decoded);
        if let Some((path, _)) = self.resources.get_key_value(&encoded) {
            return Some(path);
        }
        let lower = encoded.to_ascii_lowercase();
        let trimmed = lower.strip_suffix('/').unwrap_or(&lower);
        let page = trimmed.strip_suffix(".html").unwrap_or(trimmed);
        let page = page.strip_suffix("/index").unwrap_or(page);
        self.pages.get(page).map(String::as_str)
    }

    /// The 404 page; `None` in a site that has none.
    pub fn not_found(&self) -> Option<&Resource> {
        self.not_found.as_ref()
    }

    /// The header fields of an answer that is no resource.
    pub fn bare_headers(&self) -> &HeaderMap {
        &self.bare
    }

    /// The path and the resource of all that is served.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }

    fn insert(&mut self, name: &str, kind: Kind, resource: Resource) {
        let path = address::of_file(name);
        if kind == Kind::Document {
            self.pages.insert(path.trim_end_matches('/').to_ascii_lowercase(), path.clone());
        }
        self.resources.insert(path, resource);
    }

    fn insert_health(&mut self, policy: &mut security::Policy, prepared: &mut PreparedFields) {
        let mut headers = policy.headers(Kind::Plain, None);
        headers.insert(CACHE_CONTROL, CachePolicy::Never.value());
        let file = File::new("healthz.txt", &b"ok\n"[..]);
        let resource = Resource::new(&file, &[], Arc::new(headers), None, prepared);
        self.resources.insert(HEALTH_PATH.to_owned(), resource);
    }
}

/// `files` with every template rendered anew; the variants that were made of
/// the default text are dropped with it.
fn with_settings(files: impl Iterator<Item = File>, settings: &Settings) -> Vec<File> {
    let rendered: HashMap<String, Option<File>> = embedded::templates()
        .filter_map(|template| {
            let text = std::str::from_utf8(&template.content).ok()?;
            let text = template::render(text, Syntax::of(&template.path)?, settings.values())?;
            let file = (!text.trim().is_empty()).then(|| File::new(template.path.clone(), text));
            Some((template.path, file))
        })
        .collect();
    let is_replaced = |name: &str| {
        let plain = Coding::of_file_name(name).map_or(name, |(plain, _)| plain);
        rendered.contains_key(plain)
    };
    let mut site: Vec<File> = files.filter(|file| !is_replaced(&file.path)).collect();
    for file in rendered.into_values().flatten() {
        site.extend(compression::variants(&file));
        site.push(file);
    }
    site
}

/// When the source of this build was written (`SOURCE_DATE_EPOCH`, or the
/// commit's date). Rendered settings are younger than that by an unknown
/// time, so they go without a Last-Modified.
fn built_at() -> Option<SystemTime> {
    let seconds = env!("RECIPELOG_SOURCE_DATE_EPOCH").parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// Most resources carry the same fields: one map serves them all, which keeps
/// a site of 20,000 files small.
#[derive(Default)]
struct SharedHeaders(Vec<Arc<HeaderMap>>);

impl SharedHeaders {
    fn intern(&mut self, headers: HeaderMap) -> Arc<HeaderMap> {
        if let Some(known) = self.0.iter().find(|known| ***known == headers) {
            return Arc::clone(known);
        }
        let headers = Arc::new(headers);
        self.0.push(Arc::clone(&headers));
        headers
    }
}
