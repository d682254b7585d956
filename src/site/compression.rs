//! Compresses what settings changed, at start. The defaults' variants are made
//! at build time, with all the time in the world.

use std::io::Write;

use super::File;
use super::resource::Coding;

/// Brotli's quality where all pages take 6 ms; 9 takes 75 ms to save another
/// third of a percent, 11, the build's, a second for a tenth.
const BROTLI_QUALITY: i32 = 6;

/// The base-2 logarithm of Brotli's window: 128 KiB, above every page. The
/// default of 4 MiB costs its memory, and below 17 this quality chooses tables
/// that take fifteen times as long to fill.
const BROTLI_WINDOW: i32 = 17;

/// The variants of `file` that save at least a twentieth of it (HTTP.md line 5).
pub(super) fn variants(file: &File) -> Vec<File> {
    Coding::COMPRESSED
        .into_iter()
        .filter_map(|coding| {
            let content = compress(&file.content, coding)?;
            let is_worth_it = content.len() * 20 <= file.content.len() * 19;
            let name = format!("{}{}", file.path, coding.file_suffix()?);
            is_worth_it.then(|| File::new(name, content))
        })
        .collect()
}

/// `None` for the coding that changes nothing.
fn compress(content: &[u8], coding: Coding) -> Option<Vec<u8>> {
    let mut compressed = Vec::with_capacity(content.len() / 2);
    match coding {
        Coding::Identity => return None,
        Coding::Brotli => {
            let parameters = brotli::enc::BrotliEncoderParams {
                quality: BROTLI_QUALITY,
                lgwin: BROTLI_WINDOW,
                size_hint: content.len(),
                ..Default::default()
            };
            brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters).ok()?;
        }
        Coding::Gzip => {
            let level = flate2::Compression::best();
            let mut encoder = flate2::write::GzEncoder::new(&mut compressed, level);
            encoder.write_all(content).and_then(|()| encoder.finish().map(drop)).ok()?;
        }
    }
    Some(compressed)
}
