//! The content of responses, which records how much of it was taken, and the content of requests.

use std::rc::Rc;

use bytes::{Buf, Bytes};
use h2::RecvStream;
use tokio::time::timeout;

use super::activity::Activity;
use crate::server::access_log::Entry;
use crate::server::limits::DISCARD_TIMEOUT;

/// Bytes that wait to be sent, and the request's access log entry. hyper and h2 advance over the
/// bytes that they took, and drop the rest when the connection ends. In either case dropping this
/// ends the response and writes the entry.
#[derive(Debug)]
pub(super) struct ResponseBytes {
    bytes: Bytes,
    entry: Option<Box<Entry>>,
    activity: Rc<Activity>,
}

impl ResponseBytes {
    pub(super) fn new(bytes: Bytes, entry: Option<Box<Entry>>, activity: Rc<Activity>) -> Self {
        activity.begin_response();
        Self { bytes, entry, activity }
    }
}

impl Buf for ResponseBytes {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        self.activity.record_taken();
        if let Some(entry) = &mut self.entry {
            entry.add_taken(count);
        }
    }
}

impl Drop for ResponseBytes {
    fn drop(&mut self) {
        self.activity.end_response();
    }
}

/// Discards the content of a request over HTTP/2, which has no meaning here, behind its response. h2
/// would reset the stream of unread content in the TLS record of the response, which some clients
/// then lose (RFC 9113 §8.1).
pub(super) async fn discard(mut request: RecvStream, activity: Rc<Activity>) {
    let content = async {
        while let Some(Ok(data)) = request.data().await {
            // A connection that ends gets no more than its windows already admit.
            if activity.has_to_finish() {
                break;
            }
            let _ = request.flow_control().release_capacity(data.len());
        }
    };
    let _ = timeout(DISCARD_TIMEOUT, content).await;
    if request.is_end_stream() {
        activity.end_request();
    }
}
