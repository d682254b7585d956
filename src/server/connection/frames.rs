//! The frames of HTTP/2 that a client sends, as far as they bound how much memory it holds: their
//! lengths and types, and the byte with which a client says that it keeps no table (DECISION-57).

use std::mem;

use crate::server::limits::HEAD_MAX_BYTES;

/// Length of what precedes the first frame (RFC 9113 §3.4), of a frame's head (§4.1), and of a
/// priority (§6.2).
const PREFACE_BYTES: usize = 24;
const FRAME_HEAD_BYTES: usize = 9;
const PRIORITY_BYTES: usize = 5;

/// Types of frames (§6), one that is not assigned, and flags of SETTINGS and HEADERS.
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
const CONTINUATION: u8 = 9;
const UNKNOWN: u8 = 0xfa;
const ACK: u8 = 0x1;
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;

/// The first bytes of a block of fields that sets the size of the table to 0, or to another size
/// (RFC 7541 §6.3), and an index that is an error (§6.1).
const NO_SIZE: u8 = 0x20;
const LAST_SIZE: u8 = 0x3f;
const INVALID_INDEX: u8 = 0x80;

/// Asks the client to keep no table of fields (SETTINGS_HEADER_TABLE_SIZE, RFC 9113 §6.5.2). The
/// entries of a table keep what they arrived in.
pub(super) const NO_TABLE: [u8; 15] = [0, 0, 6, SETTINGS, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];

/// Maximum bytes of a block, in all of its frames. One within [`HEAD_MAX_BYTES`] has fewer, because
/// the size of a head counts 32 bytes more for each field (§6.5.2).
const BLOCK_MAX_BYTES: usize = HEAD_MAX_BYTES + 1024;

/// Bytes that h2 keeps for one that it has received, at most. A test in `load` measures it.
const KEPT_PER_BYTE: usize = 5;

/// Follows the frames in the bytes of a connection. What h2 keeps of them is bounded by what it has
/// received since its table was empty.
#[derive(Debug)]
pub(super) struct Frames {
    /// The head of a frame, and how much of it has arrived.
    head: [u8; FRAME_HEAD_BYTES],
    position: usize,
    /// Bytes that follow before the next head.
    payload: usize,
    /// True until the client's own settings, and until it has confirmed [`NO_TABLE`], which h2 does
    /// not expect.
    is_first: bool,
    is_unconfirmed: bool,
    /// True from the start of a block until its first byte that sets no size.
    is_block_start: bool,
    /// Bytes of a priority that follow, and the stream that it contains.
    priority: usize,
    dependency: u32,
    /// Bytes of the block so far.
    block: usize,
    /// Blocks so far.
    heads: usize,
    /// True unless h2's table is empty and stays so.
    has_table: bool,
    /// Bytes that arrived since the table was empty.
    received: usize,
    /// True once a block was hidden. Later ones may need its entries, so they are hidden too.
    is_hiding: bool,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            head: [0; FRAME_HEAD_BYTES],
            position: 0,
            payload: PREFACE_BYTES,
            is_first: true,
            is_unconfirmed: true,
            is_block_start: false,
            priority: 0,
            dependency: 0,
            block: 0,
            heads: 0,
            has_table: true,
            received: 0,
            is_hiding: false,
        }
    }

    /// Receives `bytes`, the next ones of the connection. `keep` says, for each frame of a block,
    /// whether the connection may keep this number of bytes, and the streams of this number of
    /// blocks. If not, this block and all later ones become frames of an unknown type, which h2
    /// ignores: its last GOAWAY tells the client to repeat these requests. At such a frame within a
    /// block, h2 ends the connection.
    pub(super) fn receive(
        &mut self,
        mut bytes: &mut [u8],
        mut keep: impl FnMut(usize, usize) -> bool,
    ) {
        while let [first, ..] = bytes {
            let count = if self.payload == 0 {
                self.receive_head(bytes, &mut keep)
            } else if self.is_block_start {
                self.receive_block_start(first);
                self.payload -= 1;
                1
            } else {
                let count = self.payload.min(bytes.len());
                self.payload -= count;
                count
            };
            if self.has_table {
                self.received += count;
            }
            bytes = &mut bytes[count..];
        }
    }

    /// Returns how many of `bytes` belong to the head of the frame.
    fn receive_head(
        &mut self,
        bytes: &mut [u8],
        keep: &mut impl FnMut(usize, usize) -> bool,
    ) -> usize {
        let start = self.position;
        let count = bytes.len().min(FRAME_HEAD_BYTES - start);
        self.position += count;
        self.head[start..self.position].copy_from_slice(&bytes[..count]);
        let [a, b, c, kind, flags, ..] = self.head;
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        // If the flags do not follow yet, an empty frame of SETTINGS is taken for a confirmation.
        let may_confirm = length == 0 && (self.position == 4 || flags & ACK != 0);
        if (start..self.position).contains(&3) && self.is_hidden(kind, length, may_confirm, keep) {
            bytes[3 - start] = UNKNOWN;
        }
        if self.position == FRAME_HEAD_BYTES {
            self.position = 0;
            self.payload = length;
            self.is_block_start = kind == HEADERS && !self.is_hiding;
            self.priority = if flags & PRIORITY == 0 { 0 } else { PRIORITY_BYTES };
            // Bytes of padding say nothing.
            if self.is_block_start && flags & PADDED != 0 {
                self.is_block_start = false;
                self.begin_table(0);
            }
        }
        count
    }

    /// True if h2 must not see the frame of this type that begins.
    fn is_hidden(
        &mut self,
        kind: u8,
        length: usize,
        may_confirm: bool,
        keep: &mut impl FnMut(usize, usize) -> bool,
    ) -> bool {
        match kind {
            // The client's own settings come first (§3.4).
            SETTINGS if mem::take(&mut self.is_first) || !may_confirm => return false,
            SETTINGS => return mem::take(&mut self.is_unconfirmed),
            HEADERS => {
                self.block = length;
                self.heads += 1;
            }
            // h2 accepts a size at the start of each of these, too.
            CONTINUATION | PUSH_PROMISE => {
                self.begin_table(self.block);
                self.block += length;
            }
            // Of hidden streams, h2 knows nothing.
            DATA | RST_STREAM => return self.is_hiding,
            _ => return false,
        }
        let received = if self.has_table { self.received } else { 0 };
        self.is_hiding = self.is_hiding
            || self.block > BLOCK_MAX_BYTES
            || !keep((received + self.block) * KEPT_PER_BYTE, self.heads);
        self.is_hiding
    }

    /// From now on, the table may have entries, which arrived in this number of bytes or later.
    fn begin_table(&mut self, received: usize) {
        if !mem::replace(&mut self.has_table, true) {
            self.received = received;
        }
    }

    fn receive_block_start(&mut self, byte: &mut u8) {
        if self.priority > 0 {
            self.priority -= 1;
            // The last byte is the weight.
            if self.priority > 0 {
                self.dependency = self.dependency << 8 | u32::from(*byte);
            }
            // h2 does not read the block of a stream that depends on itself.
            let stream =
                u32::from_be_bytes([self.head[5], self.head[6], self.head[7], self.head[8]]);
            self.is_block_start = self.priority > 0 || (self.dependency ^ stream) << 1 != 0;
            return;
        }
        match *byte {
            NO_SIZE => {
                self.has_table = false;
                self.received = 0;
            }
            size if size > NO_SIZE && size <= LAST_SIZE && !self.has_table => {
                // The client breaks its word. h2 ends the connection.
                *byte = INVALID_INDEX;
                self.is_block_start = false;
            }
            _ => self.is_block_start = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u32).to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 1], payload].concat()
    }

    /// What h2 sees of `sent`, and the bytes that were asked for.
    fn seen(sent: &[Vec<u8>], chunk: usize, most: usize) -> (Vec<Vec<u8>>, Vec<usize>) {
        let (mut frames, asked) = (Frames::new(), RefCell::new(Vec::new()));
        let mut bytes = [&[b'P'; PREFACE_BYTES][..], &sent.concat()].concat();
        for bytes in bytes.chunks_mut(chunk) {
            frames.receive(bytes, |bytes, _| {
                asked.borrow_mut().push(bytes);
                bytes <= most
            });
        }
        let mut rest = &bytes[PREFACE_BYTES..];
        let frames = sent.iter().map(|frame| {
            let (seen, others) = rest.split_at(frame.len());
            rest = others;
            seen.to_vec()
        });
        (frames.collect(), asked.into_inner())
    }

    #[test]
    fn a_head_counts_all_bytes_since_the_table_was_empty() {
        let settings = frame(SETTINGS, 0, &[]);
        let head = frame(HEADERS, 4, &[0x82, 0x84]);
        let priority =
            |dependency| frame(HEADERS, 0x24, &[0x80, 0, 0, dependency, 7, NO_SIZE, 0x82]);
        let empty = frame(HEADERS, 4, &[NO_SIZE, NO_SIZE, 0x82]);
        let continued = frame(CONTINUATION, 4, &[0x84; 50]);
        let padded = frame(HEADERS, 0xc, &[[1, 0x82].as_slice(), &[NO_SIZE; 50]].concat());
        let data = frame(0, 0, &[NO_SIZE; 100]);
        for chunk in [1, 2, 3, 5, 9, 10, 11, 12, 100, 10_000] {
            for (frames, expected) in [
                (&[&settings, &head][..], 35),
                (&[&settings, &head, &data, &head], 35 + 11 + 109),
                (&[&settings, &empty, &data, &head, &data, &head], 2),
                (&[&settings, &priority(3), &head], 2),
                // A stream that depends on itself.
                (&[&settings, &priority(1), &head], 35 + 16),
                (&[&settings, &padded, &head], 35 + 61),
                (&[&settings, &empty, &padded, &head], 52 + 2),
                (&[&settings, &empty, &head, &continued, &head], 59 + 2),
            ] {
                let sent: Vec<Vec<u8>> = frames.iter().map(|frame| frame.to_vec()).collect();
                let (seen, asked) = seen(&sent, chunk, usize::MAX);
                assert_eq!(seen, sent, "{chunk}");
                // Up to the head of the frame, or to its end.
                let last = asked.last().unwrap() / KEPT_PER_BYTE;
                assert!((expected..=expected + 12).contains(&last), "{expected} {last} {frames:?}");
            }
        }
    }

    #[test]
    fn heads_beyond_what_may_be_kept_and_too_long_ones_are_hidden() {
        let head = frame(HEADERS, 4, &[0x82; 10]);
        let (settings, data) = (frame(SETTINGS, 0, &[0, 4, 0, 0, 0, 1]), frame(0, 0, &[1; 300]));
        let hidden = frame(UNKNOWN, 4, &[0x82; 10]);
        let gone = frame(UNKNOWN, 0, &[1; 300]);
        let sent = [&settings, &head, &data, &head, &data, &head].map(Vec::clone);
        let expected = [&settings, &head, &data, &hidden, &gone, &hidden].map(Vec::clone);
        let long = [(HEADERS, 16_384), (CONTINUATION, 1024), (CONTINUATION, 1), (HEADERS, 1)];
        let long = long.map(|(kind, length)| frame(kind, 0, &vec![0x82; length]));
        for chunk in [1, 2, 3, 4, 5, 9, 10, 100, 10_000] {
            assert_eq!(seen(&sent, chunk, 500).0, expected, "{chunk}");
            let kinds: Vec<u8> = seen(&long, chunk, usize::MAX).0.iter().map(|it| it[3]).collect();
            assert_eq!(kinds, [HEADERS, CONTINUATION, UNKNOWN, UNKNOWN], "{chunk}");
        }
    }

    #[test]
    fn h2_sees_neither_the_confirmation_of_no_table_nor_a_size_against_it() {
        let empty = frame(SETTINGS, 0, &[]);
        let ack = frame(SETTINGS, 1, &[]);
        let no_size = frame(HEADERS, 4, &[NO_SIZE, 0x82]);
        let size = frame(HEADERS, 4, &[LAST_SIZE, 0xe1, 0x1f, 0x82]);
        let hidden = frame(UNKNOWN, 1, &[]);
        let invalid = frame(HEADERS, 4, &[INVALID_INDEX, 0xe1, 0x1f, 0x82]);
        let sent = [&empty, &size, &ack, &empty, &ack, &no_size, &size].map(Vec::clone);
        let expected = [&empty, &size, &hidden, &empty, &ack, &no_size, &invalid].map(Vec::clone);
        for chunk in [1, 2, 3, 5, 9, 10, 11, 12, 100, 10_000] {
            assert_eq!(seen(&sent, chunk, usize::MAX).0, expected, "{chunk}");
        }
        // An empty frame that confirms nothing.
        let sent = [&empty, &empty, &ack].map(Vec::clone);
        let expected = [&empty, &empty, &hidden].map(Vec::clone);
        assert_eq!(seen(&sent, 10_000, usize::MAX).0, expected);
    }
}
