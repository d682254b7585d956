//! Sends frames with arbitrary content over a connection with HTTP/2. The first byte
//! of the input sets the size of the chunks. The rest is a sequence of frames: type,
//! flags, stream and length, a byte each, then the payload.

#![no_main]

mod conversation;

use libfuzzer_sys::fuzz_target;
use recipelog_site::server::{Limits, serve_http2_connection};

/// The preface and empty settings (RFC 9113 §3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Types of frames (RFC 9113 §6), and some that do not exist.
const TYPES: u8 = 12;

/// The type of a SETTINGS frame, which comes first.
const SETTINGS: u8 = 4;

fuzz_target!(|input: &[u8]| {
    let Some((&chunk_size, mut rest)) = input.split_first() else { return };
    let mut sent = PREFACE.to_vec();
    while let [kind, flags, stream, length, payload @ ..] = rest {
        let (payload, next) = payload.split_at(payload.len().min(usize::from(*length)));
        sent.extend([0, 0, *length, kind % TYPES, *flags, 0, 0, 0, *stream]);
        sent.extend(payload);
        rest = next;
    }
    let chunks = sent.chunks(usize::from(chunk_size) + 1);
    let received = conversation::converse(chunks, |pipe, peer, site| {
        serve_http2_connection(pipe, peer, site, Limits::DEFAULT)
    });
    assert!(received.is_empty() || received[3] == SETTINGS, "not HTTP/2");
});
