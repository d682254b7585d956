//! The frames that a client sends (RFC 9113 §4.1): where each begins, whether its
//! length is valid for its type, whether the state of its stream allows it, and how
//! many reset a stream. h2 checks the rest.

use std::ops::Range;

use h2::Reason;

use super::trailers::Trailers;

/// Length of a frame's head in bytes.
const FRAME_HEAD_BYTES: usize = 9;

/// Bytes that come before the first frame (RFC 9113 §3.4).
const PREFACE_BYTES: u32 = 24;

/// Streams of a client that are remembered as open. This is more than it may open: those
/// that the server has reset count until the client ends them.
const OPEN_MAX: usize = 1000;

/// Gaps in the numbers of streams that are remembered. Ordinary clients leave none.
const GAPS_MAX: usize = 100;

/// Resets of a client after which it gets GOAWAY and has to open another connection. h2
/// keeps a part of some reset streams until the connection ends.
const RESETS_MAX: usize = 100;

/// Resets of a client that end its connection at once (CVE-2023-44487). A client may
/// reset all of its streams before it sees that the connection ends.
const RESETS_ABUSE: usize = 200;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY_FRAME: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const ACK: u8 = 0x1;
const END_STREAM: u8 = 0x1;
const END_HEADERS: u8 = 0x4;
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;

/// Position in a sequence of frames.
#[derive(Debug)]
pub(super) struct Frames {
    /// Bytes of the preface or of the current frame that are still to come.
    remaining: u32,
    /// The part of a frame's head that has arrived.
    head: [u8; FRAME_HEAD_BYTES],
    head_length: usize,
    /// True from a HEADERS frame without END_HEADERS to the frame that has it.
    awaits_continuation: bool,
    /// The highest stream that the client has opened.
    last: u32,
    /// Streams that the client has not ended, oldest first.
    open: Vec<u32>,
    /// Streams below `last` that the client has never opened, oldest first.
    gaps: Vec<Range<u32>>,
    /// RST_STREAM frames so far.
    resets: usize,
    trailers: Trailers,
    /// True until the first frame after the preface.
    is_first: bool,
    /// Number of frames and heads that have begun, the preface included. A head counts once,
    /// with all of its frames. Never 0.
    begun: u32,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            remaining: PREFACE_BYTES,
            head: [0; FRAME_HEAD_BYTES],
            head_length: 0,
            awaits_continuation: false,
            last: 0,
            open: Vec::new(),
            gaps: Vec::new(),
            resets: 0,
            trailers: Trailers::None,
            is_first: true,
            begun: 1,
        }
    }

    /// An error if `data` violates the protocol.
    pub(super) fn advance(&mut self, mut data: &[u8]) -> Result<(), Reason> {
        while !data.is_empty() {
            if self.is_at_boundary() {
                self.begun = self.begun.wrapping_add(1).max(1);
            }
            if self.remaining > 0 {
                let count = data.len().min(self.remaining as usize);
                self.remaining -= count as u32;
                self.trailers.advance(&data[..count])?;
                data = &data[count..];
                continue;
            }
            let count = data.len().min(FRAME_HEAD_BYTES - self.head_length);
            self.head[self.head_length..][..count].copy_from_slice(&data[..count]);
            self.head_length += count;
            data = &data[count..];
            if self.head_length == FRAME_HEAD_BYTES {
                self.begin_frame()?;
            }
        }
        Ok(())
    }

    /// True if no frame and no head is incomplete.
    fn is_at_boundary(&self) -> bool {
        self.remaining == 0 && self.head_length == 0 && !self.awaits_continuation
    }

    /// The number of the frame or head that is incomplete; 0 if none is.
    pub(super) fn partial(&self) -> u32 {
        if self.is_at_boundary() { 0 } else { self.begun }
    }

    /// True if the connection should end soon.
    pub(super) fn has_many_resets(&self) -> bool {
        self.resets >= RESETS_MAX
    }

    /// The highest stream that the client has opened; 0 without one.
    pub(super) fn last_stream(&self) -> u32 {
        self.last
    }

    fn begin_frame(&mut self) -> Result<(), Reason> {
        let [a, b, c, kind, flags, stream @ ..] = self.head;
        let stream = u32::from_be_bytes(stream) & (u32::MAX >> 1);
        self.head_length = 0;
        self.remaining = u32::from_be_bytes([0, a, b, c]);
        self.trailers = Trailers::None;
        // RFC 9113 §3.4.
        if std::mem::take(&mut self.is_first) && (kind != SETTINGS || flags & ACK != 0) {
            return Err(Reason::PROTOCOL_ERROR);
        }
        if !is_valid_length(kind, flags, self.remaining) {
            return Err(Reason::FRAME_SIZE_ERROR);
        }
        if kind == RST_STREAM {
            self.resets += 1;
            if self.resets > RESETS_ABUSE {
                return Err(Reason::ENHANCE_YOUR_CALM);
            }
        }
        if matches!(kind, HEADERS | CONTINUATION) {
            self.awaits_continuation = flags & END_HEADERS == 0;
        }
        let index = self.open.iter().position(|&open| open == stream);
        match kind {
            HEADERS if stream > self.last => {
                // The client's streams have odd numbers.
                let next = (self.last + 1) | 1;
                if stream > next {
                    if self.gaps.len() == GAPS_MAX {
                        self.gaps.remove(0);
                    }
                    self.gaps.push(next..stream);
                }
                self.last = stream;
                if flags & END_STREAM == 0 {
                    if self.open.len() == OPEN_MAX {
                        self.open.remove(0);
                    }
                    self.open.push(stream);
                }
                return Ok(());
            }
            // RFC 9113 §5.1.1: a higher stream has closed it.
            DATA | HEADERS if self.gaps.iter().any(|gap| gap.contains(&stream)) => {
                return Err(Reason::PROTOCOL_ERROR);
            }
            // RFC 9113 §5.1: the client has ended or reset the stream. The rest are
            // errors that h2 finds.
            DATA | HEADERS if index.is_none() && stream <= self.last && stream % 2 == 1 => {
                return Err(Reason::STREAM_CLOSED);
            }
            HEADERS => {
                let padding = u8::from(flags & PADDED != 0);
                let priority = if flags & PRIORITY != 0 { 5 } else { 0 };
                self.trailers = Trailers::Skip(padding + priority);
            }
            _ => {}
        }
        let is_end = match kind {
            DATA | HEADERS => flags & END_STREAM != 0,
            _ => kind == RST_STREAM,
        };
        if let Some(index) = index.filter(|_| is_end) {
            self.open.remove(index);
        }
        Ok(())
    }
}

/// False if frames of the type have another length (RFC 9113 §6).
fn is_valid_length(kind: u8, flags: u8, length: u32) -> bool {
    match kind {
        PRIORITY_FRAME => length == 5,
        RST_STREAM | WINDOW_UPDATE => length == 4,
        SETTINGS if flags & ACK != 0 => length == 0,
        SETTINGS => length.is_multiple_of(6),
        PING => length == 8,
        GOAWAY => length >= 8,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, 1];
        frame.resize(FRAME_HEAD_BYTES + usize::from(length), 0);
        frame
    }

    #[test]
    fn a_boundary_is_after_each_whole_frame_and_each_whole_head() {
        for pieces in [1, 2, 5, 1000] {
            let mut frames = Frames::new();
            let mut advance = |bytes: &[u8]| {
                bytes.chunks(pieces).for_each(|piece| frames.advance(piece).unwrap());
                frames.is_at_boundary()
            };
            assert!(!advance(&[0; 23]));
            assert!(advance(&[0; 1]));
            assert!(advance(&frame(4, 0, 0)));
            assert!(!advance(&frame(8, 0, 4)[..12]));
            assert!(advance(&[0]));
            assert!(advance(&frame(HEADERS, END_HEADERS, 20)));
            assert!(!advance(&frame(HEADERS, 0, 20)));
            assert!(!advance(&frame(CONTINUATION, 0, 0)));
            assert!(advance(&frame(CONTINUATION, END_HEADERS, 1)));
        }
    }

    #[test]
    fn trailers_may_not_begin_with_a_pseudo_header_field() {
        for (flags, block, is_valid) in [
            (0, &[0x82][..], false),
            (0, &[0x44, 1, b'/'], false),
            (0, &[0x20, 0x02, 3, b'G'], false),
            (0, &[0x10, 7, b':', b'm'], false),
            (0, &[0x00, 0x85, 0xb9, 0x49], false),
            (PADDED | PRIORITY, &[0, 0, 0, 0, 0, 9, 0x82], false),
            (0, &[0x00, 1, b'x', 1, b':'], true),
            (0, &[0x8f], true),
            (0, &[0x4f, 1, b':'], true),
            (PADDED, &[0x82, 0x8f], true),
        ] {
            let trailers = [&[0, 0, block.len() as u8, HEADERS, flags, 0, 0, 0, 1], block].concat();
            let settings = frame(SETTINGS, 0, 0);
            let head = frame(HEADERS, END_HEADERS, 0);
            let sent = [&[0; 24], &settings[..], &head, &trailers].concat();
            for pieces in [1, 1000] {
                let mut frames = Frames::new();
                let result = sent.chunks(pieces).try_for_each(|piece| frames.advance(piece));
                assert_eq!(result.is_ok(), is_valid, "{flags} {block:x?}");
            }
        }
    }
}
