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
        let preface = poll_fn(|context| {
            // Before reading, which looks for unread data only if there is a command by then.
            let command = state.command();
            match handshake.as_mut().poll(context) {
                Poll::Ready(preface) => Poll::Ready(preface.ok()),
                // The client may have a round trip to send it, as for the rest of a head.
                Poll::Pending if command > Command::Finish && !progress.has_unread_data() => {
                    Poll::Ready(None)
                }
                Poll::Pending => timer.poll(deadline, context).map(|()| None),
            }
        });
        let Some(http) = preface.await else { return };
        http
    };
    let mut requests = Requests::new(http, connection, service, limits, progress, opened, timer);
    poll_fn(|context| requests.poll(context)).await;
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::pin::Pin;
    use std::task::Context;

    use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

    use super::*;
    use crate::server::admission::{Connections, Phase};
    use crate::server::client::Peer;
    use crate::server::transport::Stream;
    use crate::site::{Settings, Site};

    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

    /// The setting that the initial window is empty.
    const NO_WINDOW: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0";

    /// `GET https://a/` on stream 1 (RFC 7541 appendix A).
    const REQUEST: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x87\x84\x41\x01a";

    /// The type, flags and stream of a response's head.
    const RESPONSE: &[u8] = b"\x01\x04\0\0\0\x01";

    /// Between the last read of a turn and its end, a request arrives, and another thread gives
    /// a command.
    struct LateRequest {
        arrived: &'static [u8],
        late: &'static [u8],
        command: Command,
        connections: Arc<Connections>,
        has_read_everything: bool,
        written: Vec<u8>,
    }

    impl Transport for &mut LateRequest {
        fn has_unread_data(&self) -> bool {
            !self.arrived.is_empty()
        }
    }

    impl AsyncRead for LateRequest {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let count = self.arrived.len().min(buffer.remaining());
            let (read, rest) = self.arrived.split_at(count);
            buffer.put_slice(read);
            self.arrived = rest;
            self.has_read_everything = read.is_empty();
            if read.is_empty() { Poll::Pending } else { Poll::Ready(Ok(())) }
        }
    }

    impl AsyncWrite for LateRequest {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            content: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.written.extend(content);
            Poll::Ready(Ok(content.len()))
        }

        fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            if self.has_read_everything && !self.late.is_empty() {
                self.arrived = std::mem::take(&mut self.late);
                self.connections.give_all(self.command);
            }
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// The turn after the command reads it.
    #[tokio::test(start_paused = true)]
    async fn a_request_that_arrives_during_the_turn_in_which_the_end_begins_is_answered() {
        for command in [Command::Finish, Command::Yield] {
            let limits = Limits::default();
            let connections = Connections::new(&limits);
            let connection = connections.admit_beyond_cap(Peer::Unix);
            let mut stream = LateRequest {
                arrived: PREFACE,
                late: REQUEST,
                command,
                connections,
                has_read_everything: false,
                written: Vec::new(),
            };
            let service = Service::from(Arc::new(Site::embedded(&Settings::default())));

            serve(&mut stream, &connection, &service, limits).await;

            let mut written = stream.written.windows(RESPONSE.len());
            assert!(written.any(|part| part == RESPONSE), "{command:?}: {:x?}", stream.written);
        }
    }

    /// At the end of the server, after a time in which the process was stopped (HTTP-25).
    #[cfg(unix)]
    #[tokio::test]
    async fn the_end_cuts_off_no_client_that_has_opened_a_window_unknown_to_the_runtime() {
        for has_acted in [true, false] {
            let limits = Limits::default();
            let connections = Connections::new(&limits);
            let connection = connections.admit_beyond_cap(Peer::Unix);
            let service = Service::from(Arc::new(Site::embedded(&Settings::default())));
            let (mut client, stream) = Stream::with_client();
            let mut work = pin!(serve(stream, &connection, &service, limits));
            let mut turn = async || {
                let mut polled = |context: &mut Context<'_>| work.as_mut().poll(context);
                assert!(poll_fn(|context| Poll::Ready(polled(context))).await.is_pending());
            };
            client.write_all(&[PREFACE, NO_WINDOW, REQUEST].concat()).unwrap();
            while connection.state.phase().0 != Phase::Write {
                turn().await;
                tokio::task::yield_now().await;
            }
            if has_acted {
                client.write_all(b"\0\0\x04\x08\0\0\0\0\x01\0\0\0\x01").unwrap();
            }
            connections.give_all(Command::Settle);
            turn().await;
            assert_eq!(connection.state.is_settled(), !has_acted);
        }
    }
}
