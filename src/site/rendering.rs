//! The files of the site under an operator's settings.

use std::collections::HashMap;

use super::coding::Coding;
use super::compression::Compressor;
use super::file::File;
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
    let rendered: HashMap<String, Option<File>> = templates
        .filter_map(|template| {
            let text = template.content.bytes();
            let text = std::str::from_utf8(&text).ok()?;
            let text = template::render(text, Syntax::of(&template.path)?, &values)?;
            // A file without text, such as the sitemap without an origin, does
            // not exist.
            let file = (!text.trim().is_empty()).then(|| {
                let content = permanent::bytes(text.into_bytes());
                File::new(template.path.clone(), content)
            });
            Some((template.path, file))
        })
        .collect();
    let is_replaced = |name: &str| {
        let plain = Coding::of_file_name(name).map_or(name, |(plain, _)| plain);
        rendered.contains_key(plain)
    };
    let mut site: Vec<File> = files.filter(|file| !is_replaced(&file.path)).collect();
    let mut compressor = Compressor::new();
    for file in rendered.into_values().flatten() {
        site.extend(compressor.variant(&file));
        site.push(file);
    }
    site
}
