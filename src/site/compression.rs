//! Compression at start, of files that settings changed. The build compresses
//! the default files with slower and better settings (HTTP-5).

use std::io::Write;

use super::coding::{Coding, is_worth_keeping};
use super::file::File;
use super::permanent;

/// Brotli's quality. With 6, all pages take 6 ms. 9 takes 75 ms and saves
/// another third of a percent; 11, which the build uses, takes a second and
/// saves a tenth more.
const BROTLI_QUALITY: i32 = 6;

/// The base-2 logarithm of Brotli's window: 128 KiB, more than any page. The
/// default of 4 MiB needs more memory. Below 17, this quality selects tables
/// that take fifteen times as long to fill.
const BROTLI_WINDOW: i32 = 17;

/// The variants of `file` that are small enough to be kept.
pub(super) fn variants(file: &File) -> Vec<File> {
    let compressed = [(Coding::Brotli, brotli(&file.content)), (Coding::Gzip, gzip(&file.content))];
    compressed
        .into_iter()
        .filter_map(|(coding, content)| {
            let content = content?;
            let name = format!("{}{}", file.path, coding.file_suffix()?);
            is_worth_keeping(content.len(), file.content.len())
                .then(|| File::new(name, permanent::bytes(content)))
        })
        .collect()
}

fn brotli(content: &[u8]) -> Option<Vec<u8>> {
    let mut compressed = Vec::with_capacity(content.len() / 2);
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        lgwin: BROTLI_WINDOW,
        size_hint: content.len(),
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters).ok()?;
    Some(compressed)
}

fn gzip(content: &[u8]) -> Option<Vec<u8>> {
    let mut compressed = Vec::with_capacity(content.len() / 2);
    let mut encoder = flate2::write::GzEncoder::new(&mut compressed, flate2::Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish().map(drop)).ok()?;
    Some(compressed)
}
