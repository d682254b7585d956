//! Frames (RFC 9113 §4.1, §6).

use super::error_code::ErrorCode;

/// Length of a frame's head in bytes.
pub(super) const HEAD_BYTES: usize = 9;

/// Maximum length of a payload in bytes. Neither side has to accept more, unless it announces
/// more (RFC 9113 §4.2).
pub(super) const PAYLOAD_BYTES_MAX: usize = 16 * 1024;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const PRIORITY: u8 = 2;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PUSH_PROMISE: u8 = 5;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

pub(super) const ACK: u8 = 0x1;
pub(super) const END_STREAM: u8 = 0x1;
pub(super) const END_HEADERS: u8 = 0x4;
pub(super) const PADDED: u8 = 0x8;
pub(super) const HAS_PRIORITY: u8 = 0x20;

/// Ids of settings (RFC 9113 §6.5.2).
pub(super) const HEADER_TABLE_SIZE: u16 = 1;
pub(super) const ENABLE_PUSH: u16 = 2;
pub(super) const MAX_CONCURRENT_STREAMS: u16 = 3;
pub(super) const INITIAL_WINDOW_SIZE: u16 = 4;
pub(super) const MAX_FRAME_SIZE: u16 = 5;
pub(super) const MAX_HEADER_LIST_SIZE: u16 = 6;

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHead {
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl FrameHead {
    /// An error if the length is not valid for the type.
    pub(super) fn parse(bytes: [u8; HEAD_BYTES]) -> Result<Self, ErrorCode> {
        let [a, b, c, kind, flags, stream @ ..] = bytes;
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        // The highest bit is reserved.
        let stream = u32::from_be_bytes(stream) & (u32::MAX >> 1);
        let head = Self { length, kind, flags, stream };
        if head.has_valid_length() { Ok(head) } else { Err(ErrorCode::FrameSize) }
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn has_valid_length(&self) -> bool {
        match self.kind {
            PRIORITY => self.length == 5,
            RST_STREAM | WINDOW_UPDATE => self.length == 4,
            SETTINGS if self.has(ACK) => self.length == 0,
            SETTINGS => self.length.is_multiple_of(6) && self.length <= PAYLOAD_BYTES_MAX,
            PING => self.length == 8,
            GOAWAY => (8..=PAYLOAD_BYTES_MAX).contains(&self.length),
            _ => self.length <= PAYLOAD_BYTES_MAX,
        }
    }

    /// Appends the head to `bytes`.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let [_, length @ ..] = (self.length as u32).to_be_bytes();
        bytes.extend_from_slice(&length);
        bytes.extend_from_slice(&[self.kind, self.flags]);
        bytes.extend_from_slice(&self.stream.to_be_bytes());
    }
}

/// A frame of the client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) head: FrameHead,
    pub(super) payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The payload without padding (RFC 9113 §6.1).
    pub(super) fn unpadded(&self) -> Result<&'a [u8], ErrorCode> {
        if !self.head.has(PADDED) {
            return Ok(self.payload);
        }
        let (&padding, rest) = self.payload.split_first().ok_or(ErrorCode::FrameSize)?;
        let length = rest.len().checked_sub(padding.into()).ok_or(ErrorCode::Protocol)?;
        Ok(&rest[..length])
    }

    /// The number of 31 bits at `position`, where each such frame has one.
    pub(super) fn number_at(&self, position: usize) -> u32 {
        let bytes = self.payload[position..].first_chunk().copied().unwrap_or_default();
        u32::from_be_bytes(bytes) & (u32::MAX >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_parsed_as_it_is_written() {
        let head = FrameHead { length: 16_384, kind: DATA, flags: END_STREAM, stream: 0x7fff_fff1 };
        let mut bytes = Vec::new();
        head.write(&mut bytes);
        assert_eq!(FrameHead::parse(bytes[..].try_into().unwrap()), Ok(head));
    }
}
