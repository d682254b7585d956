//! Percent-encoding (RFC 3986 §2.1).

use std::borrow::Cow;
use std::fmt::Write;

/// `path` with every byte encoded that a path cannot contain literally
/// (RFC 3986 §3.3), so that each path has exactly one encoded form.
pub(super) fn encode_path(path: &str) -> String {
    encode(path, is_path_character)
}

/// `target`, a path, a query, or both, with every byte encoded that neither can contain
/// literally (RFC 3986 §3.3, §3.4). Clients send such bytes, but a Location field contains a
/// URI (RFC 9110 §10.2.2). Percent signs are kept: `target` is encoded already.
pub(crate) fn encode_target(target: &str) -> String {
    encode(target, |byte| is_path_character(byte) || matches!(byte, b'?' | b'%'))
}

fn encode(text: &str, is_literal: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_literal(byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("writing to a String does not fail");
        }
    }
    encoded
}

/// The slash, and `pchar` without the percent sign (RFC 3986 §3.3).
fn is_path_character(byte: u8) -> bool {
    is_unreserved(byte) || is_sub_delimiter(byte) || matches!(byte, b'/' | b':' | b'@')
}

/// RFC 3986 §2.3.
pub(crate) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// RFC 3986 §2.2.
pub(crate) const fn is_sub_delimiter(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

/// Decodes `path`. `None` if a `%` is not followed by two hexadecimal digits,
/// or if the decoded bytes are not UTF-8.
pub(crate) fn decode(path: &str) -> Option<Cow<'_, str>> {
    if !path.contains('%') {
        return Some(Cow::Borrowed(path));
    }
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail) {
            (b'%', [high, low, tail @ ..]) => {
                decoded.push(hexadecimal_digit(*high)? << 4 | hexadecimal_digit(*low)?);
                tail
            }
            (b'%', _) => return None,
            _ => {
                decoded.push(*byte);
                tail
            }
        };
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

fn hexadecimal_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
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
        for path in ["%", "/%2", "/%zz", "/a%+1", "/%ff", "/%c0%ae", "/%ed%a0%80"] {
            assert_eq!(decode(path), None, "{path}");
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
