//! The state of a connection with HTTP/2: both sides' settings, streams and windows. It does no
//! I/O: frames of the client go in, and frames for it come out.

use super::error_code::{ErrorCode, Violation};
use super::frame;
use super::hpack::{Decoder, Encoder};
use super::output::Output;
use super::partial_head::PartialHead;
use super::pending_responses::PendingResponses;
use super::streams::{StreamState, Streams};
use super::upload::Upload;
use super::{settings, window};
use crate::server::admission::OpenConnection;
use crate::server::service::Service;

/// Streams that a client can have the server reset by breaking the protocol before
/// it loses the connection (CVE-2025-8671).
const RESETS_BY_SERVER_MAX: u32 = 8;

/// The content of the PING that asks whether the client has seen GOAWAY.
pub(super) const PING_AFTER_GOAWAY: [u8; 8] = *b"shutdown";

/// The highest number of a stream. In GOAWAY, it announces the end without one.
const STREAM_MAX: u32 = u32::MAX >> 1;

/// One connection.
pub(super) struct Protocol<'a> {
    pub(super) connection: &'a OpenConnection,
    pub(super) service: &'a Service,
    pub(super) output: Output,
    pub(super) decoder: Decoder,
    pub(super) encoder: Encoder,
    pub(super) streams: Streams,
    pub(super) partial_head: Option<PartialHead>,
    pub(super) responses: PendingResponses,
    /// Bytes of content that the client accepts on all streams.
    pub(super) window: i64,
    /// The window of a new stream.
    pub(super) initial_window: i64,
    /// Bytes of content that the client may send on all streams.
    pub(super) receive_window: u32,
    /// True if the client has acknowledged the server's settings.
    pub(super) are_settings_known: bool,
    /// The position in the open streams of the one that sends next.
    pub(super) next_sender: usize,
    pub(super) counts: Counts,
    pub(super) goaway: Goaway,
    /// True if the client has sent GOAWAY.
    pub(super) is_client_leaving: bool,
    /// True if a request has arrived since this was taken.
    pub(super) has_request: bool,
}

/// What a client has done that only an attack does often (HTTP-35).
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// RST_STREAM frames of the client.
    pub(super) resets: u32,
    /// Streams that the client has reset in the turn in which they were opened.
    pub(super) early_resets: u32,
    /// Streams that the server has reset because of a violation.
    resets_by_server: u32,
    /// DATA frames without content.
    pub(super) empty_frames: u32,
}

/// The announcement of the connection's end (RFC 9113 §6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goaway {
    None,
    /// Requests that arrive before the client knows are answered.
    Announced,
    /// Streams above this one are ignored.
    Final(u32),
    /// The connection closes as soon as this is sent.
    Last,
}

impl<'a> Protocol<'a> {
    /// A new connection. Its settings are the first output.
    pub(super) fn new(connection: &'a OpenConnection, service: &'a Service) -> Self {
        let mut output = Output::default();
        output.add(frame::SETTINGS, 0, 0, &settings::announced());
        Self {
            connection,
            service,
            output,
            decoder: Decoder::new(),
            encoder: Encoder::new(),
            streams: Streams::default(),
            partial_head: None,
            responses: PendingResponses::default(),
            window: window::INITIAL_BYTES.into(),
            initial_window: window::INITIAL_BYTES.into(),
            receive_window: window::INITIAL_BYTES,
            are_settings_known: false,
            next_sender: 0,
            counts: Counts::default(),
            goaway: Goaway::None,
            is_client_leaving: false,
            has_request: false,
        }
    }

    /// Announces the end of the connection. True if that is to be sent.
    pub(super) fn announce_end(&mut self) -> bool {
        if self.goaway != Goaway::None {
            return false;
        }
        self.goaway = Goaway::Announced;
        self.output.add_goaway(STREAM_MAX, ErrorCode::No);
        self.output.add(frame::PING, 0, 0, &PING_AFTER_GOAWAY);
        true
    }

    /// Limits the announced end to the streams that are open, because the client knows of it.
    pub(super) fn confirm_end(&mut self) {
        if self.goaway == Goaway::Announced {
            let last = self.streams.last();
            self.goaway = Goaway::Final(last);
            self.output.add_goaway(last, ErrorCode::No);
        }
    }

    /// Ends the connection. False if it ends already.
    pub(super) fn close(&mut self, code: ErrorCode) -> bool {
        if self.goaway == Goaway::Last {
            return false;
        }
        let last = match self.goaway {
            // The streams above it were ignored (RFC 9113 §6.8).
            Goaway::Final(last) => last,
            _ => self.streams.last(),
        };
        self.goaway = Goaway::Last;
        self.output.add_goaway(last, code);
        true
    }

    /// Ends the connection if one of both sides has announced it and nothing is to follow. False
    /// if it does not end.
    pub(super) fn finish(&mut self) -> bool {
        if !self.streams.open().is_empty() {
            return false;
        }
        if matches!(self.goaway, Goaway::Final(_)) {
            self.goaway = Goaway::Last;
            return true;
        }
        self.is_client_leaving && self.close(ErrorCode::No)
    }

    /// True if another frame may be processed: its answer has space, and the connection goes on.
    pub(super) fn accepts_input(&self) -> bool {
        self.goaway != Goaway::Last && self.output.space() > 0
    }

    /// Reacts to a violation by the client.
    pub(super) fn reject(&mut self, violation: Violation) {
        let code = match violation {
            Violation::Connection(code) => code,
            Violation::Stream(id, code) => {
                self.output.add_reset(id, code);
                if let StreamState::Open(index) = self.streams.state(id) {
                    self.streams.end(index);
                }
                self.counts.resets_by_server += 1;
                if self.counts.resets_by_server <= RESETS_BY_SERVER_MAX {
                    return;
                }
                ErrorCode::EnhanceYourCalm
            }
        };
        self.close(code);
    }

    /// Ends a stream after its response.
    pub(super) fn end_stream(&mut self, index: usize) {
        let id = self.streams.open()[index].id;
        if self.streams.end(index) {
            // The rest of the request is not needed (RFC 9113 §8.1).
            self.output.add_reset(id, ErrorCode::No);
        }
    }

    /// The requests whose content is waited for.
    pub(super) fn uploads(&self) -> impl Iterator<Item = &Upload> {
        self.streams.open().iter().filter_map(|stream| stream.upload.as_ref())
    }
}
