//! The files that rust-embed bakes into the executable.

use std::borrow::Cow;

use rust_embed::RustEmbed;

use super::File;

/// The site with its default settings, each file with its `.br` and `.gz`.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Ready;

/// The text files that have places for settings, as the prerender wrote them.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/templates"]
struct Templates;

/// Every embedded file of the site with its default settings.
pub(super) fn files() -> impl Iterator<Item = File> {
    all::<Ready>()
}

/// Every embedded file that settings change.
pub(super) fn templates() -> impl Iterator<Item = File> {
    all::<Templates>()
}

fn all<E: RustEmbed>() -> impl Iterator<Item = File> {
    E::iter().filter_map(|path| {
        let embedded = E::get(&path)?;
        Some(File {
            path: path.into_owned(),
            content: match embedded.data {
                Cow::Borrowed(content) => content.into(),
                Cow::Owned(content) => content.into(),
            },
            sha256: embedded.metadata.sha256_hash(),
        })
    })
}
