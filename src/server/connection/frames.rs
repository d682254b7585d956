//! The frames of HTTP/2 that a client sends, as far as they decide how much memory it holds.

/// Length of what precedes the first frame (RFC 9113 §3.4), and of a frame's head (§4.1).
const PREFACE_BYTES: usize = 24;
const FRAME_HEAD_BYTES: usize = 9;

/// Types and flags of the frames that contain the heads of requests, and the length of a priority
/// (§6.2, §6.10).
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;
const PRIORITY_BYTES: usize = 5;

/// Maximum bytes that one entry is charged with: a frame, the most that h2 has to buffer.
const BUFFER_MAX_BYTES: usize = 16 * 1024 + FRAME_HEAD_BYTES;

/// Follows the frames in the bytes of a connection, to bound its memory. An entry of the table of
/// HPACK stays until the connection ends. Each entry is charged with all bytes since the last one,
/// because h2 may keep any part of them.
#[derive(Debug)]
pub(super) struct Frames {
    /// The beginning of a frame's head.
    frame_head: Vec<u8>,
    /// Bytes before the next frame's head, and those of them before the fields.
    left: usize,
    prefix: usize,
    /// The fields that the frame contains.
    fields: Option<Fields>,
    /// Bytes since the last entry of the table.
    since_entry: usize,
}

impl Frames {
    pub(super) fn new() -> Self {
        let frame_head = Vec::with_capacity(FRAME_HEAD_BYTES);
        Self { frame_head, left: PREFACE_BYTES, prefix: 0, fields: None, since_entry: 0 }
    }

    /// Receives `bytes`, the next ones of the connection. Returns how many may be kept until the
    /// connection ends.
    pub(super) fn receive(&mut self, mut bytes: &[u8]) -> usize {
        let mut kept = 0;
        while let [_, ..] = bytes {
            let is_payload = self.left > 0;
            let wanted = match is_payload {
                true if self.prefix > 0 => self.prefix,
                true => self.left,
                false => FRAME_HEAD_BYTES - self.frame_head.len(),
            };
            let (part, rest) = bytes.split_at(wanted.min(bytes.len()));
            bytes = rest;
            self.since_entry += part.len();
            if !is_payload {
                self.frame_head.extend_from_slice(part);
                self.begin_frame();
                continue;
            }
            self.left -= part.len();
            if self.prefix > 0 {
                self.prefix -= part.len();
            } else if self.fields.as_mut().is_some_and(|fields| fields.add_entry(part)) {
                kept += self.since_entry.min(BUFFER_MAX_BYTES);
                self.since_entry = 0;
            }
        }
        kept
    }

    /// Begins a frame if its head is complete.
    fn begin_frame(&mut self) {
        let [a, b, c, kind, flags, _, _, _, _] = self.frame_head[..] else { return };
        self.frame_head.clear();
        self.left = u32::from_be_bytes([0, a, b, c]) as usize;
        if kind == HEADERS {
            let step = if flags & PADDED == 0 { Step::Field } else { Step::Unknown };
            self.fields = Some(Fields { step, strings: 0 });
            self.prefix = if flags & PRIORITY == 0 { 0 } else { PRIORITY_BYTES.min(self.left) };
        } else if kind != CONTINUATION {
            self.fields = None;
        }
    }
}

/// The place in a list of fields (RFC 7541 §6).
#[derive(Debug)]
struct Fields {
    step: Step,
    /// Strings of the field that follow.
    strings: u8,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The first byte of a field.
    Field,
    /// Another byte of an index.
    Index,
    /// The first byte of a string's length.
    Length,
    /// Another byte of the length, whose bits count from here.
    MoreLength(usize, u32),
    /// This number of bytes of a string.
    String(usize),
    /// Not known, up to the end of the head.
    Unknown,
}

impl Fields {
    /// True if one of these bytes, the next ones of the list, adds an entry to the table, or may do
    /// so.
    fn add_entry(&mut self, mut bytes: &[u8]) -> bool {
        let mut has_added = false;
        while let [byte, rest @ ..] = bytes {
            bytes = rest;
            self.step = match self.step {
                Step::Field => {
                    // The bits of the index, and whether the field has a value, after a name if the
                    // index is 0.
                    let (index_bits, has_value) = match byte {
                        0x80.. => (0x7f, false),
                        0x40.. => (0x3f, true),
                        0x20.. => (0x1f, false),
                        _ => (0x0f, true),
                    };
                    has_added |= matches!(byte, 0x40..0x80);
                    self.strings =
                        u8::from(has_value) + u8::from(has_value && byte & index_bits == 0);
                    if byte & index_bits == index_bits { Step::Index } else { self.after_index() }
                }
                Step::Index if byte & 0x80 == 0 => self.after_index(),
                Step::Index => Step::Index,
                Step::Length if byte & 0x7f == 0x7f => Step::MoreLength(0x7f, 0),
                Step::Length => self.begin_string((byte & 0x7f).into()),
                // RFC 7541 §5.1. h2 rejects longer numbers.
                Step::MoreLength(length, shift) if shift < 28 => {
                    let length = length + (usize::from(byte & 0x7f) << shift);
                    match byte & 0x80 {
                        0 => self.begin_string(length),
                        _ => Step::MoreLength(length, shift + 7),
                    }
                }
                Step::String(length) if length > 1 => {
                    // This byte, and those of the rest that belong to the string.
                    let count = (length - 1).min(bytes.len());
                    bytes = &bytes[count..];
                    match length - 1 - count {
                        0 => self.after_index(),
                        left => Step::String(left),
                    }
                }
                Step::String(_) => self.after_index(),
                Step::MoreLength(..) | Step::Unknown => Step::Unknown,
            };
        }
        has_added || matches!(self.step, Step::Unknown)
    }

    fn after_index(&mut self) -> Step {
        match self.strings.checked_sub(1) {
            None => Step::Field,
            Some(left) => {
                self.strings = left;
                Step::Length
            }
        }
    }

    fn begin_string(&mut self, length: usize) -> Step {
        if length == 0 { self.after_index() } else { Step::String(length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = (payload.len() as u32).to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 1], payload].concat()
    }

    #[test]
    fn a_head_that_adds_to_the_table_counts_with_all_that_arrived_since_the_last_one() {
        let head = |flags, payload: &[u8]| frame(HEADERS, flags, payload);
        let long_name = [&[0, 127, 1][..], &[0x40; 128], &[2], b"@@"].concat();
        let known = [
            // Indexed fields, a literal without indexing, one that is never indexed, and an update
            // of the size.
            head(
                0,
                &[0x82, 0x84, 0xff, 0x40, 0x3f, 0x40, 0x04, 2, b'@', b'@', 0x1f, 0x40, 1, b'@'],
            ),
            head(0, &long_name),
            head(PRIORITY, &[0x40, 0x40, 0x40, 0x40, 0x40, 0x82]),
            head(PRIORITY, &[0x40; 3]),
            head(0, &[0, 0, 0, 0x82]),
            frame(0, 0, &[0x40; 200]),
            frame(4, 0, &[0x40; 6]),
        ];
        let new = [
            head(0, &[0x82, 0x44, 1, b'/']),
            head(0, &[0x40, 1, b'a', 1, b'b']),
            head(0, &[0x04, 1, b'/', 0x40, 1, b'a', 1, b'b']),
            head(PADDED, &[3, 0x82, 0, 0, 0]),
            [head(0, &[0x00, 3, b'a']), frame(CONTINUATION, 0, &[b'b', b'c', 0, 0x7f, 0])].concat(),
            head(0, &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ];
        let preface = vec![b'P'; PREFACE_BYTES];
        for size in [1, 2, 5, 9, 11, 100, 10_000] {
            let count = |sent: &[&[u8]]| {
                let (mut frames, sent) = (Frames::new(), sent.concat());
                let all = sent.chunks(size).map(|chunk| frames.receive(chunk));
                all.sum::<usize>()
            };
            let all_known = known.concat();
            assert_eq!(count(&[&preface, &all_known, &all_known]), 0, "{size}");
            for head in &new {
                let kept = count(&[&preface, &all_known, head, &all_known]);
                let most = PREFACE_BYTES + all_known.len() + head.len();
                assert!((most - head.len()..=most).contains(&kept), "{size} {head:x?}: {kept}");
            }
            let content = frame(0, 0, &[0; 1000]).repeat(100);
            assert!(count(&[&preface, &content, &new[0]]) <= BUFFER_MAX_BYTES + 10, "{size}");
        }
    }
}
