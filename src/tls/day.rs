//! Dates of certificates, as the operator reads them.

use std::time::{SystemTime, UNIX_EPOCH};

/// The day of `time` in UTC: `22 Nov 2026`.
pub fn day(time: SystemTime) -> String {
    // HTTP has no date before the epoch.
    let date = httpdate::fmt_http_date(time.max(UNIX_EPOCH));
    // "Sun, 22 Nov 2026 08:00:00 GMT"
    date.get(5..16).unwrap_or(&date).to_owned()
}
