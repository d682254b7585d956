//! One connection with HTTP/2 (RFC 9113).
//!
//! h2 is used without hyper, which hides what the limits of HTTP-25 and HTTP-35 depend
//! on, such as how much of a response the client has taken (DECISION-45).

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use super::frame_boundary::{FrameBoundaryStream, Progress};
use super::requests::Requests;
use crate::server::admission::{Command, OpenConnection};
use crate::server::head_limits;
use crate::server::limits::Limits;
use crate::server::service::Service;
use crate::server::time_limits::DeadlineTimer;
use crate::server::transport::Transport;

/// Requests of one connection that may be open at a time.
const STREAMS_MAX: u32 = 100;

/// Maximum size that h2 decodes. It answers a larger head itself, without the fields
/// of HTTP-23 and without a line in the access log.
const DECODED_HEAD_MAX_BYTES: u32 = 2 * head_limits::BYTES_MAX as u32;

/// Bytes of content that a client may send on one stream before the server extends its
/// window. Requests need no content.
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
    let deadline = opened + limits.header_timeout;
    let mut timer = DeadlineTimer::new(deadline);
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
            Poll::Ready(preface) => Poll::Ready(preface.ok()),
            // The client may have a round trip to send it, as for the rest of a head.
            Poll::Pending if state.command() > Command::Finish && !progress.has_unread_data() => {
                Poll::Ready(None)
            }
            Poll::Pending => timer.poll(deadline, context).map(|()| None),
        });
        let Some(http) = preface.await else { return };
        http
    };
    let mut requests = Requests::new(http, connection, service, limits, progress, opened, timer);
    poll_fn(|context| requests.poll(context)).await;
}
