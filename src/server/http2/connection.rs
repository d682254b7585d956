//! One connection with HTTP/2 (RFC 9113): reads, writes, waits and closes.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use tokio::time::Instant;

use super::closing::Closing;
use super::error_code::ErrorCode;
use super::exchange::{Exchange, Pause};
use super::protocol::{Goaway, Protocol};
use super::waits::{Wait, Waits};
use crate::server::admission::{Command, OpenConnection};
use crate::server::limits::Limits;
use crate::server::service::Service;
use crate::server::time_limits::DeadlineTimer;
use crate::server::transport::Transport;

/// Serves one connection to its end.
pub(in crate::server) async fn serve(
    stream: impl Transport,
    connection: &OpenConnection,
    service: &Service,
    limits: Limits,
) {
    let (_, opened) = connection.state.phase();
    let mut connection = Connection {
        exchange: Exchange::new(stream, Protocol::new(connection, service)),
        limits,
        waits: Waits::new(limits, opened),
        timer: DeadlineTimer::new(opened + limits.header_timeout),
        closing: None,
        omits_linger: false,
    };
    poll_fn(|context| connection.poll(context)).await;
}

/// One connection and its stream.
struct Connection<'a, S> {
    exchange: Exchange<'a, S>,
    limits: Limits,
    waits: Waits,
    timer: DeadlineTimer,
    closing: Option<Closing>,
    /// True if closing does not wait for the client's close.
    omits_linger: bool,
}

impl<S: Transport> Connection<'_, S> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some(closing) = &mut self.closing {
                let state = &self.exchange.protocol.connection.state;
                return closing.poll(&mut self.exchange.stream, self.omits_linger, state, context);
            }
            // Before reading, which looks for unread data only if there is a command by then. One
            // that comes after it is obeyed in the next turn, because a request may be unread.
            let command = self.exchange.state().command();
            let Ok(pause) = self.exchange.read(context) else { return Poll::Ready(()) };
            if self.exchange.write(context).is_err() {
                return Poll::Ready(());
            }
            let is_last = self.exchange.protocol.goaway == Goaway::Last;
            // Output may still wait for space in the send buffer.
            if (is_last || pause == Pause::EndOfInput) && !self.exchange.is_blocked {
                self.omits_linger |= pause == Pause::EndOfInput;
                self.closing = Some(Closing::default());
                continue;
            }
            if is_last {
                return Poll::Pending;
            }
            let has_more_input = pause == Pause::Output && !self.exchange.is_blocked;
            if has_more_input || self.exchange.protocol.finish() || self.obey(command) {
                continue;
            }
            let (end, wait) = self.next_wait();
            // While the socket is full, `WriteTimeoutStream` settles.
            let may_go_on = self.exchange.has_unread_data || self.exchange.is_blocked;
            if command == Command::Settle && !may_go_on {
                self.exchange.state().settle();
            }
            ready!(self.timer.poll(end, context));
            self.time_out(wait);
        }
    }

    /// Follows the server's command. True if there is something to send, or the connection ends.
    fn obey(&mut self, command: Command) -> bool {
        if self.exchange.has_unread_data {
            return false;
        }
        if command != Command::Serve && self.exchange.protocol.answer_uploads(|_| true) {
            // The rest of the content is not waited for.
            return true;
        }
        if command == Command::Serve && self.exchange.protocol.goaway != Goaway::Announced {
            return false;
        }
        // A response without content is pending while the socket is full.
        let is_done = self.exchange.protocol.streams.open().is_empty() && !self.exchange.is_blocked;
        let may_close = match command {
            Command::Yield | Command::Settle | Command::Abort => true,
            // In a drain, the connection closes once the client knows of the end: requests
            // may be on their way until then (RFC 9113 §6.8).
            _ => {
                !self.exchange.protocol.connection.is_draining()
                    && self.exchange.input.partial().is_none()
            }
        };
        if is_done && may_close {
            // Without the preface, there is no response that a reset could overtake.
            self.omits_linger |= self.waits.has_been_idle() || self.exchange.input.is_preface();
            self.exchange.protocol.close(ErrorCode::No)
        } else {
            self.exchange.protocol.announce_end()
        }
    }

    /// The wait that ends first, and the time at which it does.
    fn next_wait(&mut self) -> (Instant, Wait) {
        if std::mem::take(&mut self.exchange.protocol.has_request) {
            self.waits.request_arrived();
        }
        let content = self.exchange.protocol.uploads().map(|upload| upload.begun).min();
        let responses = self.exchange.protocol.responses.current();
        let partial = self.exchange.input.partial();
        let state = &self.exchange.protocol.connection.state;
        self.waits.next(partial, self.exchange.is_blocked, content, responses, state)
    }

    /// Ends what the client has not done in time.
    fn time_out(&mut self, wait: Wait) {
        let now = Instant::now();
        match wait {
            Wait::Response => {
                if !self.exchange.protocol.responses.are_taken(self.limits.write_timeout, now) {
                    self.exchange.protocol.close(ErrorCode::Cancel);
                }
            }
            Wait::Content => {
                let limit = self.limits.header_timeout;
                self.exchange.protocol.answer_uploads(|upload| upload.begun + limit <= now);
            }
            // RFC 9113 §3.4.
            Wait::Head if self.exchange.input.is_preface() => {
                self.exchange.protocol.close(ErrorCode::Protocol);
            }
            Wait::Head | Wait::Request => {
                self.exchange.protocol.close(ErrorCode::No);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::io::{self, Write};
    use std::pin::{Pin, pin};
    use std::sync::Arc;

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
