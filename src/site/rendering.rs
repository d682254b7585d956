//! The files of the site under an operator's settings.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use super::coding::Coding;
use super::compression::Compressor;
use super::content::Content;
use super::file::File;
use super::inline::InlineHasher;
use super::permanent;
use super::settings::Settings;
use super::template::{self, Syntax};

/// `files` with every template rendered again. The variants of the default
/// text are removed together with it.
pub(super) fn with_settings(
    files: impl Iterator<Item = File>,
    templates: impl Iterator<Item = File>,
    settings: &Settings,
) -> Vec<File> {
    let values = settings.values();
    let mut compressor = Compressor::new();
    let mut hasher = InlineHasher::default();
    let mut site = Vec::new();
    let mut replaced = HashSet::new();
    for template in templates {
        let Some(text) = rendered(&template, &values) else { continue };
        replaced.insert(template.path.clone());
        if !template::exists(&text) {
            continue;
        }
        let name = template.path;
        let Some(gzip) = compressor.gzip(text.as_bytes()) else {
            site.push(File::new(name, permanent::bytes(text.into_bytes())));
            continue;
        };
        site.push(File::new(Coding::Gzip.file_name(&name), gzip.clone()));
        let inline = hasher.hashes(text.as_bytes());
        let content = Content::deflated(gzip, text.len(), inline);
        site.push(File { path: name, content, sha256: Sha256::digest(text).into() });
    }
    let is_replaced = |name: &str| {
        let plain = Coding::of_file_name(name).map_or(name, |(plain, _)| plain);
        replaced.contains(plain)
    };
    site.extend(files.filter(|file| !is_replaced(&file.path)));
    site
}

/// None for a file that is not a template after all.
fn rendered(template: &File, values: &[template::Value<'_>]) -> Option<String> {
    let text = template.content.bytes();
    let text = std::str::from_utf8(&text).ok()?;
    template::render(text, Syntax::of(&template.path)?, values)
}
