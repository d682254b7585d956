//! What a connection with HTTP/2 waits for, and until when (HTTP-25).

use tokio::time::Instant;

use super::pending_responses::Period;
use crate::server::admission::{ConnectionState, Phase};
use crate::server::limits::Limits;
use crate::server::time_limits::Linger;

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
    pub(super) fn request_arrived(&mut self) {
        self.is_first = false;
        self.idle_since = None;
    }

    /// True if the connection has been idle for so long that its client has the last response,
    /// or has lost its network.
    pub(super) fn has_been_idle(&self) -> bool {
        self.idle_since.is_some_and(|since| since.elapsed() >= Linger::TIMEOUT)
    }

    /// The wait that ends first, and the time at which it does. `partial` is the number of the
    /// incomplete frame or head, `content` the time since which the content of a request is
    /// missing, and `responses` the measuring period of the responses. `is_blocked` is true if
    /// the socket is full. Sets the phase in `state` accordingly.
    pub(super) fn next(
        &mut self,
        partial: Option<u32>,
        is_blocked: bool,
        content: Option<Instant>,
        responses: Option<Period>,
        state: &ConnectionState,
    ) -> (Instant, Wait) {
        let Limits { header_timeout, idle_timeout, write_timeout, .. } = self.limits;
        let response = responses.map(|period| {
            state.enter(Phase::Write, period.since);
            state.set_bytes_sent(period.bytes);
            (period.since + write_timeout, Wait::Response)
        });
        if is_blocked {
            // Nothing is read, so the client cannot send the rest of a head.
            self.partial = None;
            // `WriteTimeoutStream` has entered the phase `Write` and enforces the time limit.
            return response.unwrap_or((Instant::now() + write_timeout, Wait::Response));
        }
        // Frames other than requests do not prolong the idle time.
        let is_idle = response.is_none() && content.is_none() && !self.is_first;
        let idle = is_idle.then(|| *self.idle_since.get_or_insert_with(Instant::now));
        let head = self.head_since(partial).map(|since| (since, Wait::Head));
        let content = content.map(|since| (since, Wait::Content));
        let request = head.into_iter().chain(content).min_by_key(|&(since, _)| since);
        match (response, request, idle) {
            (None, Some((since, _)), _) => state.enter(Phase::Head, since),
            (None, None, Some(since)) => state.enter(Phase::Idle, since),
            _ => {}
        }
        let request = request.map(|(since, wait)| (since + header_timeout, wait));
        let idle = idle.map(|since| (since + idle_timeout, Wait::Request));
        let first = response.into_iter().chain(request).chain(idle).min_by_key(|&(end, _)| end);
        // There always is one: a connection that waits for neither of the first two is idle.
        first.unwrap_or((Instant::now() + idle_timeout, Wait::Request))
    }

    /// The time since which the first request, or the rest of a frame or of a head is missing.
    fn head_since(&mut self, partial: Option<u32>) -> Option<Instant> {
        let known = self.partial;
        self.partial = partial.map(|number| {
            known.filter(|(known, _)| *known == number).unwrap_or_else(|| (number, Instant::now()))
        });
        if self.is_first { Some(self.opened) } else { self.partial.map(|(_, since)| since) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::server::admission::Connections;
    use crate::server::client::Peer;

    /// Admission closes the connection that waits for its client to read, or for a head, by
    /// different rules (HTTP-26).
    #[test]
    fn admission_knows_what_a_connection_waits_for() {
        let limits = Limits::default();
        let state = Arc::clone(&Connections::new(&limits).admit_beyond_cap(Peer::Unix).state);
        let opened = state.phase().1;
        let begun = opened + Duration::from_secs(1);
        let mut waits = Waits::new(limits, opened);

        let period = Period { since: begun, bytes: 5 };
        let (_, wait) = waits.next(Some(0), false, None, Some(period), &state);
        assert_eq!((wait, state.phase()), (Wait::Head, (Phase::Write, begun)));
        assert_eq!(state.bytes_sent(), 5);

        let (_, wait) = waits.next(Some(0), false, None, None, &state);
        assert_eq!((wait, state.phase()), (Wait::Head, (Phase::Head, opened)));
    }
}
