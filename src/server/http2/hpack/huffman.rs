//! The Huffman code of strings (RFC 7541 §5.2).

/// Length in bits of each symbol's code (RFC 7541 appendix B). The last symbol is the end of
/// the string. The code is canonical: codes of one length are consecutive, in the order of
/// their symbols, and follow the shorter ones. So the lengths define it.
#[rustfmt::skip]
const LENGTHS: [u8; SYMBOLS] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
];

/// All bytes, and the end of the string.
const SYMBOLS: usize = 257;

const END_OF_STRING: u16 = 256;

/// Length of the shortest code in bits.
const LENGTH_MIN: usize = 5;

/// Length of the longest code in bits.
const LENGTH_MAX: usize = 30;

const CODE: Code = Code::new();

struct Code {
    /// The symbols in the order of their codes.
    symbols: [u16; SYMBOLS],
    /// The code of each symbol, in its last bits.
    codes: [u32; SYMBOLS],
    /// The codes of each length.
    groups: [Group; LENGTH_MAX + 1],
}

/// The codes of one length.
#[derive(Clone, Copy)]
struct Group {
    /// 32 bits that begin with one of these codes, or a shorter one, are a number below this.
    limit: u64,
    first: u32,
    /// Position of the first code's symbol in [`Code::symbols`].
    position: usize,
}

impl Code {
    const fn new() -> Self {
        let mut symbols = [0; SYMBOLS];
        let mut codes = [0; SYMBOLS];
        let mut groups = [Group { limit: 0, first: 0, position: 0 }; LENGTH_MAX + 1];
        let (mut position, mut next) = (0, 0_u32);
        let mut length = 1;
        while length <= LENGTH_MAX {
            next <<= 1;
            let first = next;
            groups[length].first = first;
            groups[length].position = position;
            let mut symbol = 0;
            while symbol < SYMBOLS {
                if LENGTHS[symbol] as usize == length {
                    symbols[position] = symbol as u16;
                    codes[symbol] = next;
                    position += 1;
                    next += 1;
                }
                symbol += 1;
            }
            groups[length].limit = (next as u64) << (32 - length);
            length += 1;
        }
        Self { symbols, codes, groups }
    }
}

/// Appends the decoded string to `text`. False if `coded` is not valid.
pub(super) fn decode(coded: &[u8], text: &mut Vec<u8>) -> bool {
    static GROUPS: [Group; LENGTH_MAX + 1] = CODE.groups;
    static SYMBOLS_BY_CODE: [u16; SYMBOLS] = CODE.symbols;
    text.reserve(coded.len() * 8 / LENGTH_MIN);
    // The bits that are not decoded yet begin with the highest one.
    let (mut bits, mut count) = (0_u64, 0_usize);
    let mut coded = coded.iter();
    loop {
        while count <= 56
            && let Some(&byte) = coded.next()
        {
            bits |= u64::from(byte) << (56 - count);
            count += 8;
        }
        if count == 0 {
            return true;
        }
        let ones = u64::MAX.checked_shr(count as u32).unwrap_or(0);
        let next = (bits | ones) >> 32;
        // The limit of the longest codes is above each number.
        let mut length = LENGTH_MIN;
        while next >= GROUPS[length].limit {
            length += 1;
        }
        if length > count {
            // Padding: fewer than 8 bits, all of which are set.
            return count < 8 && bits | ones == u64::MAX;
        }
        let Group { first, position, .. } = GROUPS[length];
        let code = (next >> (32 - length)) as u32;
        let symbol = SYMBOLS_BY_CODE[position + (code - first) as usize];
        if symbol == END_OF_STRING {
            return false;
        }
        text.push(symbol as u8);
        bits <<= length;
        count -= length;
    }
}

/// Length of the encoded `text` in bytes.
pub(super) fn encoded_length(text: &[u8]) -> usize {
    let bits: usize = text.iter().map(|&byte| usize::from(LENGTHS[usize::from(byte)])).sum();
    bits.div_ceil(8)
}

/// Appends the encoded `text` to `coded`.
pub(super) fn encode(text: &[u8], coded: &mut Vec<u8>) {
    static CODES: [u32; SYMBOLS] = CODE.codes;
    // The last `count` bits are not appended yet.
    let (mut bits, mut count) = (0_u64, 0);
    for &byte in text {
        let length = LENGTHS[usize::from(byte)];
        bits = bits << length | u64::from(CODES[usize::from(byte)]);
        count += length;
        while count >= 8 {
            count -= 8;
            coded.push((bits >> count) as u8);
        }
    }
    if count > 0 {
        coded.push((bits << (8 - count)) as u8 | 0xff >> count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(coded: &[u8]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        decode(coded, &mut text).then_some(text)
    }

    /// RFC 7541 appendix C.4 and C.6.
    #[test]
    fn the_examples_of_the_rfc_are_encoded_and_decoded() {
        for (text, coded) in [
            ("www.example.com", "f1e3c2e5f23a6ba0ab90f4ff"),
            ("no-cache", "a8eb10649cbf"),
            ("custom-key", "25a849e95ba97d7f"),
            ("custom-value", "25a849e95bb8e8b4bf"),
            ("private", "aec3771a4b"),
            ("Mon, 21 Oct 2013 20:13:21 GMT", "d07abe941054d444a8200595040b8166e082a62d1bff"),
            ("https://www.example.com", "9d29ad171863c78f0b97c8e9ae82ae43d3"),
            (
                "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
                "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
            ),
        ] {
            let expected: Vec<u8> = (0..coded.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&coded[at..at + 2], 16).unwrap())
                .collect();
            let mut encoded = Vec::new();
            encode(text.as_bytes(), &mut encoded);
            assert_eq!(encoded, expected, "{text}");
            assert_eq!(encoded_length(text.as_bytes()), expected.len());
            assert_eq!(decoded(&expected).as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn every_byte_survives() {
        let all: Vec<u8> = (0..=255).collect();
        let texts = all.iter().map(|byte| vec![*byte]).chain([all.clone(), all.repeat(3)]);
        for text in texts {
            let mut coded = Vec::new();
            encode(&text, &mut coded);
            assert_eq!(decoded(&coded), Some(text));
        }
    }

    #[test]
    fn invalid_padding_and_the_end_of_the_string_are_errors() {
        for (coded, is_valid) in [
            (&[0x1f][..], true),
            (&[0x1e], false),
            (&[0x07], true),
            (&[0x1f, 0xff], false),
            (&[0xff], false),
            (&[0xff; 4], false),
            (&[0xff, 0xff, 0xff, 0xfc], false),
            (&[], true),
        ] {
            assert_eq!(decoded(coded).is_some(), is_valid, "{coded:x?}");
        }
    }
}
