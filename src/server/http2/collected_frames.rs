//! Collects the frames of several responses, so that they leave in one record of TLS
//! and with one system call.
//!
//! h2 writes and flushes each DATA frame alone (DECISION-53).

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;

/// Bytes that are collected at most: those of one record (RFC 8446 §5.1).
const COLLECTED_MAX_BYTES: usize = 16 * 1024;

/// Bytes that are still to be written.
#[derive(Debug, Default)]
pub(super) struct CollectedFrames {
    bytes: Vec<u8>,
    written: usize,
}

impl CollectedFrames {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() == COLLECTED_MAX_BYTES
    }

    /// Takes as much of `contents` as there is space for. Returns its length.
    pub(super) fn collect(&mut self, contents: &[IoSlice<'_>]) -> usize {
        if self.is_empty() {
            // Freed when it is written, so that an idle connection takes no space for it.
            self.bytes.reserve_exact(COLLECTED_MAX_BYTES);
        }
        let before = self.bytes.len();
        for content in contents {
            let space = COLLECTED_MAX_BYTES - self.bytes.len();
            self.bytes.extend_from_slice(&content[..content.len().min(space)]);
        }
        self.bytes.len() - before
    }

    /// Writes all bytes to `stream`.
    pub(super) fn poll_write<S: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.written < self.bytes.len() {
            let rest = &self.bytes[self.written..];
            match ready!(Pin::new(&mut *stream).poll_write(context, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        *self = Self::default();
        Poll::Ready(Ok(()))
    }
}
