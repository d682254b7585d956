//! Exchanges frames with a client.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::ReadBuf;

use super::input::{Input, READ_BYTES};
use super::protocol::Protocol;
use crate::server::admission::{Command, ConnectionState};
use crate::server::transport::Transport;

/// The protocol's state, and the byte stream that its frames are exchanged over.
pub(super) struct Exchange<'a, S> {
    pub(super) stream: S,
    pub(super) input: Input,
    pub(super) protocol: Protocol<'a>,
    /// True while the output waits for space in the send buffer.
    pub(super) is_blocked: bool,
    /// True if the connection is to end and data has arrived that was not read yet.
    pub(super) has_unread_data: bool,
}

/// Why reading has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// Nothing more has arrived.
    NoInput,
    /// Output is to be written first.
    Output,
    /// The client has closed.
    EndOfInput,
}

impl<'a, S: Transport> Exchange<'a, S> {
    pub(super) fn new(stream: S, protocol: Protocol<'a>) -> Self {
        Self { stream, input: Input::new(), protocol, is_blocked: false, has_unread_data: false }
    }

    pub(super) fn state(&self) -> &ConnectionState {
        &self.protocol.connection.state
    }

    /// Reads and processes frames until nothing more has arrived, or until there is enough to
    /// send.
    ///
    /// Nothing is read while the socket is full. Otherwise, answers and reset streams would be
    /// collected for a client that does not read (HTTP-35).
    pub(super) fn read(&mut self, context: &mut Context<'_>) -> io::Result<Pause> {
        loop {
            loop {
                if self.is_blocked || !self.protocol.accepts_input() {
                    return Ok(Pause::Output);
                }
                let Some(frame) = self.input.next() else { break };
                self.protocol.process(frame);
            }
            self.input.shrink();
            let mut space = [MaybeUninit::uninit(); READ_BYTES];
            let mut buffer = ReadBuf::uninit(&mut space);
            let read = Pin::new(&mut self.stream).poll_read(context, &mut buffer);
            let received = buffer.filled();
            if !received.is_empty() {
                self.input.add(received);
                continue;
            }
            // Data may have arrived that the runtime does not know of yet.
            self.has_unread_data = read.is_pending()
                && self.state().command() != Command::Serve
                && self.stream.has_unread_data();
            if self.has_unread_data {
                context.waker().wake_by_ref();
            }
            return match read {
                Poll::Pending => Ok(Pause::NoInput),
                Poll::Ready(read) => read.map(|()| Pause::EndOfInput),
            };
        }
    }

    /// Writes all that can be sent, as far as there is space in the send buffer.
    pub(super) fn write(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        loop {
            self.protocol.send();
            // What TLS holds for the socket is written, too.
            if self.protocol.output.is_empty() && !self.is_blocked {
                return Ok(());
            }
            let written = self.protocol.output.poll_write(&mut self.stream, context);
            self.is_blocked = written.is_pending();
            match written {
                Poll::Pending => return Ok(()),
                Poll::Ready(written) => written?,
            }
        }
    }
}
