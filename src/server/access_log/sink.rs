//! The part of the log that its entries share.

use super::buffer::Buffer;

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache's combined log format, followed by the duration in seconds.
    Combined,
    /// One JSON object (RFC 8259).
    Json,
}

/// Where entries write their lines, and how.
#[derive(Debug)]
pub(super) struct Sink {
    pub(super) format: Format,
    pub(super) trusted_proxies: usize,
    pub(super) buffer: Buffer,
}
