//! Compresses what settings changed, at start. The defaults' variants are made
//! at build time, with all the time in the world.

use std::io::Write;

use super::File;
use super::resource::Coding;

/// Brotli's quality where a page takes a millisecond; 11, the build's, takes a
/// hundred times as long for a tenth less.
const BROTLI_QUALITY: i32 = 9;

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
