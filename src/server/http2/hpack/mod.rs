//! HPACK: how HTTP/2 compresses header fields (RFC 7541).

mod decoder;
mod encoder;
mod field;
mod huffman;
mod integer;
mod static_table;
mod table_size;

pub(super) use decoder::Decoder;
pub(super) use encoder::Encoder;
pub(super) use field::{Field, Pseudo};
