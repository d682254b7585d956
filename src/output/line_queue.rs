//! Lines on their way to an output. Requests never wait for it: a thread writes the lines, and a line that
//! does not fit into the queue is lost.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Minimum interval between two reports of lost lines, and between two attempts after an error.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Lines that wait to be written, bounded in bytes. The writer holds as many again.
#[derive(Debug)]
pub struct LineQueue {
    max_bytes: usize,
    /// Receives the number of lost lines, and the reason. `None`: the reader has closed the output, so no more
    /// lines are written.
    report_loss: fn(Option<u64>, &str),
    state: Mutex<State>,
    /// Signals each change of `state`.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    text: Vec<u8>,
    /// Lines that the writer has taken and not written yet.
    taken: u64,
    is_closed: bool,
    lost: u64,
    /// The error of the last write; empty if it succeeded.
    failure: String,
    reported: Option<Instant>,
}

impl State {
    fn is_written(&self) -> bool {
        self.text.is_empty() && self.taken == 0
    }
}

impl LineQueue {
    pub const fn new(max_bytes: usize, report_loss: fn(Option<u64>, &str)) -> Self {
        let state = State {
            text: Vec::new(),
            taken: 0,
            is_closed: false,
            lost: 0,
            failure: String::new(),
            reported: None,
        };
        Self { max_bytes, report_loss, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a line.
    pub fn push(&self, line: &str) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        if state.text.len() + line.len() > self.max_bytes {
            // The writer cannot report this while it waits for the reader, or for space on the disk.
            self.lose(&mut state, 1);
            return;
        }
        state.text.extend_from_slice(line.as_bytes());
        drop(state);
        self.changed.notify_all();
    }

    /// Writes lines to `output` until the queue is closed, or the output has no reader.
    pub fn write_to(&self, mut output: impl Write) {
        loop {
            let mut state = self.lock();
            while state.text.is_empty() && !state.is_closed {
                self.report_at_intervals(&mut state);
                let timeout = if state.lost > 0 { REPORT_INTERVAL } else { Duration::MAX };
                let waited = self.changed.wait_timeout(state, timeout);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            if state.text.is_empty() {
                return;
            }
            let text = std::mem::take(&mut state.text);
            state.taken = count_lines(&text);
            drop(state);
            let written = write_whole_lines(&text, &mut output);
            let mut state = self.lock();
            state.taken = 0;
            let is_failing = written.is_err();
            // What was lost for the last failure.
            self.report_at_intervals(&mut state);
            state.failure.clear();
            if let Err((lost, error)) = written {
                if error.kind() == ErrorKind::BrokenPipe {
                    state.is_closed = true;
                    state.text.clear();
                    (self.report_loss)(None, &error.to_string());
                } else {
                    state.failure = error.to_string();
                    self.lose(&mut state, lost);
                }
            }
            let is_closed = state.is_closed;
            drop(state);
            self.changed.notify_all();
            if is_failing && !is_closed {
                // A full disk, for example, may have space again later.
                thread::sleep(REPORT_INTERVAL);
            }
        }
    }

    /// Waits for at most `timeout` until all lines are written. Returns false if some are left.
    pub fn flush(&self, timeout: Duration) -> bool {
        let waited =
            self.changed.wait_timeout_while(self.lock(), timeout, |state| !state.is_written());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_written()
    }

    /// Ignores all lines from now on. [`Self::write_to`] returns once it has written the earlier ones.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Closes the queue, waits until its lines are written, for at most `timeout`, and reports all
    /// losses.
    pub fn finish(&self, timeout: Duration) {
        self.close();
        let is_written = self.flush(timeout);
        let mut state = self.lock();
        if !is_written {
            state.lost += count_lines(&state.text) + state.taken;
            state.text.clear();
        }
        self.report(&mut state);
    }

    fn lose(&self, state: &mut State, count: u64) {
        state.lost += count;
        self.report_at_intervals(state);
    }

    fn report_at_intervals(&self, state: &mut State) {
        if state.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.report(state);
        }
    }

    fn report(&self, state: &mut State) {
        let count = std::mem::take(&mut state.lost);
        if count > 0 {
            state.reported = Some(Instant::now());
            let is_slow = state.failure.is_empty();
            let reason = if is_slow { "it is read too slowly" } else { &state.failure };
            (self.report_loss)(Some(count), reason);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_lines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Writes `text`. An error comes with the number of lines that were not written whole.
fn write_whole_lines(text: &[u8], output: &mut impl Write) -> Result<(), (u64, io::Error)> {
    let mut written = 0;
    while written < text.len() {
        let error = match output.write(&text[written..]) {
            Ok(0) => ErrorKind::WriteZero.into(),
            Ok(count) => {
                written += count;
                continue;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        if !text[..written].ends_with(b"\n") && written > 0 {
            // Ends the torn line before the next one, if the output takes another byte.
            let _ = output.write(b"\n");
        }
        return Err((count_lines(&text[written..]), error));
    }
    Ok(())
}

/// Interval at which a full output is tried again.
const SPACE_INTERVAL: Duration = Duration::from_millis(5);

/// Standard output without the buffer of `io::stdout`, which would keep a part of what could not be written.
pub fn standard_output() -> io::Result<impl Write> {
    Ok(BlockingOutput(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

/// An output without a buffer whose writes wait for space, although the process that started this one may have
/// set that they do not block (`O_NONBLOCK`).
#[derive(Debug)]
pub(super) struct BlockingOutput<W>(pub(super) W);

impl<W: Write> Write for BlockingOutput<W> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(content) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(SPACE_INTERVAL)
                }
                result => return result,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes `space` bytes, then fails once, then takes everything.
    struct FullDisk {
        space: usize,
        has_failed: bool,
        text: Vec<u8>,
    }

    impl Write for FullDisk {
        fn write(&mut self, content: &[u8]) -> io::Result<usize> {
            let count = if self.has_failed { content.len() } else { content.len().min(self.space) };
            if count == 0 {
                self.has_failed = true;
                return Err(ErrorKind::StorageFull.into());
            }
            self.space = self.space.saturating_sub(count);
            self.text.extend_from_slice(&content[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_is_torn_by_a_full_disk_ends_before_the_next_one() {
        let mut output = FullDisk { space: 9, has_failed: false, text: Vec::new() };
        let (lost, error) = write_whole_lines(b"first\nsecond\nthird\n", &mut output).unwrap_err();
        assert_eq!((lost, error.kind()), (2, ErrorKind::StorageFull));
        write_whole_lines(b"fourth\n", &mut output).unwrap();
        assert_eq!(String::from_utf8(output.text).unwrap(), "first\nsec\nfourth\n");
    }

    #[test]
    fn the_reason_of_a_lost_line_is_the_error_of_the_writer() {
        static REPORTED: Mutex<String> = Mutex::new(String::new());
        let queue = LineQueue::new(4, |_, reason| *REPORTED.lock().unwrap() = reason.to_owned());
        for (space, reason) in [(0, "no storage space"), (5, "it is read too slowly")] {
            queue.push("1234");
            queue.lock().is_closed = true;
            queue.write_to(FullDisk { space, has_failed: false, text: Vec::new() });
            queue.lock().is_closed = false;
            queue.lock().reported = None;
            queue.push("12345");
            assert_eq!(*REPORTED.lock().unwrap(), reason);
        }
    }

    #[test]
    fn the_queue_is_bounded_in_bytes_and_counts_the_lines_that_do_not_fit() {
        let queue = LineQueue::new(10, |_, _| {});
        queue.push("12345678\n");
        for expected in [0, 1, 2] {
            // The first loss is reported at once.
            queue.push("lost\n");
            assert_eq!(queue.lock().lost, expected);
        }
        let mut written = Vec::new();
        queue.lock().is_closed = true;
        queue.write_to(&mut written);
        assert_eq!(written, b"12345678\n");
    }

    /// A pipe without space at every second write, which takes one byte at a time.
    #[derive(Default)]
    struct NonBlockingPipe {
        is_full: bool,
        text: Vec<u8>,
    }

    impl Write for NonBlockingPipe {
        fn write(&mut self, content: &[u8]) -> io::Result<usize> {
            self.is_full = !self.is_full;
            if self.is_full {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.text.push(content[0]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_pipe_whose_writes_do_not_block_gets_every_byte() {
        let mut output = BlockingOutput(NonBlockingPipe::default());
        output.write_all(b"first\nsecond\n").unwrap();
        assert_eq!(String::from_utf8(output.0.text).unwrap(), "first\nsecond\n");
    }
}
