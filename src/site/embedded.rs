//! The site that rust-embed put into the executable at compile time.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use rust_embed::RustEmbed;

use super::file::File;
use super::rendering;
use super::settings::Settings;
use super::table::Site;

/// The site with its default settings: plain files and variants.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct DefaultSite;

/// The text files with placeholders, as the prerender wrote them.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/templates"]
struct Templates;

impl Site {
    /// The embedded site under `settings`.
    pub fn embedded(settings: &Settings) -> Self {
        let default_files = files::<DefaultSite>();
        if *settings == Settings::default() {
            Self::new(default_files, settings, source_date())
        } else {
            // Rendered files are younger than the source by an unknown time, so
            // they carry no Last-Modified (HTTP-12).
            let files = rendering::with_settings(default_files, files::<Templates>(), settings);
            Self::new(files, settings, None)
        }
    }

    /// The names of the templates. Without an origin, a site lacks those of
    /// them that contain nothing but addresses of the site.
    pub fn names_of_templates() -> impl Iterator<Item = String> {
        files::<Templates>().map(|template| template.path)
    }
}

fn files<E: RustEmbed>() -> impl Iterator<Item = File> {
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

/// The date of the source: `SOURCE_DATE_EPOCH` of the build, else the date of
/// the commit.
fn source_date() -> Option<SystemTime> {
    let seconds = env!("RECIPELOG_SOURCE_DATE_EPOCH").parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
