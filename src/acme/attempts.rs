//! The attempts to obtain a certificate since the last one, which survive a restart (WIRE-34).

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::state_folder::StateFolder;
use crate::output::report;
use crate::problem::Problem;

/// The attempts for a domain since its last certificate.
#[derive(Default)]
pub(super) struct Attempts {
    /// The path in the state folder.
    pub(super) file: PathBuf,
    pub(super) count: usize,
    /// Time of the last attempt, or of the certificate, in seconds since 1970.
    pub(super) last: u64,
    /// The reason of the last failure.
    pub(super) reason: String,
    /// True if the last attempt was before the start of this process.
    pub(super) is_old: bool,
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
}
