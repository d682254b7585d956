//! Field values of a request as quoted text.

/// Longest value that is logged whole, in bytes after escaping. The values stay in
/// memory until the response has ended.
const VALUE_MAX_BYTES: usize = 512;

/// Marks a value that was cut off.
const CUT: &str = "...";

/// Appends `value` in double quotes. Quotes, backslashes and bytes that are not
/// printable ASCII become `prefix` and two hexadecimal digits, so that no
/// request can end a field or forge a line.
pub(super) fn push_quoted(line: &mut String, value: &[u8], prefix: &str) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    line.push('"');
    let end = line.len() + VALUE_MAX_BYTES;
    for &byte in value {
        let is_literal = matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        let length = if is_literal { 1 } else { prefix.len() + 2 };
        if line.len() + length > end {
            line.push_str(CUT);
            break;
        }
        if is_literal {
            line.push(byte.into());
        } else {
            line.push_str(prefix);
            line.push(DIGITS[usize::from(byte >> 4)].into());
            line.push(DIGITS[usize::from(byte & 0xf)].into());
        }
    }
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(value: &[u8], prefix: &str) -> String {
        let mut line = String::new();
        push_quoted(&mut line, value, prefix);
        line
    }

    #[test]
    fn a_value_cannot_end_its_quotes_or_its_line() {
        let combined = quoted(b"a\"b\\c\r\nd\x1b[31m\xff", r"\x");
        assert_eq!(combined, r#""a\x22b\x5cc\x0d\x0ad\x1b[31m\xff""#);
        let json = quoted(b"a\"\n\xe9", r"\u00");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\"\n\u{e9}");
    }

    #[test]
    fn a_long_value_is_cut_off_and_marked() {
        for prefix in [r"\x", r"\u00"] {
            let escaped = prefix.len() + 2;
            for plain in VALUE_MAX_BYTES - 9..=VALUE_MAX_BYTES {
                let value = [&vec![b'a'; plain][..], b"\xff"].concat();
                let plain = "a".repeat(plain);
                let expected = if plain.len() + escaped <= VALUE_MAX_BYTES {
                    format!("\"{plain}{prefix}ff\"")
                } else {
                    format!("\"{plain}...\"")
                };
                assert_eq!(quoted(&value, prefix), expected);
            }
            let whole = "a".repeat(VALUE_MAX_BYTES);
            assert_eq!(quoted(whole.as_bytes(), prefix), format!("\"{whole}\""));
            let count = VALUE_MAX_BYTES / escaped;
            let cut_off = format!("\"{}...\"", format!("{prefix}ff").repeat(count));
            assert_eq!(quoted(&[b'\xff'; 70_000], prefix), cut_off);
        }
    }
}
