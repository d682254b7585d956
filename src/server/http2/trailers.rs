//! The first field of the trailers of a request with HTTP/2 (RFC 9113 §8.1).

use h2::Reason;

/// Indexes of pseudo-header fields in the static table (RFC 7541 appendix A).
const PSEUDO_INDEXES: std::ops::RangeInclusive<u8> = 1..=14;

const PSEUDO: Reason = Reason::PROTOCOL_ERROR;

/// Position before the first field of trailers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trailers {
    /// Not in trailers, or their first field has been checked.
    None,
    /// This many bytes come before the fields.
    Skip(u8),
    /// The length of a name comes next.
    Length,
    /// The first character of a name comes next. True if it is Huffman-coded.
    Name(bool),
}

impl Trailers {
    /// An error if the first field is a pseudo-header field (RFC 9113 §8.1). h2 rejects
    /// those that follow another field, and discards the others with the trailers. Only h2 could
    /// recognise a name in the dynamic table, behind a size update of several bytes, or one that
    /// begins in CONTINUATION, so these are not errors.
    pub(super) fn advance(&mut self, data: &[u8]) -> Result<(), Reason> {
        for &byte in data {
            *self = match *self {
                Self::None => return Ok(()),
                Self::Skip(0) => match byte {
                    0x80.. if PSEUDO_INDEXES.contains(&(byte & 0x7f)) => return Err(PSEUDO),
                    0x41..0x80 if PSEUDO_INDEXES.contains(&(byte & 0x3f)) => return Err(PSEUDO),
                    0x01..0x20 if PSEUDO_INDEXES.contains(&(byte & 0x0f)) => return Err(PSEUDO),
                    0x40 | 0x10 | 0x00 => Self::Length,
                    // A dynamic table size update (RFC 7541 §6.3).
                    0x20..=0x3e => Self::Skip(0),
                    _ => Self::None,
                },
                Self::Skip(count) => Self::Skip(count - 1),
                Self::Length => Self::Name(byte & 0x80 != 0),
                // The seven bits of a colon (RFC 7541 appendix B).
                Self::Name(true) if byte >> 1 == 0x5c => return Err(PSEUDO),
                Self::Name(false) if byte == b':' => return Err(PSEUDO),
                Self::Name(_) => Self::None,
            };
        }
        Ok(())
    }
}
