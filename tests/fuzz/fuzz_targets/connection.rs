//! Sends arbitrary bytes over a connection with parser, service and time limits.
//! The first byte of the input sets the size of the chunks of the other bytes.

#![no_main]

mod conversation;

use libfuzzer_sys::fuzz_target;
use recipelog_site::server::{Limits, serve_connection};

fuzz_target!(|input: &[u8]| {
    let Some((&chunk_size, sent)) = input.split_first() else { return };
    let chunks = sent.chunks(usize::from(chunk_size) + 1);
    let received = conversation::converse(chunks, true, |pipe, peer, service| {
        serve_connection(pipe, peer, service, Limits::DEFAULT)
    });
    assert!(received.is_empty() || received.starts_with(b"HTTP/1."), "not a response");
});
