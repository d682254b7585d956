//! Compression at build time (WIRE-5).

use std::num::NonZeroU64;

use crate::coding::Coding;

/// `content` in `coding`.
pub fn compress(content: &[u8], coding: Coding) -> Result<Vec<u8>, String> {
    match coding {
        Coding::Identity => Ok(content.to_owned()),
        Coding::Gzip => gzip(content),
        Coding::Brotli => brotli(content),
    }
}

fn brotli(content: &[u8]) -> Result<Vec<u8>, String> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)
        .map_err(|error| format!("Brotli: {error}"))?;
    Ok(compressed)
}

fn gzip(content: &[u8]) -> Result<Vec<u8>, String> {
    let mut compressed = Vec::new();
    // The defaults, 15 of each, take much longer and save almost nothing (DECISION-28).
    let options = zopfli::Options {
        iteration_count: NonZeroU64::MIN,
        maximum_block_splits: 3,
        ..zopfli::Options::default()
    };
    zopfli::compress(options, zopfli::Format::Gzip, content, &mut compressed)
        .map_err(|error| format!("zopfli: {error}"))?;
    Ok(compressed)
}
