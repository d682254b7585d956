//! Arbitrary frames over a connection with HTTP/2, and a bound on the memory that is left behind them.

#![no_main]

mod support;

libfuzzer_sys::fuzz_target!(|input: &[u8]| support::fuzzed::http2(input));
