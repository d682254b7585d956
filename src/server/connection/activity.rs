//! What a connection is doing. Its own task records it, and publishes what admission and the drain
//! read on other threads.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use crate::server::admission::{Notice, Permit, Phase, Wait};
use crate::server::limits::{
    ERROR_STREAMS_MAX, KEPT_FREE_BYTES, KEPT_MAX_BYTES, STREAM_BYTES, STREAMS_MAX,
};

/// The state of one connection. Its task and its responses share it, so the server ends only after
/// the lines of all responses are in the access log.
#[derive(Debug)]
pub(super) struct Activity {
    pub(super) permit: Permit,
    /// The notice that the connection's task has read.
    pub(super) notice: Cell<Notice>,
    /// Requests over HTTP/2 that have ended.
    ended_requests: Cell<usize>,
    /// Those of them in this turn, or since the socket became full: their responses may wait in h2.
    ended_while_full: Cell<usize>,
    /// Streams that existed at once, at most.
    streams: Cell<usize>,
    /// Bytes that the connection may keep until it ends; [`usize::MAX`] once a head was too much.
    kept: Cell<usize>,
    /// Milliseconds from the start of the server to the last progress before this turn of the task
    /// (WIRE-25).
    since: Cell<u64>,
    /// True if there was progress in this turn. The clock is read once for a turn, because reading
    /// it several times for a response takes 2 % of its time.
    has_progressed: Cell<bool>,
    is_http2: Cell<bool>,
    /// True from the first byte of a request to the end of its head.
    has_begun_head: Cell<bool>,
    /// Responses whose content hyper or h2 has not taken yet.
    responses: Cell<usize>,
    /// True if the socket takes no more bytes.
    is_full: Cell<bool>,
}

impl Activity {
    /// A client connects in order to send a request, so the first head begins with the connection.
    pub(super) fn new(permit: Permit) -> Self {
        Self {
            notice: Cell::default(),
            ended_requests: Cell::new(0),
            ended_while_full: Cell::new(0),
            streams: Cell::new(0),
            kept: Cell::new(0),
            since: Cell::new(permit.connections.epoch.elapsed().as_millis() as u64),
            has_progressed: Cell::new(false),
            is_http2: Cell::new(false),
            has_begun_head: Cell::new(true),
            responses: Cell::new(0),
            is_full: Cell::new(false),
            permit,
        }
    }

    /// True if the connection uses the pool while that is short.
    pub(super) fn is_in_the_way(&self) -> bool {
        self.notice.get().pool_is_short && self.kept.get() > KEPT_FREE_BYTES
    }

    /// True if the connection has to end once its responses are complete. Half of its maximum, and a
    /// quarter of the pool, are left for what its client sends before it sees GOAWAY.
    pub(super) fn has_to_finish(&self) -> bool {
        let keeps_much = self.kept.get() > KEPT_MAX_BYTES / 2;
        self.notice.get().phase >= Phase::Finish || keeps_much || self.is_in_the_way()
    }

    /// Records that h2 may keep these bytes until the connection ends, and that `heads` have begun.
    /// False if that is too much (WIRE-35).
    pub(super) fn keep(&self, bytes: usize, heads: usize) -> bool {
        // h2 forgets a stream once its request and its response have ended. A head that is no
        // request, or a malformed one, may leave a stream, up to h2's own limits.
        let ended = self.ended_requests.get() - self.ended_while_full.get();
        let streams = heads - ended + self.responses.get();
        let streams = streams.min(STREAMS_MAX as usize + ERROR_STREAMS_MAX);
        self.streams.set(self.streams.get().max(streams));
        let kept = bytes + self.streams.get() * STREAM_BYTES;
        let has_room = self.permit.keep(kept) && kept <= KEPT_MAX_BYTES;
        self.kept.set(if has_room { kept } else { usize::MAX });
        has_room
    }

    /// Records that a request over HTTP/2 has ended.
    pub(super) fn end_request(&self) {
        self.ended_requests.set(self.ended_requests.get() + 1);
        self.ended_while_full.set(self.ended_while_full.get() + 1);
    }

    pub(super) fn wait(&self) -> Wait {
        if self.responses.get() > 0 || self.is_full.get() {
            Wait::Write
        } else if self.has_begun_head.get() {
            Wait::Head
        } else {
            Wait::Idle
        }
    }

    /// The time of the last progress, to the millisecond.
    pub(super) fn since(&self) -> Instant {
        self.permit.connections.epoch + Duration::from_millis(self.since.get())
    }

    fn progress(&self) {
        self.has_progressed.set(true);
    }

    fn publish(&self) {
        self.permit.registration.publish(self.since.get(), self.wait());
    }

    /// Ends a turn of the connection's task.
    pub(super) fn end_turn(&self) {
        if self.has_progressed.take() {
            self.since.set(self.permit.connections.epoch.elapsed().as_millis() as u64);
        }
        if !self.is_full.get() {
            self.ended_while_full.set(0);
        }
        self.publish();
    }

    /// Records that the preface of HTTP/2 is complete. Frames without a request do not prolong the
    /// idle limit.
    pub(super) fn begin_http2(&self) {
        self.is_http2.set(true);
        self.has_begun_head.set(false);
        self.progress();
    }

    /// Records that bytes arrived.
    pub(super) fn record_received(&self) {
        if !self.is_http2.get() && self.wait() == Wait::Idle {
            self.has_begun_head.set(true);
            self.progress();
        }
    }

    /// Records that a head is complete and its response begins.
    pub(super) fn begin_response(&self) {
        // Further requests of a client that does not read are no progress.
        if self.wait() != Wait::Write {
            self.progress();
        }
        self.has_begun_head.set(false);
        self.responses.set(self.responses.get() + 1);
        // At once, so admission does not take the connection for an idle one in the meantime.
        self.publish();
    }

    /// Records that hyper or h2 took bytes of a response's content.
    pub(super) fn record_taken(&self) {
        // A client that opens no window of HTTP/2 never fills the socket.
        if self.is_http2.get() {
            self.progress();
        }
    }

    /// Records that hyper or h2 took the whole content of a response, or dropped it.
    pub(super) fn end_response(&self) {
        self.responses.set(self.responses.get() - 1);
        // While others wait, the end of a response without content is no progress.
        if self.responses.get() == 0 {
            self.progress();
        }
    }

    /// Records that the socket took bytes.
    pub(super) fn record_sent(&self) {
        // With HTTP/2, these may be mere answers to frames such as PING.
        if self.is_full.take() && !self.is_http2.get() {
            self.progress();
        }
    }

    /// Records that the socket takes no bytes: it is full, or the task has to give others a turn
    /// first.
    pub(super) fn record_full(&self) {
        self.is_full.set(true);
    }
}
