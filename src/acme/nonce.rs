//! Rejected nonces. The authority has not processed a request whose nonce it rejects
//! (RFC 8555 §6.5), so the request can be repeated.

/// Number of repetitions. instant-acme already sends each request up to three
/// times.
pub(super) const REPETITIONS_MAX: u32 = 9;

/// Awaits an operation, and repeats it at most [`REPETITIONS_MAX`] times while the authority
/// rejects its nonce.
macro_rules! repeat_for_nonce {
    ($operation:expr) => {{
        let mut left = $crate::acme::nonce::REPETITIONS_MAX;
        loop {
            match $operation.await {
                Err(error) if left > 0 && $crate::acme::failure::is_problem(&error, "badNonce") => {
                    left -= 1;
                }
                result => break result,
            }
        }
    }};
}

pub(super) use repeat_for_nonce;
