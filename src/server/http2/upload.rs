//! Requests with content. The content is discarded.

use http::header::{CONTENT_LENGTH, EXPECT, HeaderMap};
use http::{Method, Request};
use tokio::time::Instant;

use super::error_code::ErrorCode;

/// Bytes of content that a client may send on one stream before the server extends its
/// window. Requests need no content (HTTP-35).
pub(super) const WINDOW_BYTES: u32 = 16 * 1024;

/// Bytes of content that are discarded before the response is sent although more
/// may come (HTTP-35).
const CONTENT_BYTES_MAX: u64 = 64 * 1024;

/// The content of a request that has not ended. The response waits for it, because invalid
/// content is an error of the stream.
#[derive(Debug)]
pub(super) struct Upload {
    /// The arrival of the request.
    pub(super) begun: Instant,
    stated: Option<u64>,
    discarded: u64,
    /// Bytes that the client may send before the window is extended.
    window: u32,
}

impl Upload {
    /// The content of `request`, which has arrived now. `None` if the client waits for the
    /// response before it sends content (RFC 9110 §9.3.6, §10.1.1).
    pub(super) fn of(request: &Request<()>) -> Option<Self> {
        if request.method() == Method::CONNECT || request.headers().contains_key(EXPECT) {
            return None;
        }
        let stated = stated_length(request.headers());
        Some(Self { begun: Instant::now(), stated, discarded: 0, window: WINDOW_BYTES })
    }

    /// Discards `count` bytes of content, and counts `length` bytes with padding. Returns by how
    /// much the window is to be extended. A client to which the window is not known may send
    /// more (RFC 9113 §6.9.3).
    pub(super) fn discard(
        &mut self,
        count: usize,
        length: usize,
        is_window_known: bool,
    ) -> Result<Option<u32>, ErrorCode> {
        self.discarded += count as u64;
        if self.stated.is_some_and(|stated| self.discarded > stated) {
            return Err(ErrorCode::Protocol);
        }
        let length = length as u32;
        if length > self.window && is_window_known {
            return Err(ErrorCode::FlowControl);
        }
        let used = WINDOW_BYTES - self.window + length;
        if used < WINDOW_BYTES / 2 {
            self.window -= length;
            return Ok(None);
        }
        self.window = WINDOW_BYTES;
        Ok(Some(used))
    }

    /// True if the content may end here (RFC 9113 §8.1.1).
    pub(super) fn is_complete(&self) -> bool {
        self.stated.is_none_or(|stated| self.discarded == stated)
    }

    /// True if the rest is not waited for.
    pub(super) fn is_too_long(&self) -> bool {
        self.discarded > CONTENT_BYTES_MAX
    }
}

/// The length that a head states for its content. `None` if it states none, or no number.
pub(super) fn stated_length(fields: &HeaderMap) -> Option<u64> {
    // A number in Rust may have a sign, which RFC 9110 §8.6 does not allow.
    let digits = fields.get(CONTENT_LENGTH)?.to_str().ok().filter(|text| !text.starts_with('+'));
    digits?.parse().ok()
}
