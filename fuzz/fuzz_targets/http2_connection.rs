//! Sends frames with arbitrary content over a connection with HTTP/2. Of the first byte
//! of the input, seven bits set the size of the chunks. If the eighth is set, the rest is sent
//! as it is. Else it is a sequence of frames: type and flags, a byte each, stream and length,
//! two bytes each, then the payload.

#![no_main]

mod conversation;

use libfuzzer_sys::fuzz_target;
use recipelog_site::server::{Limits, serve_http2_connection};

/// The preface and empty settings (RFC 9113 §3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// The bit of the first byte for input that is sent as it is.
const RAW: u8 = 0x80;

/// Types of frames (RFC 9113 §6), and some that do not exist.
const TYPES: u8 = 12;

/// The type of a SETTINGS frame, which comes first.
const SETTINGS: u8 = 4;

fuzz_target!(|input: &[u8]| {
    let Some((&first, mut rest)) = input.split_first() else { return };
    let mut sent = Vec::new();
    if first & RAW == 0 {
        sent.extend(PREFACE);
        while let [kind, flags, s0, s1, l0, l1, payload @ ..] = rest {
            let length = usize::from(u16::from_be_bytes([*l0, *l1]));
            let (payload, next) = payload.split_at(payload.len().min(length));
            sent.extend([0, *l0, *l1, kind % TYPES, *flags, 0, 0, *s0, *s1]);
            sent.extend(payload);
            rest = next;
        }
    } else {
        sent.extend(rest);
    }
    let chunks = sent.chunks(usize::from(first & !RAW) + 1);
    let received = conversation::converse(chunks, |pipe, peer, service| {
        serve_http2_connection(pipe, peer, service, Limits::DEFAULT)
    });
    assert!(received.is_empty() || received[3] == SETTINGS, "not HTTP/2");
});
