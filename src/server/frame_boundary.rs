//! Follows the frames of HTTP/2 (RFC 9113 §4.1), to know whether a client owes the
//! rest of a frame or of a request's head: these have the limit of a head
//! (HTTP-25). h2 does not say how far it has read, nor whether it has written.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::connection_state::{ConnectionState, Phase};
use super::linger::Linger;
use super::transport::Transport;

/// Length of a frame's head in bytes.
const FRAME_HEAD_BYTES: usize = 9;

/// Bytes that come before the first frame (RFC 9113 §3.4).
const PREFACE_BYTES: u32 = 24;

const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;

/// The flag of the last frame of a head.
const END_HEADERS: u8 = 4;

/// `inner`, whose incoming frames are followed.
#[derive(Debug)]
pub(super) struct FrameBoundaryStream<S> {
    inner: S,
    frames: Frames,
    progress: Arc<Progress>,
    state: Arc<ConnectionState>,
    linger: Option<Linger>,
}

/// How far a [`FrameBoundaryStream`] has read and written.
#[derive(Debug)]
pub(super) struct Progress {
    is_amid_head: AtomicBool,
    is_blocked: AtomicBool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { is_amid_head: AtomicBool::new(true), is_blocked: AtomicBool::new(false) }
    }
}

impl Progress {
    /// True while the rest of the preface, of a frame or of a head is to come.
    pub(super) fn is_amid_head(&self) -> bool {
        self.is_amid_head.load(Ordering::Relaxed)
    }

    /// True while frames wait for space in the send buffer.
    pub(super) fn is_blocked(&self) -> bool {
        self.is_blocked.load(Ordering::Relaxed)
    }
}

/// Position in a sequence of frames.
#[derive(Debug)]
struct Frames {
    /// Bytes of the preface or of the current frame that are still to come.
    remaining: u32,
    /// The part of a frame's head that has arrived.
    head: [u8; FRAME_HEAD_BYTES],
    head_length: usize,
    /// True between a HEADERS frame and the frame with its end.
    awaits_continuation: bool,
}

impl Frames {
    fn new() -> Self {
        Self {
            remaining: PREFACE_BYTES,
            head: [0; FRAME_HEAD_BYTES],
            head_length: 0,
            awaits_continuation: false,
        }
    }

    fn advance(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            if self.remaining > 0 {
                let count = data.len().min(self.remaining as usize);
                self.remaining -= count as u32;
                data = &data[count..];
                continue;
            }
            let count = data.len().min(FRAME_HEAD_BYTES - self.head_length);
            self.head[self.head_length..][..count].copy_from_slice(&data[..count]);
            self.head_length += count;
            data = &data[count..];
            if self.head_length == FRAME_HEAD_BYTES {
                self.begin_frame();
            }
        }
    }

    fn begin_frame(&mut self) {
        let [a, b, c, kind, flags, ..] = self.head;
        self.head_length = 0;
        self.remaining = u32::from_be_bytes([0, a, b, c]);
        if matches!(kind, HEADERS | CONTINUATION) {
            self.awaits_continuation = flags & END_HEADERS == 0;
        }
    }

    fn is_at_boundary(&self) -> bool {
        self.remaining == 0 && self.head_length == 0 && !self.awaits_continuation
    }
}

impl<S> FrameBoundaryStream<S> {
    /// Reports to `progress`.
    pub(super) fn new(inner: S, progress: Arc<Progress>, state: Arc<ConnectionState>) -> Self {
        Self { inner, frames: Frames::new(), progress, state, linger: None }
    }

    fn after_write<T>(&self, written: Poll<T>) -> Poll<T> {
        self.progress.is_blocked.store(written.is_pending(), Ordering::Relaxed);
        written
    }
}

impl<S: Transport> AsyncRead for FrameBoundaryStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        let data = &buffer.filled()[filled..];
        if !data.is_empty() {
            self.frames.advance(data);
            self.progress.is_amid_head.store(!self.frames.is_at_boundary(), Ordering::Relaxed);
        }
        read
    }
}

impl<S: Transport> AsyncWrite for FrameBoundaryStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        self.after_write(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, contents);
        self.after_write(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = Pin::new(&mut self.inner).poll_flush(context);
        self.after_write(written)
    }

    /// Waits for the client's close, too.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = &mut *self;
        if stream.linger.is_none() {
            ready!(Pin::new(&mut stream.inner).poll_shutdown(context))?;
            stream.state.enter(Phase::Close, Instant::now());
        }
        let linger = stream.linger.get_or_insert_with(Linger::new);
        linger.poll_discard(&mut stream.inner, context).map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, 1];
        frame.resize(FRAME_HEAD_BYTES + usize::from(length), 0);
        frame
    }

    #[test]
    fn a_boundary_is_after_each_whole_frame_and_each_whole_head() {
        for pieces in [1, 2, 5, 1000] {
            let mut frames = Frames::new();
            let mut advance = |bytes: &[u8]| {
                bytes.chunks(pieces).for_each(|piece| frames.advance(piece));
                frames.is_at_boundary()
            };
            assert!(!advance(&[0; 23]));
            assert!(advance(&[0; 1]));
            assert!(advance(&frame(4, 0, 0)));
            assert!(!advance(&frame(8, 0, 4)[..12]));
            assert!(advance(&[0]));
            assert!(advance(&frame(HEADERS, END_HEADERS, 20)));
            assert!(!advance(&frame(HEADERS, 0, 20)));
            assert!(!advance(&frame(CONTINUATION, 0, 0)));
            assert!(advance(&frame(CONTINUATION, END_HEADERS, 1)));
        }
    }
}
