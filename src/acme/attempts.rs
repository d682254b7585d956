//! When a certificate may be ordered: the attempts since the last one, which survive a restart
//! (WIRE-34).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::state_folder::StateFolder;
use crate::output::report;
use crate::problem::Problem;
use crate::tls::Certificate;

/// Minutes from each failure in a row to the next attempt; the last number repeats. Five attempts
/// in the first hour: the failed validations that Let's Encrypt allows for a name.
const RETRY_MINUTES: [u64; 8] = [1, 5, 15, 30, 60, 120, 240, 360];

/// Longest pause after an attempt before the start: the operator may have repaired the reason. A
/// server that crashes again and again still keeps to the rate limits of Let's Encrypt, which
/// allows five failures in an hour.
const PAUSE_MAX_AT_START: Duration = Duration::from_secs(15 * 60);

/// Bounds of the time from a certificate to the next order: an authority that always suggests a
/// renewal must not get orders without end.
const ORDER_INTERVAL: Range<Duration> = Duration::from_secs(60)..Duration::from_secs(60 * 60);

/// The attempts for a domain since its last certificate.
pub(super) struct Attempts {
    /// The path in the state folder.
    file: PathBuf,
    pub(super) count: usize,
    /// Time of the last attempt, or of the certificate, in seconds since 1970.
    last: u64,
    /// The reason of the last failure.
    pub(super) reason: String,
    /// True if the last attempt was before the start of this process.
    is_old: bool,
}

impl Attempts {
    /// Reads the attempts for `domain`. A file that cannot be parsed counts as no attempt.
    pub(super) fn read(folder: &StateFolder, domain: &str) -> Result<Self, Problem> {
        let file = Path::new(domain).join("failures.json");
        let json = folder.read(&file)?.unwrap_or_default();
        let (count, last, reason) = serde_json::from_slice(&json).unwrap_or_default();
        Ok(Self { file, count, last, reason, is_old: true })
    }

    /// Stores that `count` attempts have failed in a row, the last one just now for a `reason`.
    pub(super) fn record(&mut self, folder: &StateFolder, count: usize, reason: &str) {
        self.last = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        (self.count, self.reason, self.is_old) = (count, reason.to_owned(), false);
        let json = json!([count, self.last, reason]).to_string();
        // No error: a full disk must not let the certificate expire.
        if let Err(problem) = folder.write(&self.file, json.as_bytes()) {
            report(format_args!("{problem}; a restart would not know of this attempt"));
        }
    }

    /// The time until the next attempt may begin: from the last attempt, or from the arrival of
    /// `current`. It ends early if the clock was set back to a time before its start.
    pub(super) fn pause(&self, current: Option<&Certificate>) -> Range<SystemTime> {
        let last = UNIX_EPOCH.checked_add(Duration::from_secs(self.last));
        let last = last.filter(|&last| last <= SystemTime::now()).unwrap_or(UNIX_EPOCH);
        let pause = match (self.count, current) {
            (0, None) => Duration::ZERO,
            // Two thirds of the time for which it is valid.
            (0, Some(current)) => {
                let left = current.not_after.duration_since(last).unwrap_or_default();
                (left / 3 * 2).clamp(ORDER_INTERVAL.start, ORDER_INTERVAL.end)
            }
            (count, _) => {
                let minutes = RETRY_MINUTES[count.min(RETRY_MINUTES.len()) - 1];
                let max = if self.is_old { PAUSE_MAX_AT_START } else { Duration::MAX };
                Duration::from_secs(60 * minutes).min(max)
            }
        };
        last..last + pause
    }
}
