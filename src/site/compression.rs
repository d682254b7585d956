//! Compression at start, of files that settings changed. The build compresses
//! the default files with slower and better settings (HTTP-5, DECISION-13).

use std::io::Read;

use super::coding::{Coding, is_worth_keeping};
use super::file::File;
use super::permanent;

/// The gzip variant of `file`, if it is small enough to be kept.
pub(super) fn variant(file: &File) -> Option<File> {
    let content = gzip(&file.content.bytes())?;
    let name = format!("{}{}", file.path, Coding::Gzip.file_suffix()?);
    is_worth_keeping(content.len(), file.content.len())
        .then(|| File::new(name, permanent::bytes(content)))
}

fn gzip(content: &[u8]) -> Option<Vec<u8>> {
    let mut compressed = Vec::with_capacity(content.len() / 2);
    let mut encoder = flate2::bufread::GzEncoder::new(content, flate2::Compression::new(6));
    encoder.read_to_end(&mut compressed).ok()?;
    Some(compressed)
}
