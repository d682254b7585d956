//! The site that rust-embed put into the executable at compile time, and its text files under an
//! operator's settings (DECISION-27).

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::coding::{Coding, is_worth_keeping};
use super::file::{Content, File, inflate};
use super::settings::Settings;
use super::table::Site;
use super::template::{self, Syntax};

/// The site with its default settings: compressed variants, and plain files without a gzip variant.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct DefaultSite;

/// The text files with placeholders, as the prerender wrote them, in gzip.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/templates"]
struct Templates;

/// Level of compression at start, from 0 to 9 (DECISION-28). The build compresses the default files
/// more slowly and better.
const GZIP_LEVEL: u32 = 4;

impl Site {
    /// The embedded site under `settings`.
    pub fn embedded(settings: &Settings) -> Self {
        if *settings == Settings::default() {
            Self::new(default_files(), settings, source_date())
        } else {
            // Rendered files are younger than the source by an unknown time, so they carry no
            // Last-Modified (WIRE-12).
            Self::new(files_with(settings), settings, None)
        }
    }
}

/// The files under the default settings.
fn default_files() -> Vec<File> {
    let mut files = Vec::new();
    for (name, EmbeddedFile { data, metadata }) in embedded::<DefaultSite>() {
        let (content, sha256) = (permanent(data), metadata.sha256_hash());
        if let Some((plain, Coding::Gzip)) = Coding::of_file_name(&name) {
            let content = Content::Deflated { gzip: content, inflated: OnceLock::new() };
            files.push(File { path: plain.to_owned(), content, sha256 });
        }
        files.push(File { path: name, content: Content::Plain(content), sha256 });
    }
    files
}

/// The files under other settings: each template is rendered, and the variants of its default text
/// are left out.
fn files_with(settings: &Settings) -> Vec<File> {
    let values = settings.values();
    let mut files = Vec::new();
    let mut rendered = HashSet::new();
    for (name, template) in embedded::<Templates>() {
        let Some((name, Coding::Gzip)) = Coding::of_file_name(&name) else { continue };
        rendered.insert(name.to_owned());
        let template =
            String::from_utf8(inflate(&template.data)).expect("the prerender writes UTF-8");
        let syntax = Syntax::of(name).unwrap_or(Syntax::Plain);
        let text = template::render(&template, syntax, &values).unwrap_or(template);
        if !template::exists(&text) {
            continue;
        }
        let gzip = gzip(&text);
        if is_worth_keeping(gzip.len(), text.len()) {
            files.push(File::new(Coding::Gzip.file_name(name), gzip));
        }
        files.push(File::new(name, text));
    }
    let is_default = |file: &File| {
        let name = Coding::of_file_name(&file.path).map_or(&*file.path, |(plain, _)| plain);
        !rendered.contains(name)
    };
    files.extend(default_files().into_iter().filter(is_default));
    files
}

/// The names and contents of embedded files.
fn embedded<E: RustEmbed>() -> impl Iterator<Item = (String, EmbeddedFile)> {
    E::iter().filter_map(|name| Some((name.to_string(), E::get(&name)?)))
}

fn permanent(data: Cow<'static, [u8]>) -> &'static [u8] {
    match data {
        Cow::Borrowed(data) => data,
        Cow::Owned(data) => Vec::leak(data),
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(GZIP_LEVEL));
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

/// The date of the source: `SOURCE_DATE_EPOCH` of the build, or the date of the commit.
fn source_date() -> Option<SystemTime> {
    let seconds = env!("RECIPELOG_SOURCE_DATE_EPOCH").parse().ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
