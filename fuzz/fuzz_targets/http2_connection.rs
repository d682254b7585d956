//! Sends frames with arbitrary content over a connection with HTTP/2. Of the first byte
//! of the input, seven bits set the size of the chunks, and whether the client closes. If the
//! eighth is set, the rest is sent as it is. Else it is a sequence of frames: type and flags, a
//! byte each, stream and length, two bytes each, then the payload. The highest bit of a type puts
//! the fields of a valid request before the payload.

#![no_main]

mod conversation;

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use recipelog_site::server::{Limits, serve_http2_connection};

/// The preface and empty settings (RFC 9113 §3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// The bit of the first byte for input that is sent as it is.
const RAW: u8 = 0x80;

/// `GET https://a/` without the dynamic table (RFC 7541 appendix A).
const REQUEST: &[u8] = b"\x82\x87\x84\x01\x01a";

/// Types of frames (RFC 9113 §6), and some that do not exist.
const TYPES: u8 = 12;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

const END_STREAM: u8 = 1;

/// What the server has sent on a stream.
#[derive(Default)]
struct Stream {
    has_head: bool,
    has_ended: bool,
}

/// Checks the order of the server's frames (RFC 9113 §3.4, §4.2, §5.1, §6.8).
fn check(mut received: &[u8]) {
    let mut streams = HashMap::<u32, Stream>::new();
    let mut last = u32::MAX;
    let mut is_first = true;
    while let [0, l0, l1, kind, flags, s0, s1, s2, s3, rest @ ..] = received {
        let length = usize::from(u16::from_be_bytes([*l0, *l1]));
        assert!(length <= 16_384, "a long frame");
        assert!(!is_first || *kind == SETTINGS, "not HTTP/2");
        is_first = false;
        // A connection can end within a frame.
        let Some((payload, next)) = rest.split_at_checked(length) else { return };
        received = next;
        let stream = streams.entry(u32::from_be_bytes([*s0, *s1, *s2, *s3])).or_default();
        match *kind {
            DATA | HEADERS => {
                assert!(!stream.has_ended, "a frame after the end of its stream");
                assert_eq!(stream.has_head, *kind == DATA, "the order of head and content");
                stream.has_head = true;
                stream.has_ended = flags & END_STREAM != 0;
            }
            RST_STREAM => stream.has_ended = true,
            GOAWAY => {
                let named = u32::from_be_bytes(*payload.first_chunk().expect("a stream"));
                assert!(named <= last, "another last stream");
                last = named;
            }
            _ => {}
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, mut rest)) = input.split_first() else { return };
    let mut sent = Vec::new();
    if first & RAW == 0 {
        sent.extend(PREFACE);
        while let [kind, flags, s0, s1, l0, l1, payload @ ..] = rest {
            let length = usize::from(u16::from_be_bytes([*l0, *l1]));
            let (payload, next) = payload.split_at(payload.len().min(length));
            let request = if kind & 0x80 == 0 { &[] } else { REQUEST };
            let [l0, l1] = (length.saturating_add(request.len()) as u16).to_be_bytes();
            sent.extend([0, l0, l1, (kind & 0x7f) % TYPES, *flags, 0, 0, *s0, *s1]);
            sent.extend(request);
            sent.extend(payload);
            rest = next;
        }
    } else {
        sent.extend(rest);
    }
    let chunks = sent.chunks(usize::from(first & !RAW) + 1);
    let received = conversation::converse(chunks, first & 1 == 0, |pipe, peer, service| {
        serve_http2_connection(pipe, peer, service, Limits::DEFAULT)
    });
    check(&received);
});
