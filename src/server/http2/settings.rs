//! The settings of the server (RFC 9113 §6.5).

use super::frame;
use super::streams::OPEN_MAX;
use super::upload::WINDOW_BYTES;

/// Size of a head that is announced, as RFC 9113 §6.5.2 counts it. A client that keeps to it may
/// still send some heads that are too large, so that it gets a response that says so.
pub(super) const HEAD_BYTES: u32 = 32 * 1024;

/// The payload of the frame that announces them.
pub(super) fn announced() -> Vec<u8> {
    let settings = [
        (frame::MAX_CONCURRENT_STREAMS, OPEN_MAX as u32),
        (frame::INITIAL_WINDOW_SIZE, WINDOW_BYTES),
        (frame::MAX_HEADER_LIST_SIZE, HEAD_BYTES),
    ];
    let bytes = settings
        .iter()
        .flat_map(|(id, value)| id.to_be_bytes().into_iter().chain(value.to_be_bytes()));
    bytes.collect()
}
