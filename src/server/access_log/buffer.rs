//! Lines that wait to be written, bounded in bytes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::diagnostics::report;

/// Maximum bytes of waiting lines. The writer holds as many again.
pub(super) const WAITING_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Minimum interval between reports of lost lines.
pub(super) const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Reason for a loss while the writer waits for the reader.
const TOO_SLOW: &str = "it is read too slowly";

/// Lines on their way from the workers to the writer. Workers never wait.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Lines that the writer has taken and not written yet.
    taken: AtomicU64,
}

#[derive(Debug, Default)]
struct Waiting {
    text: Vec<u8>,
    losses: Losses,
    is_closed: bool,
}

impl Buffer {
    /// Adds a line that consists of `parts`, or counts it as dropped where it
    /// does not fit.
    pub(super) fn push(&self, parts: &[&str]) {
        let mut waiting = self.lock();
        if waiting.is_closed {
            return;
        }
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if waiting.text.len() + length > WAITING_MAX_BYTES {
            // The writer cannot report this while it waits for the reader.
            waiting.losses.add(1, TOO_SLOW);
            waiting.losses.report_at_intervals();
            return;
        }
        let was_empty = waiting.text.is_empty();
        for part in parts {
            waiting.text.extend_from_slice(part.as_bytes());
        }
        drop(waiting);
        if was_empty {
            self.changed.notify_one();
        }
    }

    /// Ignores further lines, and ends the writer after those that wait.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Counts lines that the writer could not write.
    pub(super) fn count_lost(&self, count: u64, reason: &dyn fmt::Display) {
        self.lock().losses.add(count, reason);
    }

    /// Swaps the waiting lines into `text`, which is empty. Waits until there is a
    /// line, and reports losses meanwhile. Returns true if no more lines will come.
    pub(super) fn take(&self, text: &mut Vec<u8>) -> bool {
        let mut waiting = self.lock();
        while waiting.text.is_empty() && !waiting.is_closed {
            waiting.losses.report_at_intervals();
            let timeout = if waiting.losses.count > 0 { REPORT_INTERVAL } else { Duration::MAX };
            let waited = self.changed.wait_timeout(waiting, timeout);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::swap(&mut waiting.text, text);
        self.taken.store(count_lines(text), Ordering::Relaxed);
        waiting.is_closed
    }

    /// Records that the writer has written `text`, which it has taken.
    pub(super) fn record_written(&self, text: &[u8]) {
        self.taken.fetch_sub(count_lines(text), Ordering::Relaxed);
    }

    /// Counts the lines that are not written as lost, and reports all losses.
    pub(super) fn abandon(&self) {
        let mut waiting = self.lock();
        let lines = std::mem::take(&mut waiting.text);
        let count = count_lines(&lines) + self.taken.load(Ordering::Relaxed);
        waiting.losses.add(count, TOO_SLOW);
        waiting.losses.report();
    }

    /// Reports the lines that were lost since the last report.
    pub(super) fn report_losses(&self) {
        self.lock().losses.report();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_lines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Lines that were lost since the last report, and why.
#[derive(Debug, Default)]
struct Losses {
    count: u64,
    reason: String,
    reported: Option<Instant>,
}

impl Losses {
    fn add(&mut self, count: u64, reason: impl fmt::Display) {
        if self.count == 0 {
            self.reason = reason.to_string();
        }
        self.count += count;
    }

    fn report_at_intervals(&mut self) {
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.report();
        }
    }

    fn report(&mut self) {
        let count = std::mem::take(&mut self.count);
        if count > 0 {
            self.reported = Some(Instant::now());
            let reason = &self.reason;
            report(format_args!("{count} access log lines lost: standard output: {reason}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_bounded_in_bytes_and_counts_the_lines_that_do_not_fit() {
        let buffer = Buffer::default();
        let line = "a".repeat(1024);
        for _ in 0..WAITING_MAX_BYTES / 1024 {
            buffer.push(&[&line]);
        }
        for expected in [0, 1, 2] {
            // The first loss is reported at once.
            buffer.push(&[&line]);
            assert_eq!(buffer.lock().losses.count, expected);
        }
        let mut text = Vec::new();
        assert!(!buffer.take(&mut text));
        assert_eq!(text.len(), WAITING_MAX_BYTES);
        buffer.close();
        buffer.push(&[&line]);
        text.clear();
        assert!(buffer.take(&mut text));
        assert_eq!(text.len(), 0);
    }
}
