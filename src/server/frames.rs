//! The frames of HTTP/2 that a client sends.

/// Length of a frame's head, and the type of a frame that begins a request (RFC 9113 §4.1, §6.2).
const HEAD_BYTES: usize = 9;
const HEADERS: u8 = 1;

/// Length of what precedes the first frame (RFC 9113 §3.4).
const PREFACE_BYTES: usize = 24;

/// Follows frames in the bytes of a connection, to count requests: h2 does not report requests that it refuses,
/// and their bytes count too.
#[derive(Debug)]
pub(super) struct Frames {
    /// The beginning of a frame's head.
    head: Vec<u8>,
    /// Bytes before the next head.
    skip: usize,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self { head: Vec::with_capacity(HEAD_BYTES), skip: PREFACE_BYTES }
    }

    /// Number of requests that begin in `bytes`, the next ones of the connection.
    pub(super) fn count_requests(&mut self, mut bytes: &[u8]) -> usize {
        let mut count = 0;
        while !bytes.is_empty() {
            let skipped = self.skip.min(bytes.len());
            let missing = HEAD_BYTES - self.head.len();
            let (_, rest) = bytes.split_at(skipped);
            let (part, rest) = rest.split_at(missing.min(rest.len()));
            self.skip -= skipped;
            self.head.extend_from_slice(part);
            if let [a, b, c, kind, ..] = self.head[..]
                && self.head.len() == HEAD_BYTES
            {
                self.skip = u32::from_be_bytes([0, a, b, c]) as usize;
                self.head.clear();
                count += usize::from(kind == HEADERS);
            }
            bytes = rest;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_however_their_bytes_arrive() {
        let frame = |kind, length: u8| {
            [&[0, 0, length, kind, 0, 0, 0, 0, 1][..], &[HEADERS; 255][..length.into()]].concat()
        };
        let frames =
            [frame(4, 6), frame(1, 40), frame(9, 3), frame(1, 0), frame(0, 200), frame(1, 1)];
        let sent = [&[b'P'; PREFACE_BYTES][..], &frames.concat()].concat();
        for size in 1..=sent.len() {
            let mut frames = Frames::new();
            let counts = sent.chunks(size).map(|chunk| frames.count_requests(chunk));
            assert_eq!(counts.sum::<usize>(), 3, "{size}");
        }
    }
}
