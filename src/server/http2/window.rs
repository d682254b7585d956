//! Windows of flow control (RFC 9113 §5.2, §6.9).

use super::error_code::ErrorCode;

/// The size of each window in bytes before it is changed (RFC 9113 §6.9.2).
pub(super) const INITIAL_BYTES: u32 = 65_535;

/// Maximum size of a window in bytes (RFC 9113 §6.9.1).
pub(super) const BYTES_MAX: i64 = i32::MAX as i64;

/// Adds `change`, which can be negative, to `window`. An error if it is too large then.
pub(super) fn extend(window: &mut i64, change: i64) -> Result<(), ErrorCode> {
    *window += change;
    if *window > BYTES_MAX { Err(ErrorCode::FlowControl) } else { Ok(()) }
}
