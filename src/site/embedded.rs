//! The site that rust-embed put into the executable at compile time (DECISION-42).

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use rust_embed::RustEmbed;

use super::coding::Coding;
use super::content::{Content, inflated};
use super::file::File;
use super::inline::{Hash, InlineHashes};
use super::rendering;
use super::settings::Settings;
use super::table::Site;

/// The site with its default settings: compressed variants, and plain files without
/// a gzip variant.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct DefaultSite;

/// The plain files with a gzip variant. A line for each: SHA-256 in hexadecimal, length
/// in bytes, hashes of the inline styles, hashes of the inline scripts, name.
const DEFLATED_FILES: &str = include_str!(concat!(env!("OUT_DIR"), "/deflated-files"));

/// The text files with placeholders, as the prerender wrote them, in gzip.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/templates"]
struct Templates;

impl Site {
    /// The embedded site under `settings`.
    pub fn embedded(settings: &Settings) -> Self {
        let default_files = files::<DefaultSite>().chain(deflated_files());
        if *settings == Settings::default() {
            Self::new(default_files, settings, source_date())
        } else {
            // Rendered files are younger than the source by an unknown time, so
            // they carry no Last-Modified (HTTP-12).
            let files = rendering::with_settings(default_files, templates(), settings);
            Self::new(files, settings, None)
        }
    }

    /// The names of the templates. A site without an origin does not contain the
    /// files that consist only of addresses of the site, such as the sitemap.
    pub fn names_of_templates() -> impl Iterator<Item = String> {
        Templates::iter().filter_map(|name| Some(plain_name(&name)?.to_owned()))
    }
}

fn files<E: RustEmbed>() -> impl Iterator<Item = File> {
    E::iter().filter_map(|path| {
        let embedded = E::get(&path)?;
        let sha256 = embedded.metadata.sha256_hash();
        Some(File { path: path.into_owned(), content: bytes(embedded.data).into(), sha256 })
    })
}

fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => data.into(),
        Cow::Owned(data) => data.into(),
    }
}

fn deflated_files() -> impl Iterator<Item = File> {
    DEFLATED_FILES.lines().filter_map(|line| {
        let mut columns = line.splitn(5, ' ');
        let sha256 = digest(columns.next()?)?;
        let length = columns.next()?.parse().ok()?;
        let inline =
            InlineHashes { styles: digests(columns.next()?)?, scripts: digests(columns.next()?)? };
        let name = columns.next()?;
        let gzip = DefaultSite::get(&Coding::Gzip.file_name(name))?;
        Some(File {
            path: name.to_owned(),
            content: Content::deflated(bytes(gzip.data), length, inline),
            sha256,
        })
    })
}

/// Digests that are separated by commas.
fn digests(list: &str) -> Option<Vec<Hash>> {
    list.split_terminator(',').map(digest).collect()
}

/// 32 bytes from hexadecimal digits.
fn digest(digits: &str) -> Option<Hash> {
    let mut digest = [0; 32];
    for (index, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(digest)
}

fn templates() -> impl Iterator<Item = File> {
    files::<Templates>().filter_map(|file| {
        let content = inflated(&file.content.bytes()).into();
        Some(File { path: plain_name(&file.path)?.to_owned(), content, sha256: file.sha256 })
    })
}

fn plain_name(name: &str) -> Option<&str> {
    name.strip_suffix(Coding::Gzip.file_suffix()?)
}

/// The date of the source: `SOURCE_DATE_EPOCH` of the build, else the date of
/// the commit.
fn source_date() -> Option<SystemTime> {
    let seconds = env!("RECIPELOG_SOURCE_DATE_EPOCH").parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
