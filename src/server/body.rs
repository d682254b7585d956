//! The content of a response, which reports to the access log how much of it
//! was sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};

use super::access_log::Entry;

/// A response body of one frame.
#[derive(Debug)]
pub(super) struct ResponseBody {
    content: Option<Content>,
}

/// Bytes that wait to be sent, and the request's access log entry. hyper and `http2`
/// advance over the bytes that were sent and drop the rest when the
/// connection ends. In either case dropping this writes the entry.
#[derive(Debug)]
pub(super) struct Content {
    bytes: Bytes,
    entry: Option<Box<Entry>>,
}

impl ResponseBody {
    pub(super) fn new(bytes: Bytes, entry: Option<Box<Entry>>) -> Self {
        Self { content: Some(Content { bytes, entry }) }
    }

    /// The content; `None` if there is none to send.
    pub(super) fn into_content(self) -> Option<Content> {
        self.content.filter(Content::has_remaining)
    }

    fn length(&self) -> usize {
        self.content.as_ref().map_or(0, |content| content.bytes.len())
    }
}

impl Body for ResponseBody {
    type Data = Content;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Content>, Infallible>>> {
        Poll::Ready(self.content.take().map(|content| Ok(Frame::data(content))))
    }

    fn is_end_stream(&self) -> bool {
        self.length() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length() as u64)
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
        if let Some(entry) = &mut self.entry {
            entry.add_sent(count);
        }
    }
}
