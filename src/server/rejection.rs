//! Responses to requests that hyper cannot parse.
//!
//! Such a request never reaches the site: hyper responds with 400, 414 or 431 and
//! an empty body, and has no hook for it. HTTP-23 and HTTP-29 apply to them too, so
//! the header fields of the site are added on the way out, and the rejection is
//! logged (DECISION-26).

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::client::Peer;
use super::date;
use super::service::Service;

/// Longest rejection that hyper writes, in bytes, rounded up. Every head of the
/// site is longer, because it has the fields that are missing here.
const REJECTION_MAX_BYTES: usize = 140;

/// `inner`, on which hyper's rejections are completed and logged.
#[derive(Debug)]
pub(super) struct RejectionStream<S> {
    inner: S,
    service: Service,
    peer: Peer,
    completed: Option<Completed>,
}

/// A rejection that is being written.
#[derive(Debug)]
struct Completed {
    status: StatusCode,
    bytes: Vec<u8>,
    written: usize,
    /// Length of hyper's own bytes, which it waits to see written.
    original_length: usize,
}

impl<S> RejectionStream<S> {
    pub(super) fn new(inner: S, service: Service, peer: Peer) -> Self {
        Self { inner, service, peer, completed: None }
    }

    pub(super) fn into_inner(self) -> S {
        self.inner
    }

    fn complete(&self, response: &[u8]) -> Option<Completed> {
        if response.len() > REJECTION_MAX_BYTES || !response.starts_with(b"HTTP/1.") {
            return None;
        }
        let status = StatusCode::from_bytes(response.get(9..12)?).ok()?;
        if !status.is_client_error() {
            return None;
        }
        let head = response.strip_suffix(b"\r\n\r\n")?;
        let bytes = [head, b"\r\n", self.service.rejection_fields(), b"\r\n"].concat();
        Some(Completed { status, bytes, written: 0, original_length: response.len() })
    }
}

impl<S: AsyncWrite + Unpin> RejectionStream<S> {
    /// Responds with `status`, where hyper does not. A client that does not read gets
    /// no response.
    pub(super) async fn reject(&mut self, status: StatusCode) {
        let date = date::now();
        let date = date.to_str().unwrap_or_default();
        let head = format!(
            "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\ndate: {date}\r\n\r\n"
        );
        let written = poll_fn(|context| Pin::new(&mut *self).poll_write(context, head.as_bytes()));
        if written.await.is_ok() {
            let _ = poll_fn(|context| Pin::new(&mut *self).poll_flush(context)).await;
        }
    }

    /// Writes a rejection. Ready with `None` if `content` is not a rejection.
    fn poll_rejection(
        &mut self,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<Option<io::Result<usize>>> {
        if self.completed.is_none() {
            self.completed = self.complete(content);
        }
        while let Some(rejection) = &mut self.completed {
            let rest = &rejection.bytes[rejection.written..];
            if rest.is_empty() {
                let written = rejection.original_length;
                self.service.log_rejection(rejection.status, self.peer);
                self.completed = None;
                return Poll::Ready(Some(Ok(written)));
            }
            match ready!(Pin::new(&mut self.inner).poll_write(context, rest)) {
                Ok(0) => return Poll::Ready(Some(Err(io::ErrorKind::WriteZero.into()))),
                Ok(count) => rejection.written += count,
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        Poll::Ready(None)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for RejectionStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for RejectionStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        match ready!(self.poll_rejection(context, content)) {
            Some(written) => Poll::Ready(written),
            None => Pin::new(&mut self.inner).poll_write(context, content),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // A rejection has no body: hyper writes it as one slice.
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

    /// Only writes what remains: hyper calls this at the end, and does not wait for the
    /// client's close, as [`TimeoutStream::close`](super::time_limits::TimeoutStream::close)
    /// does.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}
