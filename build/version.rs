//! Commit and date of the source, which `recipelog-site --version` prints.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::cargo;

const SECONDS_PER_DAY: u64 = 86_400;

/// Commit and date of the source.
pub struct Version {
    commit: String,
    /// Date of the source, in seconds since 1970.
    pub epoch: u64,
}

impl Version {
    pub fn determine() -> Result<Self, String> {
        // Every commit adds a line to this log. Cargo would treat a missing file as changed.
        if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
            && Path::new(&log).exists()
        {
            cargo::watch(Path::new(&log));
        }
        // An image is built without .git: see the Dockerfile.
        let commit = cargo::variable("RECIPELOG_COMMIT")
            .or_else(|| git(&["rev-parse", "--short=12", "HEAD"]))
            .unwrap_or_else(|| "unknown".to_owned());
        Ok(Self { commit, epoch: source_date()? })
    }

    /// Declares commit and date for the library.
    pub fn declare(&self) {
        cargo::declare("RECIPELOG_COMMIT", &self.commit);
        cargo::declare("RECIPELOG_SOURCE_DATE_EPOCH", &self.epoch.to_string());
        cargo::declare("RECIPELOG_DATE", &calendar_date(self.epoch));
    }

    /// The number of the day since 1970. The pages show no more of the date.
    pub fn day(&self) -> u64 {
        self.epoch / SECONDS_PER_DAY
    }
}

/// `SOURCE_DATE_EPOCH`, else the date of the commit, so that a commit gives the
/// same bytes on every day, else the current time.
fn source_date() -> Result<u64, String> {
    if let Some(epoch) = cargo::variable("SOURCE_DATE_EPOCH") {
        return epoch.parse().map_err(|_| {
            format!(
                "SOURCE_DATE_EPOCH is \"{epoch}\"; set it to seconds since 1970, for example \
                 1795046400"
            )
        });
    }
    let commit = git(&["log", "-1", "--format=%ct"]).and_then(|seconds| seconds.parse().ok());
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_secs());
    Ok(commit.unwrap_or_else(now))
}

/// The day of `epoch` in UTC, such as `20 Nov 2026`.
fn calendar_date(epoch: u64) -> String {
    // An IMF-fixdate has the form `Fri, 20 Nov 2026 12:21:53 GMT`.
    let date = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(epoch));
    date.split(' ').skip(1).take(3).collect::<Vec<_>>().join(" ")
}

/// The output of a git command; `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
