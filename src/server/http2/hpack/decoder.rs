//! Decodes the fields of requests (RFC 7541 §6).

use std::collections::VecDeque;

use bytes::Bytes;

use super::field::{Field, Name};
use super::{huffman, integer, static_table, table_size};

/// The dynamic table of a client's fields.
#[derive(Debug)]
pub(in super::super) struct Decoder {
    /// The newest field is the first one.
    table: VecDeque<Field>,
    /// Size of `table` in bytes.
    size: usize,
    /// What the client limits `size` to.
    size_max: usize,
}

impl Decoder {
    pub(in super::super) fn new() -> Self {
        Self { table: VecDeque::new(), size: 0, size_max: table_size::BYTES_MAX }
    }

    /// Passes each field of `block` to `receive`. `None` if the block is not valid, after which no
    /// other one can be decoded.
    pub(in super::super) fn decode(
        &mut self,
        mut block: &[u8],
        mut receive: impl FnMut(Field),
    ) -> Option<()> {
        // Only the first fields may follow a change of the table's size (RFC 7541 §4.2).
        while let Some(0x20..=0x3f) = block.first() {
            let size_max = integer::decode(5, &mut block)?;
            if size_max > table_size::BYTES_MAX {
                return None;
            }
            self.size_max = size_max;
            self.evict(0);
        }
        let mut text = Vec::new();
        while let Some(&first) = block.first() {
            let field = match first {
                0x80.. => self.indexed(&mut block)?,
                0x40.. => {
                    let field = self.literal(6, &mut block, &mut text)?;
                    self.insert(field.clone());
                    field
                }
                0x20.. => return None,
                _ => self.literal(4, &mut block, &mut text)?,
            };
            receive(field);
        }
        Some(())
    }

    fn indexed(&self, block: &mut &[u8]) -> Option<Field> {
        self.field(integer::decode(7, block)?)
    }

    /// A field whose value is literal. `text` is space for decoding.
    fn literal(&self, prefix: u32, block: &mut &[u8], text: &mut Vec<u8>) -> Option<Field> {
        let name = match integer::decode(prefix, block)? {
            0 => Name::new(string(block, text)?),
            index => self.field(index)?.name(),
        };
        Some(Field::new(name, Bytes::copy_from_slice(string(block, text)?)))
    }

    fn field(&self, index: usize) -> Option<Field> {
        match index {
            0 => None,
            1..=static_table::LENGTH => Some(static_table::field(index)),
            _ => self.table.get(index - static_table::LENGTH - 1).cloned(),
        }
    }

    fn insert(&mut self, field: Field) {
        let size = field.size();
        self.evict(size);
        // A field that is larger than the table leaves it empty (RFC 7541 §4.4).
        if size <= self.size_max {
            self.size += size;
            self.table.push_front(field);
        }
    }

    /// Removes the oldest fields until there is space for `size` more bytes.
    fn evict(&mut self, size: usize) {
        while self.size + size > self.size_max
            && let Some(field) = self.table.pop_back()
        {
            self.size -= field.size();
        }
    }
}

/// Takes a string from the beginning of `block`. `text` is space for it (RFC 7541 §5.2).
fn string<'a, 'b: 'a>(block: &mut &'b [u8], text: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    let is_huffman_coded = block.first()? & 0x80 != 0;
    let length = integer::decode(7, block)?;
    let (coded, rest) = block.split_at_checked(length)?;
    *block = rest;
    if !is_huffman_coded {
        return Some(coded);
    }
    text.clear();
    huffman::decode(coded, text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(decoder: &mut Decoder, block: &[u8]) -> Option<Vec<String>> {
        let mut fields = Vec::new();
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        decoder.decode(block, |field| {
            fields.push(match field {
                Field::Pseudo(name, value) => format!("{}: {}", name.as_str(), text(&value)),
                Field::Regular(name, value) => format!("{name}: {}", text(value.as_bytes())),
                Field::Invalid(_) => "invalid".to_owned(),
            });
        })?;
        Some(fields)
    }

    /// RFC 7541 appendix C.3 and C.4: three requests on one connection.
    #[test]
    fn the_examples_of_the_rfc_are_decoded() {
        let literal: [&[u8]; 3] = [
            b"\x82\x86\x84\x41\x0fwww.example.com",
            b"\x82\x86\x84\xbe\x58\x08no-cache",
            b"\x82\x87\x85\xbf\x40\x0acustom-key\x0ccustom-value",
        ];
        let coded: [&[u8]; 3] = [
            b"\x82\x86\x84\x41\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff",
            b"\x82\x86\x84\xbe\x58\x86\xa8\xeb\x10\x64\x9c\xbf",
            b"\x82\x87\x85\xbf\x40\x88\x25\xa8\x49\xe9\x5b\xa9\x7d\x7f\x89\x25\xa8\x49\xe9\x5b\xb8\xe8\xb4\xbf",
        ];
        for blocks in [literal, coded] {
            let mut decoder = Decoder::new();
            let expected = [
                (
                    &[":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"][..],
                    57,
                ),
                (
                    &[
                        ":method: GET",
                        ":scheme: http",
                        ":path: /",
                        ":authority: www.example.com",
                        "cache-control: no-cache",
                    ],
                    110,
                ),
                (
                    &[
                        ":method: GET",
                        ":scheme: https",
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value",
                    ],
                    164,
                ),
            ];
            for (block, (expected, size)) in blocks.into_iter().zip(expected) {
                assert_eq!(fields(&mut decoder, block).unwrap(), expected);
                assert_eq!(decoder.size, size);
            }
        }
    }

    #[test]
    fn the_oldest_fields_are_evicted() {
        let mut decoder = Decoder::new();
        // Space for two fields of 34 bytes.
        fields(&mut decoder, b"\x3f\x31\x40\x01a\x01x\x40\x01b\x01y").unwrap();
        assert_eq!(fields(&mut decoder, b"\xbf").unwrap(), ["a: x"]);
        fields(&mut decoder, b"\x40\x01c\x01z").unwrap();
        assert_eq!(fields(&mut decoder, b"\xbe\xbf").unwrap(), ["c: z", "b: y"]);
        assert_eq!(fields(&mut decoder, b"\xc0"), None);
        // One that is too large empties the table.
        fields(&mut decoder, &[b"\x40\x01d\x40".as_slice(), &[b'.'; 64]].concat()).unwrap();
        assert_eq!((decoder.size, decoder.table.len()), (0, 0));
    }

    #[test]
    fn a_size_of_zero_empties_the_table() {
        let mut decoder = Decoder::new();
        fields(&mut decoder, b"\x40\x01a\x01x").unwrap();
        assert_eq!(fields(&mut decoder, b"\x20\x3f\xe1\x1f\xbe"), None);
    }

    /// The field has to be there nevertheless when another block refers to it.
    #[test]
    fn invalid_fields_are_kept_with_their_size() {
        let mut decoder = Decoder::new();
        for block in [b"\x40\x01A\x01x", b"\x40\x01a\x01\n", b"\x40\x01b\x01 "] {
            assert_eq!(fields(&mut decoder, block).unwrap(), ["invalid"]);
        }
        assert_eq!(decoder.size, 3 * 34);
        // The name of a field with an invalid value is valid.
        assert_eq!(fields(&mut decoder, b"\xbe\x7f\x00\x01y").unwrap(), ["invalid", "a: y"]);
    }

    #[test]
    fn invalid_blocks_are_errors() {
        for block in [
            &b"\x80"[..],
            b"\xff",
            b"\xbe",
            b"\x40",
            b"\x40\x01",
            b"\x40\x01a\x05x",
            b"\x3f\xe2\x1f",
            b"\x82\x20",
            b"\x00\x84\xff\xff\xff\xff\x01a",
            b"\x7f\x00\x01x",
        ] {
            assert_eq!(fields(&mut Decoder::new(), block), None, "{block:x?}");
        }
    }
}
