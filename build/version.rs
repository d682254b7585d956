//! Commit and date of the source, which `recipelog-site --version` prints.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::variable;

/// Declares version, commit and date for the library, and returns the date in seconds since 1970. They come from
/// `RECIPELOG_COMMIT` and `SOURCE_DATE_EPOCH`, or from the repository, so a commit gives the same bytes every
/// day. Without either, they are "unknown" and the current time.
pub fn declare() -> Result<u64, String> {
    // An image is built without .git: see the Dockerfile.
    let (commit, epoch) = (variable("RECIPELOG_COMMIT"), source_date_epoch()?);
    let head = if commit.is_some() && epoch.is_some() { None } else { head() };
    let (head_commit, head_epoch) = head.unzip();
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_secs());
    let commit = commit.or(head_commit).unwrap_or_else(|| "unknown".to_owned());
    let epoch = epoch.or(head_epoch).unwrap_or_else(now);
    let (version, date) = (env!("CARGO_PKG_VERSION"), calendar_date(epoch));
    println!("cargo::rustc-env=RECIPELOG_DATE={date}");
    println!("cargo::rustc-env=RECIPELOG_EPOCH={epoch}");
    println!("cargo::rustc-env=RECIPELOG_LONG_VERSION={version} ({commit}, {date})");
    Ok(epoch)
}

fn source_date_epoch() -> Result<Option<u64>, String> {
    let parse = |epoch: String| {
        seconds(&epoch).ok_or_else(|| {
            format!(
                "SOURCE_DATE_EPOCH is \"{epoch}\"; expected seconds since 1970, such as 1795046400"
            )
        })
    };
    variable("SOURCE_DATE_EPOCH").map(parse).transpose()
}

/// Seconds since 1970 up to the end of the year 9999, the last one of an HTTP-date (RFC 9110
/// §5.6.7).
fn seconds(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|&seconds| seconds < 253_402_300_800)
}

/// Commit and date of the repository; `None` if there is none, or git cannot read it.
fn head() -> Option<(String, u64)> {
    // A repository around this folder does not contain the source.
    if !Path::new(".git").exists() {
        return None;
    }
    // A debug build keeps the commit and date of the last build, so a new commit alone builds nothing again.
    if env::var_os("PROFILE").is_some_and(|profile| profile == "release")
        && let Ok(path) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        // Cargo would treat a missing file as changed.
        && Path::new(&path).exists()
    {
        // A commit adds a line to this log.
        println!("cargo::rerun-if-changed={path}");
    }
    // The user may have configured `git log` to show signatures.
    match git(&["log", "-1", "--no-show-signature", "--abbrev=12", "--format=%h %ct"]) {
        Ok(text) => {
            let (commit, seconds) = text.split_once(' ')?;
            Some((commit.to_owned(), self::seconds(seconds)?))
        }
        Err(reason) => {
            println!(
                "cargo::warning=commit and date of the source are unknown, because git failed \
                 ({reason}); repair it, or set RECIPELOG_COMMIT and SOURCE_DATE_EPOCH"
            );
            None
        }
    }
}

/// The day of `epoch` in UTC, such as `20 Nov 2026`.
fn calendar_date(epoch: u64) -> String {
    // An IMF-fixdate has the form `Fri, 20 Nov 2026 12:21:53 GMT`.
    let date = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(epoch));
    date.split(' ').skip(1).take(3).collect::<Vec<_>>().join(" ")
}

/// The output of a git command, or the reason of its failure in one line.
fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output().map_err(|error| error.to_string())?;
    let first = if output.status.success() { &output.stdout } else { &output.stderr };
    let text = String::from_utf8_lossy(first).lines().next().unwrap_or_default().to_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}
