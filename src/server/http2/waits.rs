//! What a connection with HTTP/2 waits for, and until when (HTTP-25).

use std::sync::Arc;

use tokio::time::Instant;

use super::frame_boundary::Progress;
use crate::server::admission::{ConnectionState, Phase};
use crate::server::limits::Limits;
use crate::server::pending_responses::Period;

/// What the client has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Take more of the responses.
    Response,
    /// Send the first request, or the rest of a frame or of a head.
    Head,
    /// Send the rest of a request's content.
    Content,
    /// Send another request.
    Request,
}

/// The times at which the waits of one connection began.
#[derive(Debug)]
pub(super) struct Waits {
    limits: Limits,
    opened: Instant,
    /// True until the first request has arrived.
    is_first: bool,
    /// Number of the incomplete frame or head, and the time at which it was first seen.
    partial: Option<(u32, Instant)>,
    /// The end of the last response; `None` while there are requests.
    idle_since: Option<Instant>,
}

impl Waits {
    /// For a connection that was `opened` then.
    pub(super) fn new(limits: Limits, opened: Instant) -> Self {
        Self { limits, opened, is_first: true, partial: None, idle_since: None }
    }

    /// Records that a request has arrived.
    pub(super) fn end(&mut self) {
        self.is_first = false;
        self.idle_since = None;
    }

    /// True if the connection has waited for another request since the last one.
    pub(super) fn is_idle(&self) -> bool {
        self.idle_since.is_some()
    }

    /// The wait that ends first, and the time at which it does. `content` is the time since
    /// which the content of a request is missing, and `responses` the measuring period of
    /// the responses. The phase in `state` follows.
    pub(super) fn next(
        &mut self,
        progress: &Progress,
        content: Option<Instant>,
        responses: Option<Period>,
        state: &Arc<ConnectionState>,
    ) -> (Instant, Wait) {
        let Limits { header_timeout, idle_timeout, write_timeout, .. } = self.limits;
        let response = responses.map(|period| {
            state.enter(Phase::Write, period.since);
            state.set_bytes_sent(period.bytes);
            (period.since + write_timeout, Wait::Response)
        });
        if progress.is_blocked() {
            // Nothing is read, so the client cannot send the rest of a head.
            self.partial = None;
            // `WriteTimeoutStream` has entered the phase `Write` and enforces the time limit.
            return response.unwrap_or((Instant::now() + write_timeout, Wait::Response));
        }
        let head = self.head_since(progress).map(|since| (since, Wait::Head));
        let content = content.map(|since| (since, Wait::Content));
        let request = head.into_iter().chain(content).min_by_key(|&(since, _)| since);
        if let (None, Some((since, _))) = (response, request) {
            state.enter(Phase::Head, since);
        }
        let request = request.map(|(since, wait)| (since + header_timeout, wait));
        let next = response.into_iter().chain(request).min_by_key(|&(end, _)| end);
        next.unwrap_or_else(|| {
            // Frames other than requests do not prolong the idle time.
            let since = *self.idle_since.get_or_insert_with(Instant::now);
            state.enter(Phase::Idle, since);
            (since + idle_timeout, Wait::Request)
        })
    }

    /// The time since which the first request, or the rest of a frame or of a head is missing.
    fn head_since(&mut self, progress: &Progress) -> Option<Instant> {
        let known = self.partial;
        self.partial = progress.partial().map(|number| {
            known.filter(|(known, _)| *known == number).unwrap_or_else(|| (number, Instant::now()))
        });
        if self.is_first { Some(self.opened) } else { self.partial.map(|(_, since)| since) }
    }
}
