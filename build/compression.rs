//! Compression at build time (WIRE-5).

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::num::NonZeroU64;
use std::path::Path;

use super::files;
use crate::coding::Coding;

/// `content` in `coding`, from the folder `cache` if this script compressed it before: compression takes most of
/// the time of a build, and a change of the site changes few files.
pub fn compress(content: &[u8], coding: Coding, cache: &Path) -> io::Result<Vec<u8>> {
    // A changed build script may compress differently.
    let script = env::current_exe()?.metadata()?.modified()?;
    let mut hasher = DefaultHasher::new();
    (content, script).hash(&mut hasher);
    let file = cache.join(coding.file_name(&format!("{:016x}", hasher.finish())));
    if let Ok(compressed) = fs_err::read(&file) {
        return Ok(compressed);
    }
    let compressed = if coding == Coding::Gzip { gzip(content)? } else { brotli(content)? };
    // Renamed when complete: the next build finds no half-written file of an interrupted one.
    let unfinished = file.with_extension("unfinished");
    files::write(&unfinished, &compressed)?;
    fs_err::rename(unfinished, file)?;
    Ok(compressed)
}

fn brotli(content: &[u8]) -> io::Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn gzip(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    // The defaults, 15 of each, take much longer and save almost nothing (DECISION-28).
    let options = zopfli::Options {
        iteration_count: NonZeroU64::MIN,
        maximum_block_splits: 3,
        ..zopfli::Options::default()
    };
    zopfli::compress(options, zopfli::Format::Gzip, content, &mut compressed)?;
    Ok(compressed)
}
