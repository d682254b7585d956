//! Encodes the heads of responses (RFC 7541 §6).

use http::StatusCode;
use http::header::{
    CONTENT_LENGTH, CONTENT_RANGE, DATE, ETAG, HeaderMap, HeaderName, HeaderValue, LOCATION,
};

use super::{huffman, integer, static_table, table_size};

/// Names of fields whose values differ between responses, with their indexes in the static table.
/// They would fill the dynamic table.
const VARYING: [(HeaderName, usize); 5] =
    [(CONTENT_LENGTH, 28), (ETAG, 34), (DATE, 33), (CONTENT_RANGE, 30), (LOCATION, 46)];

/// The dynamic table of the server's fields. A field stays in it until the client changes its
/// size: the responses of a site have few different fields, apart from [`VARYING`] ones.
#[derive(Debug)]
pub(in super::super) struct Encoder {
    /// The newest field is the last one.
    table: Vec<(HeaderName, HeaderValue)>,
    /// Size of `table` in bytes.
    size: usize,
    size_max: usize,
    /// True if `size_max` is to be announced.
    is_resized: bool,
}

impl Encoder {
    pub(in super::super) fn new() -> Self {
        Self { table: Vec::new(), size: 0, size_max: table_size::BYTES_MAX, is_resized: false }
    }

    /// Follows the client's SETTINGS_HEADER_TABLE_SIZE (RFC 9113 §6.5.2).
    pub(in super::super) fn allow_table_of(&mut self, bytes: usize) {
        let size_max = bytes.min(table_size::BYTES_MAX);
        if size_max != self.size_max {
            *self = Self { size_max, is_resized: true, ..Self::new() };
        }
    }

    /// Appends the head of a response to `block`. The date is not among its fields: to add it
    /// there would copy them.
    pub(in super::super) fn encode(
        &mut self,
        status: StatusCode,
        fields: &HeaderMap,
        date: &HeaderValue,
        block: &mut Vec<u8>,
    ) {
        if std::mem::take(&mut self.is_resized) {
            // A size of 0 empties the client's table too (RFC 7541 §4.3).
            integer::encode(0x20, 5, 0, block);
            integer::encode(0x20, 5, self.size_max, block);
        }
        match static_table::index_of_status(status.as_u16()) {
            Some(index) => integer::encode(0x80, 7, index, block),
            None => {
                integer::encode(0, 4, static_table::STATUS_INDEX, block);
                plain(status.as_str().as_bytes(), block);
            }
        }
        // Behind the field that was found last: responses have their fields in the same order.
        let mut next = 0;
        for (name, value) in fields.iter().chain([(&DATE, date)]) {
            let position = match self.table.get(next) {
                Some(field) if is_equal(field, name, value) => next,
                _ => match self.encode_other(name, value, block) {
                    Some(position) => position,
                    None => continue,
                },
            };
            let index = static_table::LENGTH + self.table.len() - position;
            integer::encode(0x80, 7, index, block);
            next = position + 1;
        }
    }

    /// Appends a field whose position in the table is not known, as a literal. If it is in the
    /// table, returns its position instead.
    fn encode_other(
        &mut self,
        name: &HeaderName,
        value: &HeaderValue,
        block: &mut Vec<u8>,
    ) -> Option<usize> {
        if let Some((_, index)) = VARYING.iter().find(|(varying, _)| varying == name) {
            integer::encode(0, 4, *index, block);
            plain(value.as_bytes(), block);
            return None;
        }
        let position = self.table.iter().position(|field| is_equal(field, name, value));
        if position.is_some() {
            return position;
        }
        let size = table_size::of_field(name.as_str().len(), value.len());
        if self.size + size > self.size_max {
            literal_name(0, 4, name, block);
            plain(value.as_bytes(), block);
        } else {
            literal_name(0x40, 6, name, block);
            shortest(value.as_bytes(), block);
            self.size += size;
            self.table.push((name.clone(), value.clone()));
        }
        None
    }
}

fn is_equal(field: &(HeaderName, HeaderValue), name: &HeaderName, value: &HeaderValue) -> bool {
    let (known, of) = field;
    // Most values are copies of a static one, so that their bytes need not be compared.
    known == name && (std::ptr::eq(of.as_bytes(), value.as_bytes()) || of == value)
}

fn literal_name(pattern: u8, prefix: u32, name: &HeaderName, block: &mut Vec<u8>) {
    match static_table::index_of(name) {
        Some(index) => integer::encode(pattern, prefix, index, block),
        None => {
            block.push(pattern);
            shortest(name.as_str().as_bytes(), block);
        }
    }
}

/// Appends a string in the shorter of both forms (RFC 7541 §5.2).
fn shortest(text: &[u8], block: &mut Vec<u8>) {
    let length = huffman::encoded_length(text);
    if length >= text.len() {
        return plain(text, block);
    }
    integer::encode(0x80, 7, length, block);
    huffman::encode(text, block);
}

/// Appends a string without Huffman coding, which takes less time.
fn plain(text: &[u8], block: &mut Vec<u8>) {
    integer::encode(0, 7, text.len(), block);
    block.extend_from_slice(text);
}

#[cfg(test)]
mod tests {
    use super::super::{Decoder, Field};
    use super::*;

    const NOW: &str = "now";

    #[test]
    fn varying_fields_have_the_indexes_of_the_static_table() {
        for (name, index) in VARYING {
            assert_eq!(static_table::index_of(&name), Some(index));
        }
    }

    fn response(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        let fields = fields
            .iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        fields.collect()
    }

    fn encoded(encoder: &mut Encoder, status: u16, fields: &HeaderMap) -> Vec<u8> {
        let mut block = Vec::new();
        let date = HeaderValue::from_static(NOW);
        encoder.encode(StatusCode::from_u16(status).unwrap(), fields, &date, &mut block);
        block
    }

    /// Without the literal of the date.
    fn encoded_without_date(encoder: &mut Encoder, status: u16, fields: &HeaderMap) -> Vec<u8> {
        let block = encoded(encoder, status, fields);
        block.strip_suffix(b"\x0f\x12\x03now").expect("the date").to_vec()
    }

    /// The fields after `:status`.
    fn decoded(decoder: &mut Decoder, block: &[u8]) -> HeaderMap {
        let mut fields = HeaderMap::new();
        let mut receive = |field| {
            if let Field::Regular(name, value) = field {
                fields.append(name, value);
            }
        };
        decoder.decode(block, &mut receive).expect("a valid block");
        fields
    }

    #[test]
    fn a_client_decodes_the_same_fields_whatever_table_it_allows() {
        let page = response(&[
            ("content-type", "text/html; charset=utf-8"),
            ("content-length", "5"),
            ("x-content-type-options", "nosniff"),
            ("etag", "\"a\""),
            ("vary", "accept-encoding"),
        ]);
        let icon = response(&[
            ("content-type", "image/png"),
            ("x-content-type-options", "nosniff"),
            ("vary", "accept-encoding"),
            ("vary", "accept-language"),
        ]);
        for allowed in [0, 60, 100, 4096, 65_536] {
            let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new());
            for step in 0..6 {
                if step == 3 {
                    encoder.allow_table_of(allowed);
                }
                for fields in [&page, &icon, &page] {
                    let block = encoded(&mut encoder, 200, fields);
                    let mut decoded = decoded(&mut decoder, &block);
                    assert_eq!(decoded.remove(DATE).unwrap(), NOW);
                    assert_eq!(&decoded, fields, "{allowed}");
                }
            }
        }
    }

    #[test]
    fn repeated_fields_take_one_byte_each_and_varying_ones_are_not_kept() {
        let mut encoder = Encoder::new();
        let fields = response(&[
            ("vary", "accept-encoding"),
            ("etag", "\"a\""),
            ("x-content-type-options", "nosniff"),
        ]);
        encoded(&mut encoder, 200, &fields);
        assert_eq!(encoder.table.len(), 2);
        assert_eq!(
            encoded_without_date(&mut encoder, 200, &fields),
            b"\x88\xbf\x0f\x13\x03\"a\"\xbe"
        );
    }

    #[test]
    fn each_status_is_encoded() {
        for (status, block) in
            [(200, &b"\x88"[..]), (304, b"\x8b"), (500, b"\x8e"), (405, b"\x08\x03405")]
        {
            assert_eq!(encoded_without_date(&mut Encoder::new(), status, &HeaderMap::new()), block);
        }
    }

    #[test]
    fn a_smaller_table_is_announced_once() {
        let mut encoder = Encoder::new();
        encoder.allow_table_of(100);
        encoder.allow_table_of(4096);
        let none = HeaderMap::new();
        assert_eq!(encoded_without_date(&mut encoder, 200, &none), b"\x20\x3f\xe1\x1f\x88");
        assert_eq!(encoded_without_date(&mut encoder, 200, &none), b"\x88");
        // Chromium allows 64 KiB.
        encoder.allow_table_of(65_536);
        assert_eq!(encoded_without_date(&mut encoder, 200, &none), b"\x88");
    }
}
