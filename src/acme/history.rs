//! The orders of the last week, for the rate limits of authorities. They are stored,
//! so that a server that crashes and restarts again and again keeps to the limits.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::state_folder::AuthorityFolder;

const FILE: &str = "history.json";

/// Let's Encrypt allows this number of failed validations of a name in an hour.
const FAILURES_MAX: usize = 5;
const FAILURES_PERIOD: Duration = Duration::from_secs(60 * 60);

/// Let's Encrypt allows this number of certificates for the same set of names in a week.
const CERTIFICATES_MAX: usize = 5;
const CERTIFICATES_PERIOD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// An order.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Stored in whole seconds.
    time: SystemTime,
    /// Sorted.
    names: Vec<String>,
    /// False until the certificate may have been issued. An order that a crash interrupts
    /// earlier counts as failed.
    is_issued: bool,
    /// True once the certificate was downloaded.
    is_obtained: bool,
}

/// The orders of the last week, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct History(Vec<Entry>);

impl History {
    /// Reads the history. One that is missing or cannot be parsed is empty.
    pub(super) fn read(folder: &AuthorityFolder) -> io::Result<Self> {
        let json = folder.read(FILE)?.unwrap_or_default();
        Ok(Self::parse(&json).unwrap_or_default())
    }

    /// Notes an order that was placed `now`. It counts as failed until [`Self::finalize`].
    pub(super) fn begin(&mut self, names: &[&str], now: SystemTime) {
        let oldest = now.checked_sub(CERTIFICATES_PERIOD).unwrap_or(UNIX_EPOCH);
        // An entry with a time in the future was noted before the clock was set back.
        self.0.retain(|entry| (oldest..=now).contains(&entry.time));
        let names = names.iter().map(|&name| name.to_owned()).collect();
        self.0.push(Entry { time: now, names, is_issued: false, is_obtained: false });
    }

    /// Notes that the last order is finalized. From now on, it counts as a certificate: the
    /// authority may issue it, even if it is never downloaded.
    pub(super) fn finalize(&mut self) {
        self.set_issued(true);
    }

    /// Notes that the last order was rejected when it was finalized. It counts as failed.
    pub(super) fn reject(&mut self) {
        self.set_issued(false);
    }

    fn set_issued(&mut self, is_issued: bool) {
        if let Some(entry) = self.0.last_mut() {
            entry.is_issued = is_issued;
        }
    }

    /// Notes that the certificate of the last order was downloaded.
    pub(super) fn obtain(&mut self) {
        if let Some(entry) = self.0.last_mut() {
            entry.is_obtained = true;
        }
    }

    /// Number of orders since the last one whose certificate was downloaded.
    pub(super) fn failures(&self) -> usize {
        self.0.iter().rev().take_while(|entry| !entry.is_obtained).count()
    }

    /// Stores the history.
    pub(super) fn write(&self, folder: &AuthorityFolder) -> io::Result<()> {
        folder.write(FILE, self.to_json().to_string().as_bytes())
    }

    /// The time from which the limits allow an order for `names`. If a renewal `is_due`,
    /// the limit on certificates does not apply: certificates of a private authority may
    /// be valid for a few hours only.
    pub(super) fn earliest(
        &self,
        names: &[&str],
        is_due: bool,
        now: SystemTime,
    ) -> Option<SystemTime> {
        let failures = self.0.iter().filter(|entry| {
            !entry.is_issued && entry.names.iter().any(|name| names.contains(&name.as_str()))
        });
        let certificates =
            self.0.iter().filter(|entry| !is_due && entry.is_issued && entry.names == names);
        let after_failures = earliest(failures, FAILURES_MAX, FAILURES_PERIOD, now);
        after_failures.max(earliest(certificates, CERTIFICATES_MAX, CERTIFICATES_PERIOD, now))
    }

    fn parse(json: &[u8]) -> Option<Self> {
        let parsed: Value = serde_json::from_slice(json).ok()?;
        let entries = parsed.as_array()?.iter().map(|entry| {
            let names = entry["names"].as_array()?.iter();
            Some(Entry {
                time: UNIX_EPOCH.checked_add(Duration::from_secs(entry["time"].as_u64()?))?,
                names: names.map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?,
                is_issued: entry["issued"].as_bool()?,
                // Older versions stored only "issued".
                is_obtained: entry["obtained"].as_bool().or(entry["issued"].as_bool())?,
            })
        });
        entries.collect::<Option<_>>().map(Self)
    }

    fn to_json(&self) -> Value {
        let entries = self.0.iter().map(|Entry { time, names, is_issued, is_obtained }| {
            let time = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            json!({ "time": time, "names": names, "issued": is_issued, "obtained": is_obtained })
        });
        entries.collect()
    }
}

/// The time at which fewer than `max` of `entries` are younger than `period`, if it
/// is still to come.
fn earliest<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    max: usize,
    period: Duration,
    now: SystemTime,
) -> Option<SystemTime> {
    let mut ends: Vec<SystemTime> = entries
        .filter(|entry| entry.time <= now)
        .filter_map(|entry| entry.time.checked_add(period))
        .filter(|&end| end > now)
        .collect();
    ends.sort_unstable();
    ends.len().checked_sub(max).and_then(|position| ends.get(position)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const START: Duration = Duration::from_secs(1_795_305_600);

    fn minute(number: u32) -> SystemTime {
        UNIX_EPOCH + START + number * MINUTE
    }

    fn history(minutes: &[u32], names: &[&str], is_issued: bool) -> History {
        let mut history = History::default();
        for &number in minutes {
            history.begin(names, minute(number));
            if is_issued {
                history.finalize();
            }
        }
        history
    }

    #[test]
    fn the_failures_since_the_last_success_are_counted() {
        assert_eq!(History::default().failures(), 0);
        let mut history = history(&[0, 1], &["a"], false);
        assert_eq!(history.failures(), 2);
        history.finalize();
        assert_eq!(history.failures(), 2);
        history.obtain();
        assert_eq!(history.failures(), 0);
        history.begin(&["a"], minute(2));
        assert_eq!(history.failures(), 1);
    }

    #[test]
    fn a_name_fails_at_most_five_times_in_an_hour() {
        let four = history(&[0, 1, 2, 3], &["a", "b"], false);
        assert_eq!(four.earliest(&["a"], false, minute(3)), None);
        let six = history(&[0, 10, 20, 30, 40, 50], &["a", "b"], false);
        assert_eq!(six.earliest(&["a"], false, minute(50)), Some(minute(70)));
        assert_eq!(six.earliest(&["b", "c"], true, minute(50)), Some(minute(70)));
        assert_eq!(six.earliest(&["c"], false, minute(50)), None);
        assert_eq!(six.earliest(&["a"], false, minute(70)), None);
    }

    #[test]
    fn a_set_of_names_gets_at_most_five_certificates_in_a_week() {
        let five = history(&[0, 1, 2, 3, 4], &["a", "b"], true);
        let week = 7 * 24 * 60;
        assert_eq!(five.earliest(&["a", "b"], false, minute(100)), Some(minute(week)));
        assert_eq!(five.earliest(&["a", "b"], false, minute(week)), None);
        assert_eq!(five.earliest(&["a"], false, minute(100)), None);
        assert_eq!(five.earliest(&["a", "b"], true, minute(100)), None);
    }

    #[test]
    fn orders_of_a_clock_that_was_set_back_do_not_count() {
        let mut five = history(&[100, 101, 102, 103, 104], &["a"], false);
        assert_eq!(five.earliest(&["a"], false, minute(99)), None);
        five.begin(&["a"], minute(0));
        assert_eq!(five, history(&[0], &["a"], false));
    }

    #[test]
    fn a_stored_history_is_read_again() {
        let mut stored = history(&[0, 1], &["a", "b"], false);
        stored.finalize();
        let json = stored.to_json().to_string();
        assert_eq!(History::parse(json.as_bytes()), Some(stored));
        let of_an_older_version = History::parse(br#"[{"time":1,"names":["a"],"issued":true}]"#);
        assert_eq!(of_an_older_version.map(|history| history.failures()), Some(0));
        for damaged in ["", "{}", "[1]", r#"[{"time":1,"names":[1],"issued":true}]"#] {
            assert_eq!(History::parse(damaged.as_bytes()), None, "{damaged}");
        }
    }

    #[test]
    fn orders_older_than_a_week_are_forgotten() {
        let history = history(&[0, 8 * 24 * 60], &["a"], true);
        assert_eq!(history.0.len(), 1);
    }
}
