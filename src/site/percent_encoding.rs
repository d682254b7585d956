//! Percent-encoding (RFC 3986 §2.1).

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What a path cannot contain literally: all but the slash and `pchar` (RFC 3986 §3.3).
const NOT_IN_PATH: AsciiSet = all_but(b"-._~!$&'()*+,;=:@/");

/// What neither a path nor a query can contain literally (§3.4), except for percent signs.
const NOT_IN_TARGET: AsciiSet = NOT_IN_PATH.remove(b'?').remove(b'%');

/// Everything except letters, digits and the bytes of `literals`.
const fn all_but(mut literals: &[u8]) -> AsciiSet {
    let mut set = NON_ALPHANUMERIC.remove(b'-');
    while let [literal, rest @ ..] = literals {
        set = set.remove(*literal);
        literals = rest;
    }
    set
}

/// `path` with every byte encoded that a path cannot contain literally: each path has exactly one
/// encoded form.
pub(super) fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, &NOT_IN_PATH).to_string()
}

/// `target`, a path, a query, or both, with every byte encoded that neither can contain literally.
/// Clients send such bytes, but a Location field contains a URI (RFC 9110 §10.2.2). Percent signs
/// are kept: `target` is encoded already.
pub(crate) fn encode_target(target: &str) -> String {
    utf8_percent_encode(target, &NOT_IN_TARGET).to_string()
}

/// Decodes `path`. A `%` without two hexadecimal digits stays: no path of the table contains one.
/// `None` if the decoded bytes are not UTF-8.
pub(crate) fn decode(path: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(path).decode_utf8().ok()
}
