//! Divides the bytes of a client into frames (RFC 9113 §3.4, §4.1, §6.10).

use std::cell::Cell;

use super::error_code::ErrorCode;
use super::frame::{self, Frame, FrameHead};
use super::shared_space;

/// The bytes that come before the first frame (RFC 9113 §3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes that are read at a time. Requests are short.
pub(super) const READ_BYTES: usize = 4096;

thread_local! {
    static SPACE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Bytes that were received and not processed.
#[derive(Debug)]
pub(super) struct Input {
    bytes: Vec<u8>,
    /// The bytes before this position are processed.
    processed: usize,
    expected: Expected,
    /// Number of frames and heads that were processed, the preface included. A head counts once,
    /// with all of its frames.
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Preface,
    /// The first frame, which has to be SETTINGS.
    Settings,
    Frame,
    /// CONTINUATION on this stream.
    Continuation(u32),
}

impl Input {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), processed: 0, expected: Expected::Preface, count: 0 }
    }

    /// Appends received bytes.
    pub(super) fn add(&mut self, received: &[u8]) {
        shared_space::take(&SPACE, READ_BYTES, &mut self.bytes);
        self.bytes.drain(..self.processed);
        self.processed = 0;
        self.bytes.extend_from_slice(received);
    }

    /// Gives the space back, if there is nothing in it.
    pub(super) fn shrink(&mut self) {
        if self.processed == self.bytes.len() && self.processed > 0 {
            shared_space::give_back(&SPACE, READ_BYTES, &mut self.bytes);
            self.processed = 0;
        }
    }

    /// True until the preface was received.
    pub(super) fn is_preface(&self) -> bool {
        self.expected == Expected::Preface
    }

    /// The number of the frame or head of which only a part was received, or of the preface if it
    /// was not. The next one has another number.
    pub(super) fn partial(&self) -> Option<u32> {
        let is_between_frames = self.processed == self.bytes.len()
            && matches!(self.expected, Expected::Settings | Expected::Frame);
        (!is_between_frames).then_some(self.count)
    }

    /// The next frame. `None` if it was not received yet.
    pub(super) fn next(&mut self) -> Option<Result<Frame<'_>, ErrorCode>> {
        if self.is_preface() {
            match self.take_preface() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        let rest = &self.bytes[self.processed..];
        let head = match FrameHead::parse(*rest.first_chunk()?) {
            Ok(head) => head,
            Err(error) => return Some(Err(error)),
        };
        // An invalid frame is not waited for.
        let next = match self.after(head) {
            Ok(next) => next,
            Err(error) => return Some(Err(error)),
        };
        let end = frame::HEAD_BYTES + head.length;
        if rest.len() < end {
            return None;
        }
        self.expected = next;
        if next == Expected::Frame {
            self.count = self.count.wrapping_add(1);
        }
        let begin = self.processed + frame::HEAD_BYTES;
        self.processed += end;
        Some(Ok(Frame { head, payload: &self.bytes[begin..self.processed] }))
    }

    /// True if the preface is complete.
    fn take_preface(&mut self) -> Result<bool, ErrorCode> {
        let length = self.bytes.len().min(PREFACE.len());
        if self.bytes[..length] != PREFACE[..length] {
            return Err(ErrorCode::Protocol);
        }
        let is_complete = length == PREFACE.len();
        if is_complete {
            self.processed = length;
            self.expected = Expected::Settings;
            self.count = 1;
        }
        Ok(is_complete)
    }

    /// The frame that has to follow one with this head.
    fn after(&self, head: FrameHead) -> Result<Expected, ErrorCode> {
        let is_expected = match self.expected {
            Expected::Continuation(stream) => {
                head.kind == frame::CONTINUATION && head.stream == stream
            }
            Expected::Settings => head.kind == frame::SETTINGS && !head.has(frame::ACK),
            _ => head.kind != frame::CONTINUATION,
        };
        if !is_expected {
            return Err(ErrorCode::Protocol);
        }
        let is_partial_head = matches!(head.kind, frame::HEADERS | frame::CONTINUATION)
            && !head.has(frame::END_HEADERS);
        Ok(if is_partial_head { Expected::Continuation(head.stream) } else { Expected::Frame })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, 1];
        frame.resize(frame::HEAD_BYTES + usize::from(length), 0);
        frame
    }

    #[test]
    fn frames_are_complete_however_their_bytes_arrive() {
        let settings = frame(frame::SETTINGS, 0, 6);
        let ping = frame(frame::PING, 0, 8);
        let sent = [PREFACE, &settings, &ping, &ping].concat();
        for pieces in [1, 2, 7, 1000] {
            let mut input = Input::new();
            let mut kinds = Vec::new();
            for piece in sent.chunks(pieces) {
                input.add(piece);
                while let Some(frame) = input.next() {
                    let Frame { head, payload } = frame.unwrap();
                    assert_eq!(payload.len(), head.length);
                    kinds.push(head.kind);
                }
                input.shrink();
            }
            assert_eq!(kinds, [frame::SETTINGS, frame::PING, frame::PING]);
            assert_eq!(input.bytes.capacity(), 0);
        }
    }

    /// The head limit applies to each of them (HTTP-25).
    #[test]
    fn each_incomplete_frame_or_head_has_a_number_of_its_own() {
        for pieces in [1, 2, 5, 1000] {
            let mut input = Input::new();
            let mut partial = |bytes: &[u8]| {
                for piece in bytes.chunks(pieces) {
                    input.add(piece);
                    while input.next().is_some_and(|frame| frame.is_ok()) {}
                }
                input.partial()
            };
            let preface = partial(&PREFACE[..23]);
            assert!(preface.is_some());
            assert_eq!(partial(&PREFACE[23..]), None);
            assert_eq!(partial(&frame(frame::SETTINGS, 0, 0)), None);
            let ping = partial(&frame(frame::PING, 0, 8)[..12]);
            assert!(ping.is_some() && ping != preface);
            assert_eq!(partial(&[0; 5]), None);
            assert_eq!(partial(&frame(frame::HEADERS, frame::END_HEADERS, 20)), None);
            let head = partial(&frame(frame::HEADERS, 0, 20));
            assert!(head.is_some() && head != ping);
            assert_eq!(partial(&frame(frame::CONTINUATION, 0, 0)), head);
            assert_eq!(partial(&frame(frame::CONTINUATION, frame::END_HEADERS, 1)), None);
        }
    }

    #[test]
    fn an_unexpected_frame_is_an_error_before_its_payload_arrives() {
        let settings = &frame(frame::SETTINGS, 0, 0)[..];
        let head = &frame(frame::HEADERS, 0, 0)[..];
        let other_stream = [0, 0, 1, frame::CONTINUATION, 0, 0, 0, 0, 3];
        let too_long = [0, 0x40, 1, frame::DATA, 0, 0, 0, 0, 1];
        for (sent, error) in [
            (&[b"X".as_slice()][..], ErrorCode::Protocol),
            (&[PREFACE, &frame(frame::PING, 0, 8)[..9]], ErrorCode::Protocol),
            (&[PREFACE, &frame(frame::SETTINGS, frame::ACK, 0)], ErrorCode::Protocol),
            (&[PREFACE, settings, &frame(frame::CONTINUATION, 0, 1)[..9]], ErrorCode::Protocol),
            (&[PREFACE, settings, head, settings], ErrorCode::Protocol),
            (&[PREFACE, settings, head, &other_stream], ErrorCode::Protocol),
            (&[PREFACE, settings, &too_long], ErrorCode::FrameSize),
            (&[PREFACE, settings, &frame(frame::PING, 0, 7)[..9]], ErrorCode::FrameSize),
        ] {
            let mut input = Input::new();
            input.add(&sent.concat());
            let found = loop {
                match input.next() {
                    Some(Ok(_)) => {}
                    Some(Err(found)) => break Some(found),
                    None => break None,
                }
            };
            assert_eq!(found, Some(error), "{sent:x?}");
        }
    }
}
