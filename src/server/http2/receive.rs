//! What each frame of a client leads to (RFC 9113 §6).

use super::error_code::{ErrorCode, Violation};
use super::frame::{self, Frame};
use super::partial_head::PartialHead;
use super::protocol::{PING_AFTER_GOAWAY, Protocol};
use super::streams::StreamState;
use super::window;

/// DATA frames without content that a client can send before it loses the connection
/// (CVE-2019-9518).
const EMPTY_FRAMES_MAX: u32 = 100;

/// Streams that a client can reset before they are answered (CVE-2023-44487).
const EARLY_RESETS_MAX: u32 = 8;

/// Resets of a client after which it gets GOAWAY and has to open another connection.
const RESETS_MAX: u32 = 100;

/// Resets of a client that end its connection at once (CVE-2023-44487). A client may
/// reset all of its streams before it sees that the connection ends.
const RESETS_ABUSE: u32 = 200;

impl Protocol<'_> {
    /// Processes the next frame of the input, or its error.
    pub(super) fn process(&mut self, frame: Result<Frame<'_>, ErrorCode>) {
        let processed = frame.map_err(Violation::from).and_then(|frame| self.receive(frame));
        if let Err(violation) = processed {
            self.reject(violation);
        }
    }

    fn receive(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        match (frame.head.kind, frame.head.stream) {
            (frame::SETTINGS, 0) => self.receive_settings(frame)?,
            (frame::PING, 0) => self.ping(frame),
            (frame::GOAWAY, 0) => self.is_client_leaving = true,
            (frame::WINDOW_UPDATE, 0) => self.connection_window(frame)?,
            (frame::SETTINGS | frame::PING | frame::GOAWAY | frame::PUSH_PROMISE, _)
            | (frame::DATA | frame::HEADERS | frame::PRIORITY | frame::RST_STREAM, 0) => {
                return Err(ErrorCode::Protocol.into());
            }
            (frame::DATA, _) => self.data(frame)?,
            (frame::HEADERS, _) => self.headers(frame)?,
            (frame::CONTINUATION, _) => self.continuation(frame)?,
            (frame::PRIORITY, id) => check_dependency(id, frame)?,
            (frame::RST_STREAM, _) => self.reset(frame)?,
            (frame::WINDOW_UPDATE, _) => self.stream_window(frame)?,
            // RFC 9113 §5.5.
            _ => {}
        }
        Ok(())
    }

    fn data(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        let id = frame.head.stream;
        let count = frame.unpadded()?.len();
        let is_end = frame.head.has(frame::END_STREAM);
        let index = match self.streams.state(id) {
            StreamState::Open(index) => Some(index),
            StreamState::Abandoned => None,
            StreamState::Idle | StreamState::LeftOut => return Err(ErrorCode::Protocol.into()),
            StreamState::Closed => return Err(ErrorCode::StreamClosed.into()),
        };
        if count == 0 && !is_end {
            self.counts.empty_frames += 1;
            if self.counts.empty_frames > EMPTY_FRAMES_MAX {
                return Err(ErrorCode::EnhanceYourCalm.into());
            }
        }
        self.extend_receive_window(frame.payload.len())?;
        let Some(index) = index else {
            if is_end {
                self.streams.forget_abandoned(id);
            }
            return Ok(());
        };
        let stream = &mut self.streams.open_mut()[index];
        if !stream.is_receiving {
            return Err(ErrorCode::StreamClosed.into());
        }
        stream.is_receiving = !is_end;
        let Some(upload) = &mut stream.upload else { return Ok(()) };
        let extension = upload
            .discard(count, frame.payload.len(), self.are_settings_known)
            .map_err(|code| Violation::Stream(id, code))?;
        if is_end {
            return self.end_upload(index);
        }
        if upload.is_too_long() {
            stream.upload = None;
        } else if let Some(extension) = extension {
            self.output.add_window_update(id, extension);
        }
        Ok(())
    }

    /// The content of a request has ended.
    fn end_upload(&mut self, index: usize) -> Result<(), Violation> {
        let stream = &mut self.streams.open_mut()[index];
        stream.is_receiving = false;
        match stream.upload.take() {
            Some(upload) if !upload.is_complete() => {
                Err(Violation::Stream(stream.id, ErrorCode::Protocol))
            }
            _ => Ok(()),
        }
    }

    /// The connection's window is extended however the content is used, so that it does not block
    /// other requests.
    fn extend_receive_window(&mut self, length: usize) -> Result<(), ErrorCode> {
        self.receive_window =
            self.receive_window.checked_sub(length as u32).ok_or(ErrorCode::FlowControl)?;
        if self.receive_window <= window::INITIAL_BYTES / 2 {
            self.output.add_window_update(0, window::INITIAL_BYTES - self.receive_window);
            self.receive_window = window::INITIAL_BYTES;
        }
        Ok(())
    }

    fn headers(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        let id = frame.head.stream;
        let mut block = frame.unpadded()?;
        if frame.head.has(frame::HAS_PRIORITY) {
            let (priority, rest) = block.split_at_checked(5).ok_or(ErrorCode::FrameSize)?;
            block = rest;
            check_dependency(id, Frame { payload: priority, ..frame })?;
        }
        let is_request = match self.streams.state(id) {
            StreamState::Idle if !id.is_multiple_of(2) => true,
            StreamState::Idle | StreamState::LeftOut => return Err(ErrorCode::Protocol.into()),
            StreamState::Closed => return Err(ErrorCode::StreamClosed.into()),
            StreamState::Open(index) if !self.streams.open()[index].is_receiving => {
                return Err(ErrorCode::StreamClosed.into());
            }
            StreamState::Open(_) | StreamState::Abandoned => false,
        };
        if is_request {
            self.streams.begin(id);
        }
        let is_end = frame.head.has(frame::END_STREAM);
        if frame.head.has(frame::END_HEADERS) {
            return self.receive_head(id, is_request, is_end, block);
        }
        self.partial_head = Some(PartialHead::new(id, is_request, is_end, block));
        Ok(())
    }

    fn continuation(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        let Some(mut head) = self.partial_head.take() else {
            return Err(ErrorCode::Protocol.into());
        };
        head.add(frame.payload)?;
        if frame.head.has(frame::END_HEADERS) {
            return self.receive_head(head.stream, head.is_request, head.is_end, &head.block);
        }
        self.partial_head = Some(head);
        Ok(())
    }

    /// A head that has arrived in full.
    fn receive_head(
        &mut self,
        id: u32,
        is_request: bool,
        is_end: bool,
        block: &[u8],
    ) -> Result<(), Violation> {
        // Each head is decoded, also an ignored one, because others depend on its fields
        // (RFC 9113 §4.3).
        let head = self.decode(block)?;
        if is_request {
            return self.receive_request(id, is_end, head);
        }
        match self.streams.state(id) {
            StreamState::Open(index) if !is_end || !head.is_valid_in_trailers() => {
                self.streams.open_mut()[index].is_receiving = !is_end;
                Err(Violation::Stream(id, ErrorCode::Protocol))
            }
            StreamState::Open(index) => self.end_upload(index),
            _ if is_end => {
                self.streams.forget_abandoned(id);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn reset(&mut self, frame: Frame<'_>) -> Result<(), ErrorCode> {
        let id = frame.head.stream;
        match self.streams.state(id) {
            StreamState::Idle => return Err(ErrorCode::Protocol),
            StreamState::Open(index) => {
                let stream = &mut self.streams.open_mut()[index];
                stream.is_receiving = false;
                self.counts.early_resets += u32::from(stream.is_ready());
                self.streams.end(index);
            }
            StreamState::Abandoned => self.streams.forget_abandoned(id),
            StreamState::LeftOut | StreamState::Closed => {}
        }
        self.counts.resets += 1;
        if self.counts.resets > RESETS_ABUSE || self.counts.early_resets > EARLY_RESETS_MAX {
            return Err(ErrorCode::EnhanceYourCalm);
        }
        if self.counts.resets >= RESETS_MAX {
            self.announce_end();
        }
        Ok(())
    }

    fn ping(&mut self, frame: Frame<'_>) {
        if !frame.head.has(frame::ACK) {
            self.output.add(frame::PING, frame::ACK, 0, frame.payload);
        } else if frame.payload == PING_AFTER_GOAWAY {
            self.confirm_end();
        }
    }

    fn connection_window(&mut self, frame: Frame<'_>) -> Result<(), ErrorCode> {
        window::extend(&mut self.window, increment(frame)?)
    }

    fn stream_window(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        let (id, increment) = (frame.head.stream, increment(frame)?);
        match self.streams.state(id) {
            StreamState::Idle => Err(ErrorCode::Protocol.into()),
            StreamState::Open(index) => {
                window::extend(&mut self.streams.open_mut()[index].window, increment)
                    .map_err(|code| Violation::Stream(id, code))
            }
            _ => Ok(()),
        }
    }
}

/// The increment of WINDOW_UPDATE. An error of a stream is taken for one of the connection
/// (RFC 9113 §5.4.1, §6.9).
fn increment(frame: Frame<'_>) -> Result<i64, ErrorCode> {
    match frame.number_at(0) {
        0 => Err(ErrorCode::Protocol),
        increment => Ok(increment.into()),
    }
}

/// A stream cannot depend on itself (RFC 7540 §5.3.1; RFC 9113 §5.3.2 keeps the frame, without a
/// meaning).
fn check_dependency(id: u32, frame: Frame<'_>) -> Result<(), ErrorCode> {
    if frame.number_at(0) == id { Err(ErrorCode::Protocol) } else { Ok(()) }
}
