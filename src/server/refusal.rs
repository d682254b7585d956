//! What every answer of this site carries, on the answers that hyper gives by
//! itself.
//!
//! A head that cannot be parsed never becomes a request: hyper answers 400,
//! 414 or 431 with an empty body, before any code of ours could, and has no
//! hook for it. HTTP.md line 23 makes no exception, so its fields are added on
//! the way out.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};

/// The longest refusal that hyper writes, in bytes, rounded up; every head of
/// ours is longer, for the fields that are missing here.
const REFUSAL_MAX_BYTES: usize = 140;

/// `inner`, on which hyper's refusals carry `fields`.
#[derive(Debug)]
pub(super) struct CompleteRefusals<S> {
    inner: S,
    /// Whole field lines, each with its line break.
    fields: Arc<[u8]>,
    completed: Option<Completed>,
}

/// A refusal on its way out.
#[derive(Debug)]
struct Completed {
    bytes: Vec<u8>,
    written: usize,
    /// The length of hyper's own bytes, which it waits to see written.
    stands_for: usize,
}

impl<S> CompleteRefusals<S> {
    pub(super) fn new(inner: S, fields: Arc<[u8]>) -> Self {
        Self { inner, fields, completed: None }
    }

    fn complete(&self, refusal: &[u8]) -> Option<Completed> {
        if refusal.len() > REFUSAL_MAX_BYTES
            || !refusal.starts_with(b"HTTP/1.")
            || refusal.get(9) != Some(&b'4')
        {
            return None;
        }
        let head = refusal.strip_suffix(b"\r\n\r\n")?;
        let bytes = [head, b"\r\n", &self.fields, b"\r\n"].concat();
        Some(Completed { bytes, written: 0, stands_for: refusal.len() })
    }
}

impl<S: Write + Unpin> CompleteRefusals<S> {
    /// Writes the refusal that is on its way; ready with none where hyper's
    /// bytes are no refusal.
    fn poll_refusal(
        &mut self,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<Option<io::Result<usize>>> {
        if self.completed.is_none() {
            self.completed = self.complete(content);
        }
        while let Some(refusal) = &mut self.completed {
            let rest = &refusal.bytes[refusal.written..];
            if rest.is_empty() {
                let written = refusal.stands_for;
                self.completed = None;
                return Poll::Ready(Some(Ok(written)));
            }
            match ready!(Pin::new(&mut self.inner).poll_write(context, rest)) {
                Ok(0) => return Poll::Ready(Some(Err(io::ErrorKind::WriteZero.into()))),
                Ok(count) => refusal.written += count,
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        Poll::Ready(None)
    }
}

impl<S: Read + Unpin> Read for CompleteRefusals<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: Write + Unpin> Write for CompleteRefusals<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_refusal(context, content)) {
            Some(written) => Poll::Ready(written),
            None => Pin::new(&mut self.inner).poll_write(context, content),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A refusal has no body: it is all that there is to write.
        if let [content] = contents {
            return self.poll_write(context, content);
        }
        Pin::new(&mut self.inner).poll_write_vectored(context, contents)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
