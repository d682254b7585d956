//! One connection with HTTP/2 (RFC 9113).
//!
//! h2 is used without hyper, which hides what the limits of HTTP-25 and HTTP-35 depend
//! on, such as how much of a response the client has taken (DECISION-45).

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream};
use http::{Request, Response, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::frame_boundary::{FrameBoundaryStream, Progress};
use super::incoming::Incoming;
use super::ready_responses::ReadyResponses;
use crate::server::admission::{Command, OpenConnection, Phase};
use crate::server::body::{Content, ResponseBody};
use crate::server::head_limits;
use crate::server::limits::Limits;
use crate::server::pending_responses::PendingResponses;
use crate::server::service::Service;
use crate::server::time_limits::DeadlineTimer;
use crate::server::transport::Transport;

/// Requests of one connection that may be open at a time.
const STREAMS_MAX: u32 = 100;

/// Maximum size that h2 decodes. It answers a larger head itself, without the fields
/// of HTTP-23 and without a line in the access log.
const DECODED_HEAD_MAX_BYTES: u32 = 2 * head_limits::BYTES_MAX as u32;

/// Bytes of content that a client may send on one stream before its window is opened
/// further. Requests need no content.
const WINDOW_BYTES: u32 = 16 * 1024;

/// Streams that a client can have the server reset by breaking the protocol before
/// it loses the connection (CVE-2025-8671).
const LOCAL_RESETS_MAX: usize = 8;

/// Streams that a client can reset before they are accepted (CVE-2023-44487).
const REMOTE_RESETS_MAX: usize = 8;

/// Serves one connection to its end.
pub(in crate::server) async fn serve(
    stream: impl Transport,
    connection: &OpenConnection,
    service: &Service,
    limits: Limits,
) {
    let progress = Arc::<Progress>::default();
    let state = &connection.state;
    let stream = FrameBoundaryStream::new(stream, Arc::clone(&progress), Arc::clone(state));
    let (_, opened) = state.phase();
    // The block drops the handshake, so that the requests can use the same space.
    let http = {
        let handshake = h2::server::Builder::new()
            .max_concurrent_streams(STREAMS_MAX)
            .max_header_list_size(DECODED_HEAD_MAX_BYTES)
            .initial_window_size(WINDOW_BYTES)
            .max_local_error_reset_streams(Some(LOCAL_RESETS_MAX))
            .max_pending_accept_reset_streams(REMOTE_RESETS_MAX)
            .handshake(stream);
        let mut handshake = pin!(handshake);
        let preface = poll_fn(|context| match handshake.as_mut().poll(context) {
            Poll::Pending if state.command() != Command::Serve => Poll::Ready(None),
            preface => preface.map(Result::ok),
        });
        let Ok(Some(http)) = timeout_at(opened + limits.header_timeout, preface).await else {
            return;
        };
        http
    };
    let mut requests = Requests {
        http,
        connection,
        service,
        limits,
        progress,
        incoming: Vec::new(),
        ready: ReadyResponses::default(),
        responses: Arc::default(),
        is_first: true,
        idle_since: None,
        goaway: Goaway::None,
        timer: DeadlineTimer::new(opened + limits.header_timeout),
    };
    poll_fn(|context| requests.poll(context)).await;
}

/// The requests of one connection.
struct Requests<'a, S: Transport> {
    http: Connection<FrameBoundaryStream<S>, Content>,
    connection: &'a OpenConnection,
    service: &'a Service,
    limits: Limits,
    progress: Arc<Progress>,
    /// Requests whose content has not ended.
    incoming: Vec<Incoming>,
    ready: ReadyResponses,
    responses: Arc<PendingResponses>,
    /// True until the first request has arrived.
    is_first: bool,
    /// The end of the last response; `None` while there are requests.
    idle_since: Option<Instant>,
    goaway: Goaway,
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

impl<S: Transport> Requests<'_, S> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
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
            if self.send_ready() || is_last || self.progress.stop_collecting() || self.obey() {
                continue;
            }
            let deadline = self.deadline();
            if self.goaway == Goaway::Last {
                return Poll::Pending;
            }
            ready!(self.timer.poll(deadline, context));
            self.after_deadline();
        }
    }

    fn receive(&mut self, request: Request<RecvStream>, respond: SendResponse<Content>) {
        self.is_first = false;
        self.idle_since = None;
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
        #[cfg(debug_assertions)]
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
    fn obey(&mut self) -> bool {
        let command = self.connection.state.command();
        if command == Command::Serve && self.goaway != Goaway::Announced {
            return false;
        }
        // A response without content is pending while the socket is full.
        let is_idle = self.incoming.is_empty()
            && self.responses.current().is_none()
            && !self.progress.is_blocked();
        if is_idle && (command == Command::Yield || !self.progress.is_amid_head()) {
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

    /// Records what the connection waits for. Returns the time until which it does
    /// (HTTP-25).
    fn deadline(&mut self) -> Instant {
        let state = &self.connection.state;
        if let Some(period) = self.responses.current() {
            state.enter(Phase::Write, period.since);
            state.set_bytes_sent(period.bytes);
            return period.since + self.limits.write_timeout;
        }
        if self.progress.is_blocked() {
            // `WriteTimeoutStream` has entered the phase `Write` and enforces the time limit.
            return Instant::now() + self.limits.write_timeout;
        }
        if self.is_first || self.progress.is_amid_head() || !self.incoming.is_empty() {
            let since = match state.phase() {
                (Phase::Head, since) => since,
                _ => Instant::now(),
            };
            state.enter(Phase::Head, since);
            return since + self.limits.header_timeout;
        }
        // Frames other than requests do not prolong the idle time.
        let since = *self.idle_since.get_or_insert_with(Instant::now);
        state.enter(Phase::Idle, since);
        since + self.limits.idle_timeout
    }

    fn after_deadline(&mut self) {
        match self.connection.state.phase().0 {
            Phase::Write => {
                if !self.responses.are_taken(self.limits.write_timeout, Instant::now()) {
                    self.close(Reason::CANCEL);
                }
            }
            Phase::Head if !self.incoming.is_empty() => {
                for Incoming { response, respond, .. } in std::mem::take(&mut self.incoming) {
                    self.ready.add(response, respond);
                }
                self.send_ready();
            }
            _ => {
                self.close(Reason::NO_ERROR);
            }
        }
    }
}
