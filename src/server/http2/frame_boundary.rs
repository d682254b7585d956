//! Follows the frames of HTTP/2 (RFC 9113 §4.1), to know whether a client owes the
//! rest of a frame or of a request's head: these have the limit of a head
//! (HTTP-25). h2 does not report how far it has read, nor whether it has written.
//!
//! A frame with a violation that h2 would not notice is not passed on to it.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use h2::Reason;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::collected_frames::CollectedFrames;
use super::frames::Frames;
use crate::server::admission::{Command, ConnectionState, Phase};
use crate::server::time_limits::Linger;
use crate::server::transport::Transport;

/// The stream below h2: follows the client's frames, withholds invalid ones, collects
/// responses, and closes with a linger.
#[derive(Debug)]
pub(super) struct FrameBoundaryStream<S> {
    inner: S,
    frames: Frames,
    collected: CollectedFrames,
    /// True if reading waits for writing.
    is_read_postponed: bool,
    progress: Arc<Progress>,
    state: Arc<ConnectionState>,
    linger: Option<Linger>,
}

/// How far a [`FrameBoundaryStream`] has read and written.
#[derive(Debug)]
pub(super) struct Progress {
    partial: AtomicU32,
    has_unread_data: AtomicBool,
    is_lingering_omitted: AtomicBool,
    is_blocked: AtomicBool,
    is_collecting: AtomicBool,
    has_many_resets: AtomicBool,
    last_stream: AtomicU32,
    violation: OnceLock<Reason>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            // The preface.
            partial: AtomicU32::new(1),
            has_unread_data: AtomicBool::new(false),
            is_lingering_omitted: AtomicBool::new(false),
            is_blocked: AtomicBool::new(false),
            is_collecting: AtomicBool::new(false),
            has_many_resets: AtomicBool::new(false),
            last_stream: AtomicU32::new(0),
            violation: OnceLock::new(),
        }
    }
}

impl Progress {
    /// The number of the frame or head of which only a part has arrived; the preface counts as
    /// one. The next one has another number.
    pub(super) fn partial(&self) -> Option<u32> {
        Some(self.partial.load(Ordering::Relaxed)).filter(|&number| number > 0)
    }

    /// True if the connection is to end and data has arrived that was not read yet.
    pub(super) fn has_unread_data(&self) -> bool {
        self.has_unread_data.load(Ordering::Relaxed)
    }

    /// Closes without waiting for the client's close.
    pub(super) fn omit_lingering(&self) {
        self.is_lingering_omitted.store(true, Ordering::Relaxed);
    }

    /// True while frames wait for space in the send buffer.
    pub(super) fn is_blocked(&self) -> bool {
        self.is_blocked.load(Ordering::Relaxed)
    }

    /// True if the client has reset so many streams that it should get another
    /// connection.
    pub(super) fn has_many_resets(&self) -> bool {
        self.has_many_resets.load(Ordering::Relaxed)
    }

    /// The highest stream that the client has opened; 0 without one.
    pub(super) fn last_stream(&self) -> u32 {
        self.last_stream.load(Ordering::Relaxed)
    }

    /// Collects frames until [`Self::stop_collecting`].
    pub(super) fn collect(&self) {
        self.is_collecting.store(true, Ordering::Relaxed);
    }

    /// True if frames may have been collected. The next read writes them first.
    pub(super) fn stop_collecting(&self) -> bool {
        self.is_collecting() && self.is_collecting.swap(false, Ordering::Relaxed)
    }

    fn is_collecting(&self) -> bool {
        self.is_collecting.load(Ordering::Relaxed)
    }

    /// The error of a frame that was not passed on. Nothing is read after it.
    pub(super) fn violation(&self) -> Option<Reason> {
        self.violation.get().copied()
    }
}

impl<S> FrameBoundaryStream<S> {
    /// Reports to `progress`.
    pub(super) fn new(inner: S, progress: Arc<Progress>, state: Arc<ConnectionState>) -> Self {
        Self {
            inner,
            frames: Frames::new(),
            collected: CollectedFrames::default(),
            is_read_postponed: false,
            progress,
            state,
            linger: None,
        }
    }

    fn after_write<T>(&mut self, written: Poll<T>, context: &Context<'_>) -> Poll<T> {
        self.progress.is_blocked.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() && std::mem::take(&mut self.is_read_postponed) {
            context.waker().wake_by_ref();
        }
        written
    }
}

impl<S: AsyncWrite + Unpin> FrameBoundaryStream<S> {
    fn poll_write_collected(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.collected.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let written = self.collected.poll_write(&mut self.inner, context);
        self.after_write(written, context)
    }
}

impl<S: Transport> AsyncRead for FrameBoundaryStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_write_collected(context))?;
        if self.progress.violation().is_some() {
            return Poll::Pending;
        }
        // Reading stops while the socket is full. Otherwise h2 would queue an answer to each
        // frame, and keep each stream that the client has reset until its answer is sent. The
        // limit on streams does not count these streams (HTTP-35).
        if self.progress.is_blocked() {
            self.is_read_postponed = true;
            return Poll::Pending;
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        let data = &buffer.filled()[filled..];
        if data.is_empty() {
            // Data may have arrived that the runtime does not know of yet.
            let has_unread_data = read.is_pending()
                && self.state.command() != Command::Serve
                && self.inner.has_unread_data();
            self.progress.has_unread_data.store(has_unread_data, Ordering::Relaxed);
            if has_unread_data {
                context.waker().wake_by_ref();
            }
            return read;
        }
        let violation = self.frames.advance(data);
        self.progress.partial.store(self.frames.partial(), Ordering::Relaxed);
        self.progress.has_many_resets.store(self.frames.has_many_resets(), Ordering::Relaxed);
        self.progress.last_stream.store(self.frames.last_stream(), Ordering::Relaxed);
        let Err(reason) = violation else { return read };
        let _ = self.progress.violation.set(reason);
        buffer.set_filled(filled);
        // The connection's task looks at the violation once reading is pending.
        Poll::Pending
    }
}

impl<S: Transport> AsyncWrite for FrameBoundaryStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[io::IoSlice::new(content)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let is_collecting = self.progress.is_collecting();
        if !is_collecting || self.collected.is_full() {
            ready!(self.poll_write_collected(context))?;
        }
        if is_collecting {
            return Poll::Ready(Ok(self.collected.collect(contents)));
        }
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, contents);
        self.after_write(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.progress.is_collecting() {
            return Poll::Ready(Ok(()));
        }
        ready!(self.poll_write_collected(context))?;
        let written = Pin::new(&mut self.inner).poll_flush(context);
        self.after_write(written, context)
    }

    /// Waits for the client's close, too, unless that is omitted.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let stream = &mut *self;
        ready!(stream.poll_write_collected(context))?;
        if stream.linger.is_none() {
            ready!(Pin::new(&mut stream.inner).poll_shutdown(context))?;
            stream.state.enter(Phase::Close, Instant::now());
        }
        if stream.progress.is_lingering_omitted.load(Ordering::Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let linger = stream.linger.get_or_insert_with(Linger::new);
        linger.poll_discard(&mut stream.inner, context).map(Ok)
    }
}
