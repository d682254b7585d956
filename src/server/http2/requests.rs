//! The requests of one connection with HTTP/2, and their responses.

use std::sync::Arc;
use std::task::{Context, Poll, ready};

use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream};
use http::{Request, Response, StatusCode};
use tokio::time::Instant;

use super::frame_boundary::{FrameBoundaryStream, Progress};
use super::incoming::Incoming;
use super::ready_responses::ReadyResponses;
use super::waits::{Wait, Waits};
use crate::server::admission::{Command, OpenConnection, Phase};
use crate::server::body::{Content, ResponseBody};
use crate::server::head_limits;
use crate::server::limits::Limits;
use crate::server::pending_responses::PendingResponses;
use crate::server::service::Service;
use crate::server::time_limits::DeadlineTimer;
use crate::server::transport::Transport;

/// The requests of one connection.
pub(super) struct Requests<'a, S: Transport> {
    http: Connection<FrameBoundaryStream<S>, Content>,
    connection: &'a OpenConnection,
    service: &'a Service,
    limits: Limits,
    progress: Arc<Progress>,
    /// Requests whose content has not ended.
    incoming: Vec<Incoming>,
    ready: ReadyResponses,
    responses: Arc<PendingResponses>,
    goaway: Goaway,
    waits: Waits,
    timer: DeadlineTimer,
}

/// The announcement of the connection's end (RFC 9113 §6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goaway {
    None,
    /// Streams that are open go on.
    Announced,
    /// The connection closes as soon as this is sent.
    Last,
}

impl<'a, S: Transport> Requests<'a, S> {
    /// For a connection that was `opened` then. `timer` was its timer up to now.
    pub(super) fn new(
        http: Connection<FrameBoundaryStream<S>, Content>,
        connection: &'a OpenConnection,
        service: &'a Service,
        limits: Limits,
        progress: Arc<Progress>,
        opened: Instant,
        timer: DeadlineTimer,
    ) -> Self {
        Self {
            http,
            connection,
            service,
            limits,
            progress,
            incoming: Vec::new(),
            ready: ReadyResponses::default(),
            responses: Arc::default(),
            goaway: Goaway::None,
            waits: Waits::new(limits, opened),
            timer,
        }
    }

    /// Ready when the connection has ended.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            // Before reading, which looks for unread data only if there is a command by then. One
            // that comes after it is obeyed in the next turn, because a request may be unread.
            let command = self.connection.state.command();
            let is_last = loop {
                match self.http.poll_accept(context) {
                    Poll::Ready(Some(Ok((request, respond)))) => {
                        let stream = respond.stream_id().as_u32();
                        self.receive(request, respond);
                        if stream == self.progress.last_stream() {
                            break true;
                        }
                    }
                    // The connection has ended, with or without an error.
                    Poll::Ready(_) => return Poll::Ready(()),
                    Poll::Pending => break false,
                }
            };
            if let Some(reason) = self.progress.violation()
                && self.close(reason)
            {
                continue;
            }
            if self.progress.has_many_resets() && self.announce_end() {
                continue;
            }
            self.poll_incoming(context);
            // When it is polled again, h2 sends what has been added meanwhile.
            let has_more = self.send_ready() || is_last || self.progress.stop_collecting();
            if has_more || self.obey(command) {
                continue;
            }
            // What is left is the lingering close, or GOAWAY, which waits for space. h2 also closes
            // the connection by itself.
            let state = &self.connection.state;
            if self.goaway == Goaway::Last || state.phase().0 == Phase::Close {
                return Poll::Pending;
            }
            let content = self.incoming.iter().map(|incoming| incoming.begun).min();
            let responses = self.responses.current();
            let (end, wait) = self.waits.next(&self.progress, content, responses, state);
            // While the socket is full, `WriteTimeoutStream` settles.
            let may_go_on = self.progress.has_unread_data() || self.progress.is_blocked();
            if command == Command::Settle && !may_go_on {
                state.settle();
            }
            ready!(self.timer.poll(end, context));
            self.time_out(wait);
        }
    }

    fn receive(&mut self, request: Request<RecvStream>, respond: SendResponse<Content>) {
        self.waits.request_arrived();
        let (request, content) = request.into_parts();
        let request = Request::from_parts(request, ());
        let response = self.response(&request);
        if content.is_end_stream() {
            self.ready.add(response, respond);
        } else {
            let (request, ()) = request.into_parts();
            self.incoming.push(Incoming::new(&request, content, response, respond));
        }
    }

    fn response(&self, request: &Request<()>) -> Response<ResponseBody> {
        let peer = self.connection.peer;
        if head_limits::is_too_large(request) {
            return self.service.reject(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, peer);
        }
        #[cfg(all(debug_assertions, not(fuzzing)))]
        crate::server::panic_injection::inject(request);
        self.service.answer(request, peer)
    }

    /// Adds the responses to the requests whose content has ended.
    fn poll_incoming(&mut self, context: &mut Context<'_>) {
        let mut index = 0;
        while let Some(incoming) = self.incoming.get_mut(index) {
            let Poll::Ready(end) = incoming.poll_end(context) else {
                index += 1;
                continue;
            };
            let Incoming { response, content, respond, .. } = self.incoming.swap_remove(index);
            // Otherwise the stream was reset.
            if end.is_ok() {
                self.ready.add(response, respond);
            }
            drop(content);
        }
    }

    /// Sends the responses that are ready. True if there are any.
    fn send_ready(&mut self) -> bool {
        if self.ready.is_empty() {
            return false;
        }
        if self.connection.is_ending() {
            self.announce_end();
        }
        if self.ready.are_several() {
            self.progress.collect();
        }
        self.ready.send(&self.responses);
        true
    }

    /// Follows the server's command. True if there is something to send.
    fn obey(&mut self, command: Command) -> bool {
        if self.progress.has_unread_data() {
            return false;
        }
        if command != Command::Serve && !self.incoming.is_empty() {
            // The rest of the content is not waited for.
            return self.send_incoming(|_| true);
        }
        if command == Command::Serve && self.goaway != Goaway::Announced {
            return false;
        }
        // A response without content is pending while the socket is full.
        let is_done = self.incoming.is_empty()
            && self.responses.current().is_none()
            && !self.progress.is_blocked();
        let may_close = match command {
            Command::Yield | Command::Settle | Command::Abort => true,
            // In a drain, h2 closes the connection once the client knows of the end: requests
            // may be on their way until then (RFC 9113 §6.8).
            _ => !self.connection.is_draining() && self.progress.partial().is_none(),
        };
        if is_done && may_close {
            if self.waits.has_been_idle() {
                self.progress.omit_lingering();
            }
            self.close(Reason::NO_ERROR)
        } else {
            self.announce_end()
        }
    }

    fn announce_end(&mut self) -> bool {
        if self.goaway != Goaway::None {
            return false;
        }
        self.goaway = Goaway::Announced;
        self.http.graceful_shutdown();
        true
    }

    fn close(&mut self, reason: Reason) -> bool {
        if self.goaway == Goaway::Last {
            return false;
        }
        self.goaway = Goaway::Last;
        self.http.abrupt_shutdown(reason);
        true
    }

    /// Ends what the client has not done in time.
    fn time_out(&mut self, wait: Wait) {
        let now = Instant::now();
        match wait {
            Wait::Response => {
                if !self.responses.are_taken(self.limits.write_timeout, now) {
                    self.close(Reason::CANCEL);
                }
            }
            Wait::Content => {
                let limit = self.limits.header_timeout;
                self.send_incoming(|incoming| incoming.begun + limit <= now);
            }
            Wait::Head | Wait::Request => {
                self.close(Reason::NO_ERROR);
            }
        }
    }

    /// Sends the responses to requests without the rest of their content. True if there
    /// are any.
    fn send_incoming(&mut self, is_due: impl Fn(&Incoming) -> bool) -> bool {
        for incoming in self.incoming.extract_if(.., |incoming| is_due(incoming)) {
            let Incoming { response, respond, .. } = incoming;
            self.ready.add(response, respond);
        }
        self.send_ready()
    }
}
