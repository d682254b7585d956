//! RFC 7541: how clients may compress the fields of their requests. The sections are those of
//! that RFC.

use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{HEADERS, WHOLE, fields, frame, get, request};
use crate::http2_conversation::{COMPRESSION_ERROR, PROTOCOL_ERROR, assert_cases};

/// A request whose block begins with the usual fields and ends with `more`.
fn with(more: &[u8]) -> Vec<u8> {
    with_on(1, more)
}

/// The same on another stream.
fn with_on(stream: u32, more: &[u8]) -> Vec<u8> {
    frame(HEADERS, WHOLE, stream, &[&fields(&request("GET", "/")), more].concat())
}

#[tokio::test(start_paused = true)]
async fn each_representation_of_a_field_is_understood() {
    let accepted = &[Response(1, 200)][..];
    let whole = |block: &[u8]| frame(HEADERS, WHOLE, 1, block);
    assert_cases(vec![
        ("6.1 indexed", whole(b"\x82\x87\x84\x01\x01a"), accepted),
        ("6.2.1 incremental, name indexed", whole(b"\x82\x87\x44\x01/\x41\x01a"), accepted),
        ("6.2.1 incremental", with(b"\x40\x01x\x01y"), accepted),
        ("6.2.2 without indexing, name indexed", with(b"\x0f\x04\x01y"), accepted),
        ("6.2.3 never indexed, name indexed", with(b"\x1f\x04\x01y"), accepted),
        ("6.2.3 never indexed", with(b"\x10\x01x\x01y"), accepted),
        ("5.2 Huffman code", with(b"\x10\x81\xf3\x81\xf5"), accepted),
        ("5.2 empty strings", with(b"\x10\x01x\x80"), accepted),
        (
            "6.3 size update",
            whole(&[b"\x20", &fields(&request("GET", "/"))[..]].concat()),
            accepted,
        ),
        (
            "4.2 two size updates",
            whole(&[b"\x20\x3f\xe1\x1f", &fields(&request("GET", "/"))[..]].concat()),
            accepted,
        ),
        (
            "2.3.2 a field of an earlier request",
            [with(b"\x40\x02te\x08trailers"), with_on(3, b"\xbe")].concat(),
            &[Response(1, 200), Response(3, 200)],
        ),
        (
            "2.3.2 a field of a malformed request",
            [
                with(b"\x40\x02te\x04gzip\x40\x01X\x00\x40\x02te\x08trailers"),
                with_on(3, b"\xbe"),
                with_on(5, b"\xbf"),
                with_on(7, b"\xc0"),
            ]
            .concat(),
            &[
                Reset(1, PROTOCOL_ERROR),
                Reset(5, PROTOCOL_ERROR),
                Reset(7, PROTOCOL_ERROR),
                Response(3, 200),
            ],
        ),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn blocks_that_cannot_be_decoded_end_the_connection() {
    let error = &[GoAway(COMPRESSION_ERROR), Closed][..];
    assert_cases(vec![
        ("2.3.3 index above both tables", with(b"\xbe"), error),
        ("2.3.3 name above both tables", with(b"\x7e\x01y"), error),
        ("4.2 size update after a field", with(b"\x20"), error),
        (
            "5.1 integer without an end",
            with(b"\xff\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
            error,
        ),
        ("5.1 integer that is cut off", with(b"\xff\x80"), error),
        ("5.2 string longer than the block", with(b"\x10\x01x\x05y"), error),
        ("5.2 padding of 8 bits", with(b"\x10\x01x\x82\xf5\xff"), error),
        ("5.2 padding with zeros", with(b"\x10\x01x\x81\xf4"), error),
        ("5.2 end of the string", with(b"\x10\x01x\x84\xff\xff\xff\xff"), error),
        ("6.1 index 0", with(b"\x80"), error),
        ("6.3 table above the maximum", frame(HEADERS, WHOLE, 1, b"\x3f\xe2\x1f\x82"), error),
        (
            "4.4 a field above the size empties the table",
            [
                frame(
                    HEADERS,
                    WHOLE,
                    1,
                    &[b"\x3f\x21", &fields(&request("GET", "/"))[..], b"\x40\x01x\x01y"].concat(),
                ),
                get(3, "/"),
                frame(
                    HEADERS,
                    WHOLE,
                    5,
                    &[&fields(&request("GET", "/"))[..], b"\x40\x01x\x40", &[b'y'; 64]].concat(),
                ),
                frame(HEADERS, WHOLE, 7, b"\xbe"),
            ]
            .concat(),
            error,
        ),
    ])
    .await;
}
