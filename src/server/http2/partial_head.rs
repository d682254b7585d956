//! A head in several frames (RFC 9113 §4.3, §6.10).

use super::error_code::ErrorCode;
use super::settings;

/// Maximum length of a head in bytes, as it is encoded. A client that keeps to the announced size
/// needs less: what each field counts for beside its text is more than its encoding adds.
const BYTES_MAX: usize = settings::HEAD_BYTES as usize;

/// Maximum number of CONTINUATION frames (CVE-2024-27316).
const CONTINUATIONS_MAX: u32 = 16;

/// The part of a head that was received.
#[derive(Debug)]
pub(super) struct PartialHead {
    pub(super) stream: u32,
    /// True if it is that of a request, false if it is that of trailers.
    pub(super) is_request: bool,
    pub(super) is_end: bool,
    pub(super) block: Vec<u8>,
    continuations: u32,
}

impl PartialHead {
    pub(super) fn new(stream: u32, is_request: bool, is_end: bool, block: &[u8]) -> Self {
        Self { stream, is_request, is_end, block: block.to_vec(), continuations: 0 }
    }

    pub(super) fn add(&mut self, piece: &[u8]) -> Result<(), ErrorCode> {
        self.continuations += 1;
        let length = self.block.len() + piece.len();
        if self.continuations > CONTINUATIONS_MAX || length > BYTES_MAX {
            return Err(ErrorCode::EnhanceYourCalm);
        }
        // There are few pieces, and the client may send them slowly.
        self.block.reserve_exact(piece.len());
        self.block.extend_from_slice(piece);
        Ok(())
    }
}
