//! A client that sends raw frames of HTTP/2 (RFC 9113), also invalid ones.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const PRIORITY: u8 = 2;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;

pub const END_STREAM: u8 = 1;
pub const ACK: u8 = 1;
pub const END_HEADERS: u8 = 4;
/// Flags of a head that is the whole request.
pub const WHOLE: u8 = END_STREAM | END_HEADERS;

pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes of one frame.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The preface with `settings`.
pub fn begin(settings: &[u8]) -> Vec<u8> {
    [PREFACE, &frame(SETTINGS, 0, 0, settings)].concat()
}

/// Fields as literals without indexing and without Huffman coding (RFC 7541 §6.2.2).
pub fn fields(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            match text.len().checked_sub(127) {
                None => block.push(text.len() as u8),
                // Enough for 16 KiB (RFC 7541 §5.1).
                Some(rest) => block.extend([127, rest as u8 | 128, (rest / 128) as u8]),
            }
            block.extend_from_slice(text.as_bytes());
        }
    }
    block
}

/// The pseudo-header fields of `METHOD PATH`.
pub fn request<'a>(method: &'a str, path: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![(":method", method), (":scheme", "https"), (":authority", "a.example"), (":path", path)]
}

/// A whole request for `path` as one frame.
pub fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, WHOLE, stream, &fields(&request("GET", path)))
}

/// A POST whose content follows in later frames.
pub fn post(stream: u32, more: &[(&str, &str)]) -> Vec<u8> {
    let head = [&request("POST", "/")[..], more].concat();
    frame(HEADERS, END_HEADERS, stream, &fields(&head))
}

pub fn window_update(stream: u32, increment: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &increment.to_be_bytes())
}

pub fn reset(stream: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes())
}

pub fn setting(id: u16, value: u32) -> Vec<u8> {
    [&id.to_be_bytes()[..], &value.to_be_bytes()].concat()
}

/// The id of a setting (RFC 9113 §6.5.2).
pub const INITIAL_WINDOW_SIZE: u16 = 4;

/// A frame of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

/// What tests wait for: one of these frames from the server, or the end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The head of a response, with its status.
    Response(u32, u16),
    /// RST_STREAM with its error code.
    Reset(u32, u32),
    /// GOAWAY with its error code.
    GoAway(u32),
    /// The connection was closed.
    Closed,
}

/// A connection to the server.
pub struct Client<S> {
    pub stream: S,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    /// Sends the preface with `settings`. The server may not use the dynamic table
    /// (SETTINGS_HEADER_TABLE_SIZE is 0), so that each head can be read alone.
    pub async fn begin(&mut self, settings: &[u8]) {
        self.send(begin(&[&setting(1, 0), settings].concat())).await;
    }

    /// Sends `bytes`. An error is ignored: the server may have closed the connection.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref()).await;
        let _ = self.stream.flush().await;
    }

    /// The next frame; `None` at the end of the connection.
    pub async fn frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).await.ok()?;
        let [a, b, c, kind, flags, stream @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        self.stream.read_exact(&mut payload).await.ok()?;
        Some(Frame { kind, flags, stream: u32::from_be_bytes(stream), payload })
    }

    /// The next event. Other frames are skipped, and a PING is answered.
    pub async fn event(&mut self) -> Event {
        loop {
            let Some(frame) = self.frame().await else { return Event::Closed };
            let code = |at| u32::from_be_bytes(frame.payload[at..at + 4].try_into().unwrap());
            match frame.kind {
                HEADERS => return Event::Response(frame.stream, status(&frame.payload)),
                RST_STREAM => return Event::Reset(frame.stream, code(0)),
                GOAWAY => return Event::GoAway(code(4)),
                PING if frame.flags & ACK == 0 => {
                    self.send(self::frame(PING, ACK, 0, &frame.payload)).await;
                }
                _ => {}
            }
        }
    }

    /// Number of bytes of content up to the next frame with END_STREAM; `None` if the
    /// connection ends first.
    pub async fn content_length(&mut self) -> Option<usize> {
        let mut length = 0;
        loop {
            let frame = self.frame().await?;
            if frame.kind == DATA {
                length += frame.payload.len();
            }
            if matches!(frame.kind, DATA | HEADERS) && frame.flags & END_STREAM != 0 {
                return Some(length);
            }
        }
    }
}

/// The status at the beginning of a head (RFC 7541 §6).
pub fn status(block: &[u8]) -> u16 {
    let block = &block[block.iter().take_while(|&&byte| byte & 0xe0 == 0x20).count()..];
    match *block {
        [indexed, ..] if indexed & 0x80 != 0 => {
            [200, 204, 206, 304, 400, 404, 500][usize::from(indexed & 0x7f) - 8]
        }
        // The name of index 8, and three digits in the code of Huffman (appendix B): 5 bits up to 2, then 6.
        [0x08 | 0x48, 0x82 | 0x83, a, b, c, ..] => {
            let mut bits = u32::from_be_bytes([a, b, c, 0]);
            (0..3).fold(0, |number, _| {
                let is_short = bits >> 27 < 3;
                let digit = if is_short { bits >> 27 } else { (bits >> 26) - 22 };
                bits <<= if is_short { 5 } else { 6 };
                number * 10 + digit as u16
            })
        }
        _ => panic!("no status in {block:x?}"),
    }
}
