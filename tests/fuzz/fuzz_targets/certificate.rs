//! Arbitrary certificates and chains.

#![no_main]

mod support;

libfuzzer_sys::fuzz_target!(|input: &[u8]| support::fuzzed::certificate(input));
