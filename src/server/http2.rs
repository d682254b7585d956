//! One connection with HTTP/2 (RFC 9113).
//!
//! h2 is used without hyper, because the site's content needs no copy and because
//! the limits of HTTP-25 concern single streams: hyper shows neither.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream};
use http::header::{DATE, EXPECT};
use http::request::Parts;
use http::{Request, Response, StatusCode};
use tokio::time::{Instant, Sleep, timeout_at};

use super::admission::OpenConnection;
use super::body::{Content, ResponseBody};
use super::connection_state::{Command, Phase};
use super::date;
use super::frame_boundary::FrameBoundaryStream;
use super::limits::Limits;
use super::pending_responses::PendingResponses;
use super::service::Service;
use super::transport::Transport;

/// Requests of one connection that may be open at a time.
const STREAMS_MAX: u32 = 100;

/// Maximum size of a request's head in bytes, as RFC 9113 §6.5.2 counts it.
const HEAD_MAX_BYTES: u32 = 16 * 1024;

/// Maximum number of header fields of a request (HTTP-19); hyper has the same.
const FIELDS_MAX: usize = 100;

/// Bytes of content that a client may send on one stream without being asked.
/// Requests need none.
const WINDOW_BYTES: u32 = 16 * 1024;

/// Bytes of content that are discarded before the response is sent although more
/// may come.
const CONTENT_MAX_BYTES: usize = 64 * 1024;

/// Streams that a client can have the server reset by breaking the protocol before
/// it loses the connection (CVE-2025-8671).
const LOCAL_RESETS_MAX: usize = 8;

/// Streams that a client can reset before they are accepted (CVE-2023-44487).
const REMOTE_RESETS_MAX: usize = 8;

/// Serves one connection to its end.
pub(super) async fn serve(
    stream: impl Transport,
    connection: &OpenConnection,
    service: &Service,
    limits: Limits,
) {
    let is_amid_head = Arc::new(AtomicBool::new(true));
    let state = Arc::clone(&connection.state);
    let stream = FrameBoundaryStream::new(stream, Arc::clone(&is_amid_head), state);
    let (_, opened) = connection.state.phase();
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_MAX_BYTES)
        .initial_window_size(WINDOW_BYTES)
        .max_local_error_reset_streams(Some(LOCAL_RESETS_MAX))
        .max_pending_accept_reset_streams(REMOTE_RESETS_MAX)
        .handshake(stream);
    let Ok(Ok(http)) = timeout_at(opened + limits.header_timeout, handshake).await else {
        return;
    };
    let mut requests = Requests {
        http,
        connection,
        service,
        limits,
        is_amid_head,
        incoming: Vec::new(),
        responses: Arc::default(),
        is_first: true,
        idle_since: opened,
        goaway: Goaway::None,
        timer: Box::pin(tokio::time::sleep_until(opened + limits.header_timeout)),
    };
    std::future::poll_fn(|context| requests.poll(context)).await;
}

/// The requests of one connection.
struct Requests<'a, S: Transport> {
    http: Connection<FrameBoundaryStream<S>, Content>,
    connection: &'a OpenConnection,
    service: &'a Service,
    limits: Limits,
    is_amid_head: Arc<AtomicBool>,
    /// Requests whose content has not ended.
    incoming: Vec<Incoming>,
    responses: Arc<PendingResponses>,
    /// True until the first request has arrived.
    is_first: bool,
    idle_since: Instant,
    goaway: Goaway,
    timer: Pin<Box<Sleep>>,
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

/// A request with content, which is discarded. The response waits for its end:
/// what is wrong with the content is an error of the stream.
struct Incoming {
    request: Parts,
    content: RecvStream,
    discarded: usize,
    respond: SendResponse<Content>,
}

impl Incoming {
    /// Ready once the content has ended, or need not be waited for.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Result<(), h2::Error>> {
        // The client waits for the server (RFC 9110 §10.1.1).
        if self.request.headers.contains_key(EXPECT) {
            return Poll::Ready(Ok(()));
        }
        while let Some(data) = ready!(self.content.poll_data(context)) {
            let length = data?.len();
            self.discarded += length;
            if self.discarded > CONTENT_MAX_BYTES {
                return Poll::Ready(Ok(()));
            }
            self.content.flow_control().release_capacity(length)?;
        }
        self.content.poll_trailers(context).map_ok(drop)
    }
}

impl<S: Transport> Requests<'_, S> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            loop {
                match self.http.poll_accept(context) {
                    Poll::Ready(Some(Ok((request, respond)))) => self.receive(request, respond),
                    // The connection has ended, by an error or without.
                    Poll::Ready(_) => return Poll::Ready(()),
                    Poll::Pending => break,
                }
            }
            let answered = self.poll_incoming(context);
            // Polled again, h2 sends what has been added meanwhile.
            if answered || self.obey() {
                continue;
            }
            let deadline = self.deadline();
            ready!(self.poll_deadline(deadline, context));
            self.after_deadline();
        }
    }

    fn receive(&mut self, request: Request<RecvStream>, respond: SendResponse<Content>) {
        self.is_first = false;
        let (request, content) = request.into_parts();
        if content.is_end_stream() {
            self.answer(request, respond);
        } else {
            self.incoming.push(Incoming { request, content, discarded: 0, respond });
        }
    }

    /// Answers the requests whose content has ended. True if there are any.
    fn poll_incoming(&mut self, context: &mut Context<'_>) -> bool {
        let mut answered = false;
        let mut index = 0;
        while let Some(incoming) = self.incoming.get_mut(index) {
            let Poll::Ready(end) = incoming.poll_end(context) else {
                index += 1;
                continue;
            };
            let Incoming { request, content, respond, .. } = self.incoming.swap_remove(index);
            answered = true;
            // Otherwise the stream was reset.
            if end.is_ok() {
                self.answer(request, respond);
            }
            drop(content);
        }
        answered
    }

    fn answer(&mut self, request: Parts, mut respond: SendResponse<Content>) {
        self.idle_since = Instant::now();
        let peer = self.connection.peer;
        let response = if request.headers.len() > FIELDS_MAX {
            self.service.reject(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, peer)
        } else {
            let request = Request::from_parts(request, ());
            #[cfg(debug_assertions)]
            super::panic_injection::inject(&request);
            self.service.answer(&request, peer)
        };
        if self.connection.is_ending() {
            self.announce_end();
        }
        send(response, &mut respond, &self.responses);
    }

    /// Follows the server's command. True if there is something to send.
    fn obey(&mut self) -> bool {
        let command = self.connection.state.command();
        if command == Command::Serve && self.goaway != Goaway::Announced {
            return false;
        }
        let is_amid_head = self.is_amid_head.load(Ordering::Relaxed);
        let is_idle = self.incoming.is_empty() && self.responses.oldest().is_none();
        if is_idle && (command == Command::Yield || !is_amid_head) {
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
    fn deadline(&self) -> Instant {
        let state = &self.connection.state;
        if let Some(oldest) = self.responses.oldest() {
            state.enter(Phase::Write, oldest);
            return oldest + self.limits.write_timeout;
        }
        let is_amid_head = self.is_amid_head.load(Ordering::Relaxed);
        if self.is_first || is_amid_head || !self.incoming.is_empty() {
            let since = match state.phase() {
                (Phase::Head, since) => since,
                _ => Instant::now(),
            };
            state.enter(Phase::Head, since);
            return since + self.limits.header_timeout;
        }
        // Frames other than requests do not prolong it.
        state.enter(Phase::Idle, self.idle_since);
        self.idle_since + self.limits.idle_timeout
    }

    fn after_deadline(&mut self) {
        match self.connection.state.phase().0 {
            Phase::Write => {
                if !self.responses.are_taken(self.limits.write_timeout, Instant::now()) {
                    self.close(Reason::CANCEL);
                }
            }
            Phase::Head if !self.incoming.is_empty() => {
                for Incoming { request, respond, .. } in std::mem::take(&mut self.incoming) {
                    self.answer(request, respond);
                }
            }
            _ => {
                self.close(Reason::NO_ERROR);
            }
        }
    }

    /// Ready once `deadline` has passed.
    fn poll_deadline(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        if self.goaway == Goaway::Last {
            return Poll::Pending;
        }
        if deadline < self.timer.deadline() {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(deadline);
        }
    }
}

/// Hands `response` to h2. A stream that the client has reset gets none.
fn send(
    response: Response<ResponseBody>,
    respond: &mut SendResponse<Content>,
    responses: &Arc<PendingResponses>,
) {
    let (mut head, body) = response.into_parts();
    head.headers.insert(DATE, date::now());
    let content = body.into_content(responses);
    if let Ok(mut stream) = respond.send_response(Response::from_parts(head, ()), content.is_none())
        && let Some(content) = content
    {
        let _ = stream.send_data(content, true);
    }
}
