//! Arbitrary bytes over a connection with HTTP/1.1.

#![no_main]

mod support;

libfuzzer_sys::fuzz_target!(|input: &[u8]| support::fuzzed::connection(input));
