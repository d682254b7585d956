//! The bytes of a variant. If a file has a gzip variant, its plain bytes are not embedded:
//! they are inflated when a client first requests them, which is rare.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use flate2::{Decompress, FlushDecompress, Status};

use super::inline::InlineHashes;

/// Bytes whose length is known before they are needed.
#[derive(Clone, Debug)]
pub struct Content(Form);

#[derive(Clone, Debug)]
enum Form {
    Ready(Bytes),
    // Behind a pointer, because a large site has many variants, and most of them are ready.
    Deflated(Arc<Deflated>),
}

#[derive(Debug)]
struct Deflated {
    gzip: Bytes,
    length: usize,
    inline: InlineHashes,
    inflated: OnceLock<Bytes>,
}

impl Content {
    /// The bytes that were compressed to `gzip` at build time or at start. Their length is
    /// `length`, and their inline styles and scripts have the hashes `inline`.
    pub(super) fn deflated(gzip: Bytes, length: usize, inline: InlineHashes) -> Self {
        let deflated = Deflated { gzip, length, inline, inflated: OnceLock::new() };
        Self(Form::Deflated(Arc::new(deflated)))
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Ready(bytes) => bytes.len(),
            Form::Deflated(deflated) => deflated.length,
        }
    }

    /// True if there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes. Inflates them at the first call, which takes up to a few
    /// milliseconds, and keeps them.
    pub fn bytes(&self) -> Bytes {
        match &self.0 {
            Form::Ready(bytes) => bytes.clone(),
            Form::Deflated(deflated) => {
                let inflate = || inflate(&deflated.gzip, deflated.length);
                deflated.inflated.get_or_init(inflate).clone()
            }
        }
    }

    /// The hashes of inline styles and scripts, if they are known.
    pub(super) fn inline_hashes(&self) -> Option<&InlineHashes> {
        match &self.0 {
            Form::Ready(_) => None,
            Form::Deflated(deflated) => Some(&deflated.inline),
        }
    }
}

impl<B: Into<Bytes>> From<B> for Content {
    fn from(bytes: B) -> Self {
        Self(Form::Ready(bytes.into()))
    }
}

/// Length of a gzip header without optional fields (RFC 1952 §2.3). Compression at build
/// time and at start writes none of these fields.
const GZIP_HEADER_BYTES: usize = 10;

/// In one step, into a buffer of the right size: `GzDecoder` needs 1.5 times as many
/// instructions.
fn inflate(gzip: &[u8], length: usize) -> Bytes {
    let mut bytes = vec![0; length];
    let deflated = gzip.get(GZIP_HEADER_BYTES..).unwrap_or_default();
    let end = Decompress::new(false).decompress(deflated, &mut bytes, FlushDecompress::Finish);
    debug_assert!(matches!(end, Ok(Status::StreamEnd)), "not the gzip of the build or the start");
    bytes.into()
}

/// The bytes of a file that was compressed at build time.
pub(super) fn inflated(gzip: &[u8]) -> Bytes {
    // RFC 1952 §2.3.1: the length is at the end.
    let length = gzip.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    inflate(gzip, length as usize)
}
