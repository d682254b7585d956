//! The frames that are to be sent. Those of several responses leave in one record of TLS and
//! with one system call (DECISION-53).

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Buf;
use tokio::io::AsyncWrite;

use super::error_code::ErrorCode;
use super::frame::{self, FrameHead};
use super::shared_space;
use crate::server::body::Content;

/// Bytes that are written at a time: those of one record (RFC 8446 §5.1). Content is added only
/// up to this length.
const BYTES_MAX: usize = 16 * 1024;

/// The space of the output: heads may follow content up to [`BYTES_MAX`].
const SPACE_BYTES: usize = BYTES_MAX + 2 * 1024;

thread_local! {
    static SPACE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Frames that wait to be written.
#[derive(Debug, Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    written: usize,
}

impl Output {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Number of bytes of content that a DATA frame could add.
    pub(super) fn space(&self) -> usize {
        BYTES_MAX.saturating_sub(self.bytes.len() + frame::HEAD_BYTES)
    }

    pub(super) fn add(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        shared_space::take(&SPACE, SPACE_BYTES, &mut self.bytes);
        FrameHead { length: payload.len(), kind, flags, stream }.write(&mut self.bytes);
        self.bytes.extend_from_slice(payload);
    }

    pub(super) fn add_reset(&mut self, stream: u32, code: ErrorCode) {
        self.add(frame::RST_STREAM, 0, stream, &(code as u32).to_be_bytes());
    }

    pub(super) fn add_goaway(&mut self, last_stream: u32, code: ErrorCode) {
        let payload = u64::from(last_stream) << 32 | u64::from(code as u32);
        self.add(frame::GOAWAY, 0, 0, &payload.to_be_bytes());
    }

    pub(super) fn add_window_update(&mut self, stream: u32, increment: u32) {
        self.add(frame::WINDOW_UPDATE, 0, stream, &increment.to_be_bytes());
    }

    /// Adds a head, which `encode` appends to the bytes.
    pub(super) fn add_head(
        &mut self,
        stream: u32,
        is_end: bool,
        encode: impl FnOnce(&mut Vec<u8>),
    ) {
        shared_space::take(&SPACE, SPACE_BYTES, &mut self.bytes);
        let begin = self.bytes.len();
        let end_stream = if is_end { frame::END_STREAM } else { 0 };
        let flags = end_stream | frame::END_HEADERS;
        let mut head = FrameHead { length: 0, kind: frame::HEADERS, flags, stream };
        head.write(&mut self.bytes);
        let block = self.bytes.len();
        encode(&mut self.bytes);
        head.length = self.bytes.len() - block;
        if head.length > frame::PAYLOAD_BYTES_MAX {
            let block = self.bytes.split_off(block);
            self.bytes.truncate(begin);
            return self.add_long_head(stream, end_stream, &block);
        }
        let [_, length @ ..] = (head.length as u32).to_be_bytes();
        self.bytes[begin..begin + length.len()].copy_from_slice(&length);
    }

    /// Adds a head that needs several frames (RFC 9113 §6.10).
    fn add_long_head(&mut self, stream: u32, end_stream: u8, block: &[u8]) {
        let (first, rest) = block.split_at(frame::PAYLOAD_BYTES_MAX);
        self.add(frame::HEADERS, end_stream, stream, first);
        let mut pieces = rest.chunks(frame::PAYLOAD_BYTES_MAX).peekable();
        while let Some(piece) = pieces.next() {
            let flags = if pieces.peek().is_none() { frame::END_HEADERS } else { 0 };
            self.add(frame::CONTINUATION, flags, stream, piece);
        }
    }

    /// Adds the next `count` bytes of `content`.
    pub(super) fn add_content(&mut self, stream: u32, content: &mut Content, count: usize) {
        let flags = if count == content.remaining() { frame::END_STREAM } else { 0 };
        self.add(frame::DATA, flags, stream, &content.chunk()[..count]);
        content.advance(count);
    }

    /// Writes all bytes to `stream`, and frees their space.
    pub(super) fn poll_write<S: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.written < self.bytes.len() {
            let end = self.bytes.len().min(self.written + BYTES_MAX);
            let next = &self.bytes[self.written..end];
            match ready!(Pin::new(&mut *stream).poll_write(context, next))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        shared_space::give_back(&SPACE, SPACE_BYTES, &mut self.bytes);
        self.written = 0;
        Pin::new(stream).poll_flush(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_head_is_continued() {
        for (length, expected) in [
            (16_384, &[(frame::HEADERS, 0x5, 16_384)][..]),
            (16_385, &[(frame::HEADERS, 0x1, 16_384), (frame::CONTINUATION, 0x4, 1)]),
            (
                40_000,
                &[
                    (frame::HEADERS, 0x1, 16_384),
                    (frame::CONTINUATION, 0, 16_384),
                    (frame::CONTINUATION, 0x4, 7_232),
                ],
            ),
        ] {
            let mut output = Output::default();
            output.add_head(1, true, |block| block.resize(block.len() + length, 7));
            let mut rest = &output.bytes[..];
            let mut frames = Vec::new();
            while let Some(head) = rest.first_chunk() {
                let head = FrameHead::parse(*head).unwrap();
                assert_eq!(head.stream, 1);
                frames.push((head.kind, head.flags, head.length));
                rest = &rest[frame::HEAD_BYTES + head.length..];
            }
            assert_eq!(frames, expected);
        }
    }
}
