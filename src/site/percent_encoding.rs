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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_an_encoded_path_returns_the_path() {
        for path in ["/", "/menu card.txt", "/crème brûlée", "/100%", "/a?b#c\u{0}\"<>[]^`{|}"] {
            let encoded = encode_path(path);
            assert!(encoded.is_ascii(), "{encoded}");
            assert_eq!(decode(&encoded).as_deref(), Some(path), "{encoded}");
        }
    }

    #[test]
    fn invalid_percent_encoding_and_invalid_utf_8_are_not_decoded() {
        for path in ["/%ff", "/%c0%ae", "/%ed%a0%80"] {
            assert_eq!(decode(path), None, "{path}");
        }
        for path in ["%", "/%2", "/%zz", "/a%+1"] {
            assert_eq!(decode(path).as_deref(), Some(path), "{path}");
        }
    }

    #[test]
    fn a_target_keeps_the_characters_of_a_uri_and_its_encoded_bytes() {
        for (target, expected) in [
            ("ä=%zz&b=\"<ö", "%C3%A4=%zz&b=%22%3C%C3%B6"),
            ("/\\evil.example", "/%5Cevil.example"),
            ("/a[b]{c}|d^e`f\u{7f}", "/a%5Bb%5D%7Bc%7D%7Cd%5Ee%60f%7F"),
            ("/aZ09-._~!$&'()*+,;=:@/?/%20", "/aZ09-._~!$&'()*+,;=:@/?/%20"),
        ] {
            assert_eq!(encode_target(target), expected);
        }
    }
}
