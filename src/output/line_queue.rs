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
            state.lost += 1;
        } else {
            state.text.extend_from_slice(line.as_bytes());
        }
        // The writer cannot report losses while it waits for the reader, or for space on the disk.
        self.report_at_intervals(&mut state);
        drop(state);
        self.changed.notify_all();
    }

    /// Writes lines to `output` until the queue is closed, or the output has no reader.
    pub fn write_to(&self, mut output: impl Write) {
        loop {
            let is_waiting = |state: &mut State| state.text.is_empty() && !state.is_closed;
            let waited = self.changed.wait_while(self.lock(), is_waiting);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            if state.text.is_empty() {
                return;
            }
            let text = std::mem::take(&mut state.text);
            state.taken = count_lines(&text);
            drop(state);
            let written = write(&text, &mut output);
            let mut state = self.lock();
            state.taken = 0;
            state.failure.clear();
            match written {
                Ok(()) => {}
                Err((_, error)) if error.kind() == ErrorKind::BrokenPipe => {
                    state.is_closed = true;
                    state.text.clear();
                    (self.report_loss)(None, &error.to_string());
                }
                Err((lost, error)) => {
                    state.lost += lost;
                    state.failure = error.to_string();
                    self.report_at_intervals(&mut state);
                }
            }
            let is_failing = !state.failure.is_empty();
            drop(state);
            self.changed.notify_all();
            if is_failing {
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
        self.flush(timeout);
        let mut state = self.lock();
        state.lost += count_lines(&state.text) + state.taken;
        state.text.clear();
        self.report(&mut state);
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
fn write(mut text: &[u8], output: &mut impl Write) -> Result<(), (u64, io::Error)> {
    while !text.is_empty() {
        match output.write(text) {
            Ok(0) => return Err((count_lines(text), ErrorKind::WriteZero.into())),
            Ok(count) => text = &text[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err((count_lines(text), error)),
        }
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

    #[test]
    fn the_reason_of_a_lost_line_is_the_error_of_the_writer() {
        static REPORTED: Mutex<String> = Mutex::new(String::new());
        let queue =
            LineQueue::new(4, |lost, why| *REPORTED.lock().unwrap() = format!("{lost:?} {why}"));
        for (space, expected) in [(3, "Some(1) write zero"), (4, "Some(1) it is read too slowly")] {
            queue.push("123\n");
            queue.lock().is_closed = true;
            queue.write_to(&mut [0; 4][..space]);
            queue.lock().is_closed = false;
            queue.lock().reported = None;
            queue.push("12345\n");
            assert_eq!(*REPORTED.lock().unwrap(), expected);
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
