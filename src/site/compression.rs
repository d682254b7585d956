//! Compression at start, of the files that contain an operator's settings. The build
//! compresses the default files more slowly and better (HTTP-5, DECISION-13).

use bytes::Bytes;
use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use super::coding::is_worth_keeping;
use super::permanent;

/// RFC 1952 §2.3: deflate, without name, time and flags, written by an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// From 0 to 9. Level 5 would take 45 % longer and save 2 % of a page (DECISION-54).
const LEVEL: u32 = 3;

/// Compresses files one after the other. Its tables of 300 kB are allocated once.
pub(super) struct Compressor {
    encoder: Compress,
    compressed: Vec<u8>,
}

impl Compressor {
    pub(super) fn new() -> Self {
        Self { encoder: Compress::new(Compression::new(LEVEL), false), compressed: Vec::new() }
    }

    /// `content` in gzip, if that is small enough to be kept.
    pub(super) fn gzip(&mut self, content: &[u8]) -> Option<Bytes> {
        let compressed = self.compressed(content)?;
        is_worth_keeping(compressed.len(), content.len())
            .then(|| permanent::bytes(compressed.to_owned()))
    }

    /// `content` in gzip; `None` if that does not fit into the buffer, which has space for
    /// `content`.
    fn compressed(&mut self, content: &[u8]) -> Option<&[u8]> {
        let compressed = &mut self.compressed;
        compressed.clear();
        compressed.reserve(content.len());
        compressed.extend(GZIP_HEADER);
        self.encoder.reset();
        let status = self.encoder.compress_vec(content, compressed, FlushCompress::Finish).ok()?;
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
