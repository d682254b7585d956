//! The content of a response, which records how much of it hyper took.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use http_body::{Body, Frame};
use hyper::body::Incoming;
use tokio::time::Sleep;

use super::access_log::Entry;
use super::admission::OpenConnection;

/// A response body of one frame.
#[derive(Debug)]
pub(super) struct ResponseBody {
    content: Option<Content>,
    request: Option<RequestContent>,
}

/// Bytes that wait to be sent, and the request's access log entry. hyper advances over the bytes
/// that it took and drops the rest when the connection ends. In either case dropping this
/// ends the response and writes the entry.
#[derive(Debug)]
pub(super) struct Content {
    bytes: Bytes,
    entry: Option<Box<Entry>>,
    connection: Arc<OpenConnection>,
}

impl ResponseBody {
    pub(super) fn new(
        bytes: Bytes,
        entry: Option<Box<Entry>>,
        connection: Arc<OpenConnection>,
    ) -> Self {
        connection.activity.begin_response();
        Self { content: Some(Content { bytes, entry, connection }), request: None }
    }

    /// Discards the request's content behind the content of the response, before the stream of HTTP/2
    /// ends. Otherwise h2 resets the stream, in the record of the response, and some clients lose
    /// the response (RFC 9113 §8.1).
    pub(super) fn discard(&mut self, body: Incoming, connection: &Arc<OpenConnection>) {
        if !body.is_end_stream() {
            let connection = Arc::clone(connection);
            self.request = Some(RequestContent { body, connection, discarded: 0, timer: None });
        }
    }
}

impl Body for ResponseBody {
    type Data = Content;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Content>, Infallible>>> {
        if let Some(content) = self.content.take_if(|content| content.has_remaining()) {
            return Poll::Ready(Some(Ok(Frame::data(content))));
        }
        self.content = None;
        if let Some(request) = &mut self.request {
            ready!(request.poll_discard(context));
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        let has_content = self.content.as_ref().is_some_and(Content::has_remaining);
        !has_content && self.request.is_none()
    }
}

impl Buf for Content {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        self.connection.activity.record_taken(count);
        if let Some(entry) = &mut self.entry {
            entry.add_taken(count);
        }
    }
}

impl Drop for Content {
    fn drop(&mut self) {
        self.connection.activity.end_response();
    }
}

/// The content of a request, which has no meaning here.
#[derive(Debug)]
struct RequestContent {
    body: Incoming,
    connection: Arc<OpenConnection>,
    discarded: usize,
    /// Starts once the response was taken.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestContent {
    /// Maximum content that is discarded, in bytes, and the time for it.
    const MAX_BYTES: usize = 1024 * 1024;
    const TIMEOUT: Duration = Duration::from_secs(2);

    /// Ready at the end of the content, or once a limit is reached.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(Self::TIMEOUT)));
        while self.discarded < Self::MAX_BYTES && timer.as_mut().poll(context).is_pending() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => {
                    let count = frame.data_ref().map_or(0, Bytes::len);
                    self.discarded += count;
                    self.connection.activity.record_expected(count);
                }
                Some(Err(_)) | None => break,
            }
        }
        Poll::Ready(())
    }
}
