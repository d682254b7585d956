//! Compression at start, of files that settings changed. The build compresses
//! the default files with slower and better settings (HTTP-5, DECISION-13).

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::coding::{Coding, is_worth_keeping};
use super::file::File;
use super::permanent;

/// RFC 1952 §2.3: deflate, without name, time and flags, written by an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Compresses files one after the other. Its tables of 300 kB are allocated once.
pub(super) struct Compressor(Compress);

impl Compressor {
    pub(super) fn new() -> Self {
        Self(Compress::new(Compression::new(6), false))
    }

    /// The gzip variant of `file`, if it is small enough to be kept.
    pub(super) fn variant(&mut self, file: &File) -> Option<File> {
        let content = self.gzip(&file.content.bytes())?;
        let name = format!("{}{}", file.path, Coding::Gzip.file_suffix()?);
        is_worth_keeping(content.len(), file.content.len())
            .then(|| File::new(name, permanent::bytes(content)))
    }

    /// None if `content` does not shrink.
    fn gzip(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        let mut compressed = Vec::with_capacity(content.len());
        compressed.extend(GZIP_HEADER);
        self.0.reset();
        let status = self.0.compress_vec(content, &mut compressed, FlushCompress::Finish).ok()?;
        if status != Status::StreamEnd {
            return None;
        }
        let mut checksum = Crc::new();
        checksum.update(content);
        compressed.extend(checksum.sum().to_le_bytes());
        compressed.extend(checksum.amount().to_le_bytes());
        Some(compressed)
    }
}
