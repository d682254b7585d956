//! Integers with a prefix of some bits (RFC 7541 §5.1).

/// Largest value that is decoded. It exceeds each valid length and index.
const VALUE_MAX: usize = (1 << 28) - 1;

/// Appends `value`. The bits above the `prefix` bits of the first byte are those of `pattern`.
#[inline]
pub(super) fn encode(pattern: u8, prefix: u32, value: usize, coded: &mut Vec<u8>) {
    let full = (1 << prefix) - 1;
    if value < full {
        coded.push(pattern | value as u8);
    } else {
        coded.push(pattern | full as u8);
        encode_rest(value - full, coded);
    }
}

/// Appends what does not fit into the prefix.
fn encode_rest(mut rest: usize, coded: &mut Vec<u8>) {
    while rest >= 0x80 {
        coded.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    coded.push(rest as u8);
}

/// Takes an integer from the beginning of `coded`. `None` if it is incomplete or too large.
pub(super) fn decode(prefix: u32, coded: &mut &[u8]) -> Option<usize> {
    let (&first, mut rest) = coded.split_first()?;
    let full = (1 << prefix) - 1;
    let mut value = usize::from(first) & full;
    if value == full {
        let mut shift = 0;
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            value += usize::from(byte & 0x7f) << shift;
            if value > VALUE_MAX {
                return None;
            }
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
            // The value is too large, or has zeros without end.
            if shift > 21 {
                return None;
            }
        }
    }
    *coded = rest;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7541 appendix C.1.
    #[test]
    fn the_examples_of_the_rfc_are_encoded_and_decoded() {
        for (pattern, prefix, value, expected) in [
            (0, 5, 10, &[10][..]),
            (0, 5, 1337, &[0b11111, 0b1001_1010, 0b1010]),
            (0, 8, 42, &[42]),
            (0x80, 7, 127, &[0xff, 0]),
            (0x40, 6, 62, &[0x7e]),
        ] {
            let mut coded = Vec::new();
            encode(pattern, prefix, value, &mut coded);
            assert_eq!(coded, expected);
            coded.push(7);
            let mut rest = &coded[..];
            assert_eq!((decode(prefix, &mut rest), rest), (Some(value), &[7][..]));
        }
    }

    #[test]
    fn incomplete_and_too_large_integers_are_errors() {
        for coded in [
            &[][..],
            &[0x1f],
            &[0x1f, 0x80],
            &[0x1f, 0xff, 0xff, 0xff, 0xff, 0x7f],
            &[0x1f, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
        ] {
            assert_eq!(decode(5, &mut &coded[..]), None, "{coded:x?}");
        }
    }
}
