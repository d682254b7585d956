//! Errors of HTTP/2 (RFC 9113 §5.4, §7).

/// An error code. The others are never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum ErrorCode {
    No = 0x0,
    Protocol = 0x1,
    FlowControl = 0x3,
    StreamClosed = 0x5,
    FrameSize = 0x6,
    RefusedStream = 0x7,
    Cancel = 0x8,
    Compression = 0x9,
    EnhanceYourCalm = 0xb,
}

/// A violation of the protocol by the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// Ends the connection.
    Connection(ErrorCode),
    /// Ends this stream.
    Stream(u32, ErrorCode),
}

impl From<ErrorCode> for Violation {
    fn from(code: ErrorCode) -> Self {
        Self::Connection(code)
    }
}
