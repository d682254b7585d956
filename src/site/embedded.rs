//! The site that rust-embed put into the executable at compile time, and its text files under an
//! operator's settings (DECISION-27).

use std::borrow::Cow;
use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::coding::{Coding, is_worth_keeping};
use super::file::{Content, File, inflate};
use super::settings::Settings;
use super::table::Site;
use super::template::{self, Syntax};

/// The files that are no templates: compressed variants, and plain files without a gzip variant.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site"]
struct Files;

/// The text files, as the prerender wrote them, in gzip.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/templates"]
struct Templates;

/// Level of compression at start, from 0 to 9 (DECISION-28). The build compresses the other files more
/// slowly and better.
const GZIP_LEVEL: u32 = 4;

impl Site {
    /// The embedded site under `settings`.
    pub fn embedded(settings: &Settings) -> Self {
        Self::new(files().into_iter().chain(rendered(settings)), settings)
    }
}

fn files() -> Vec<File> {
    let mut files = Vec::new();
    for (name, EmbeddedFile { data, metadata }) in embedded::<Files>() {
        let (content, sha256) = (permanent(data), metadata.sha256_hash());
        if let Some((plain, Coding::Gzip)) = Coding::of_file_name(&name) {
            let content = Content::Deflated { gzip: content, inflated: OnceLock::new() };
            files.push(File { path: plain.to_owned(), content, sha256 });
        }
        files.push(File { path: name, content: Content::Plain(content), sha256 });
    }
    files
}

/// The text files under `settings`, each with its gzip variant.
fn rendered(settings: &Settings) -> Vec<File> {
    let values = settings.values();
    let mut files = Vec::new();
    for (name, template) in embedded::<Templates>() {
        let Some((name, Coding::Gzip)) = Coding::of_file_name(&name) else { continue };
        let template = inflate(&template.data);
        let template = str::from_utf8(&template).expect("the build script checks it");
        let syntax = Syntax::of(name).unwrap_or(Syntax::Plain);
        let text = template::render(template, syntax, &values);
        // Such as the sitemap without an origin.
        if text.trim().is_empty() {
            continue;
        }
        let gzip = gzip(&text);
        if is_worth_keeping(gzip.len(), text.len()) {
            files.push(File::new(Coding::Gzip.file_name(name), gzip));
        }
        files.push(File::new(name, text));
    }
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
