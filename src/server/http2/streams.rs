//! The streams of a connection (RFC 9113 §5.1).

use std::ops::Range;

use http::Response;

use super::upload::Upload;
use crate::server::body::{Content, ResponseBody};

/// Streams that may be open at a time (HTTP-35).
pub(super) const OPEN_MAX: usize = 100;

/// Streams for which there is space at once: a page and all that it loads.
const OPEN_OFTEN: usize = 10;

/// Streams that are remembered as abandoned. What a client sends on them may be on its way for a
/// round trip.
const ABANDONED_MAX: usize = 1000;

/// Gaps in the numbers of streams that are remembered. Ordinary clients leave none.
const GAPS_MAX: usize = 100;

/// A request that has not its whole response.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) id: u32,
    /// Bytes of content that the client accepts. A change of its settings can make it negative.
    pub(super) window: i64,
    /// True if the client has not ended the stream.
    pub(super) is_receiving: bool,
    /// The content of the request that the response waits for.
    pub(super) upload: Option<Upload>,
    /// The response before its head is sent.
    pub(super) response: Option<Box<Response<ResponseBody>>>,
    /// The part of the response's content that has not been sent, after the head.
    pub(super) content: Option<Content>,
}

impl Stream {
    /// True if the response can be sent, and its head has not been.
    pub(super) fn is_ready(&self) -> bool {
        self.upload.is_none() && self.response.is_some()
    }
}

/// The state of a stream (RFC 9113 §5.1), as far as it decides what the client may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamState {
    /// It was not opened yet.
    Idle,
    /// It is open; its position is stated.
    Open(usize),
    /// The server has ended it, and the client has not.
    Abandoned,
    /// A stream with a higher number was opened instead.
    LeftOut,
    /// The client has ended or reset it.
    Closed,
}

/// All streams of a connection.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// In the order of their numbers.
    open: Vec<Stream>,
    /// The highest stream that the client has opened; 0 without one.
    last: u32,
    /// Streams that the server has ended and the client has not, oldest first.
    abandoned: Vec<u32>,
    /// Streams below `last` that the client has never opened, oldest first.
    gaps: Vec<Range<u32>>,
}

impl Streams {
    /// The highest stream that the client has opened; 0 without one.
    pub(super) fn last(&self) -> u32 {
        self.last
    }

    pub(super) fn open(&self) -> &[Stream] {
        &self.open
    }

    pub(super) fn open_mut(&mut self) -> &mut [Stream] {
        &mut self.open
    }

    pub(super) fn state(&self, id: u32) -> StreamState {
        // The client's streams have odd numbers (RFC 9113 §5.1.1).
        if id > self.last || id.is_multiple_of(2) {
            return StreamState::Idle;
        }
        if let Ok(index) = self.open.binary_search_by_key(&id, |stream| stream.id) {
            return StreamState::Open(index);
        }
        if self.abandoned.contains(&id) {
            return StreamState::Abandoned;
        }
        let is_left_out = self.gaps.iter().any(|gap| gap.contains(&id));
        if is_left_out { StreamState::LeftOut } else { StreamState::Closed }
    }

    /// Records that the client has opened an idle stream.
    pub(super) fn begin(&mut self, id: u32) {
        let next = (self.last + 1) | 1;
        if id > next {
            remember(&mut self.gaps, next..id, GAPS_MAX);
        }
        self.last = id;
    }

    /// Adds the stream that was opened last.
    pub(super) fn add(&mut self, stream: Stream) {
        if self.open.is_empty() {
            self.open.reserve(OPEN_OFTEN);
        }
        self.open.push(stream);
    }

    /// Ends an open stream on the server's side. True if the client has not ended it.
    pub(super) fn end(&mut self, index: usize) -> bool {
        let stream = self.open.remove(index);
        if self.open.is_empty() {
            // Frees the space: few clients open many streams at a time again.
            self.open = Vec::new();
        }
        if stream.is_receiving {
            self.abandon(stream.id);
        }
        stream.is_receiving
    }

    /// Records that the server has ended a stream that the client has not ended.
    pub(super) fn abandon(&mut self, id: u32) {
        remember(&mut self.abandoned, id, ABANDONED_MAX);
    }

    /// Records that the client has ended an abandoned stream.
    pub(super) fn forget_abandoned(&mut self, id: u32) {
        self.abandoned.retain(|&abandoned| abandoned != id);
    }
}

/// Adds `item`, and removes the oldest one if there are more than `count_max`.
fn remember<T>(items: &mut Vec<T>, item: T, count_max: usize) {
    if items.len() == count_max {
        items.remove(0);
    }
    items.push(item);
}
