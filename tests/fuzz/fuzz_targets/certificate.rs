//! Reads arbitrary bytes as a file with a certificate and its key, and as a certificate in DER.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recipelog_site::tls::{Certificate, day, not_after};

fuzz_target!(|input: &[u8]| {
    if let Ok(certificate) = Certificate::from_pem(input, input) {
        let _ = day(certificate.not_after);
    }
    let _ = not_after(&input.into());
});
