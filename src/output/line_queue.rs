//! Lines on their way to an output. Requests never wait for it: a thread writes the lines, and a
//! line that does not fit into the queue is lost.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Why lines do not fit into the queue.
pub const TOO_SLOW: &str = "it is read too slowly";

/// Interval at which a full output is tried again.
const SPACE_INTERVAL: Duration = Duration::from_millis(5);

/// Pause after an error: a full disk, for example, may have space again later.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Lines that wait to be written, bounded in bytes. The writer holds as many again.
#[derive(Debug)]
pub struct LineQueue {
    max_bytes: usize,
    state: Mutex<State>,
    /// Signals each change of `state`.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    text: Vec<u8>,
    /// Lines that the writer has taken and not written yet.
    taken: u64,
    /// Lines that did not fit since the writer last reported them.
    lost: u64,
    is_closed: bool,
}

impl LineQueue {
    pub const fn new(max_bytes: usize) -> Self {
        let state = State { text: Vec::new(), taken: 0, lost: 0, is_closed: false };
        Self { max_bytes, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a line.
    pub fn push(&self, line: &str) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        if state.text.len() + line.len() > self.max_bytes {
            state.lost += 1;
            return;
        }
        state.text.extend_from_slice(line.as_bytes());
        drop(state);
        self.changed.notify_all();
    }

    /// Writes lines to `output` until the queue is closed. Gives `report_loss` the number of lines
    /// that were lost meanwhile, and the reason. An error if the output has lost its reader.
    pub fn write_to(
        &self,
        mut output: impl Write,
        report_loss: impl Fn(u64, &str),
    ) -> io::Result<()> {
        loop {
            let is_waiting = |state: &mut State| state.text.is_empty() && !state.is_closed;
            let waited = self.changed.wait_while(self.lock(), is_waiting);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            if state.text.is_empty() {
                return Ok(());
            }
            let text = std::mem::take(&mut state.text);
            state.taken = count_lines(&text);
            drop(state);
            let written = write(&text, &mut output);
            let mut state = self.lock();
            let lost = std::mem::take(&mut state.lost);
            let pause = match written {
                Ok(()) if lost == 0 => Duration::ZERO,
                Ok(()) => {
                    report_loss(lost, TOO_SLOW);
                    Duration::ZERO
                }
                Err((_, error)) if error.kind() == ErrorKind::BrokenPipe => {
                    *state = State { text: Vec::new(), taken: 0, lost: 0, is_closed: true };
                    self.changed.notify_all();
                    return Err(error);
                }
                Err((unwritten, error)) => {
                    report_loss(lost + unwritten, &error.to_string());
                    RETRY_PAUSE
                }
            };
            state.taken = 0;
            drop(state);
            self.changed.notify_all();
            thread::sleep(pause);
        }
    }

    /// Waits for at most `timeout` until all lines are written. Returns the number of lines that
    /// are lost if the process ends now.
    pub fn flush(&self, timeout: Duration) -> u64 {
        let is_pending = |state: &mut State| !state.text.is_empty() || state.taken > 0;
        let waited = self.changed.wait_timeout_while(self.lock(), timeout, is_pending);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.lost + state.taken + count_lines(&state.text)
    }

    /// Ignores all lines from now on. [`Self::write_to`] returns once it has written the earlier
    /// ones.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_lines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// Writes `text`, and waits for space, although the process that started this one may have set that
/// writes do not block (`O_NONBLOCK`). An error comes with the number of lines that were not
/// written whole.
pub fn write(mut text: &[u8], mut output: impl Write) -> Result<(), (u64, io::Error)> {
    while !text.is_empty() {
        let error = match output.write(text) {
            Ok(0) => ErrorKind::WriteZero.into(),
            Ok(count) => {
                text = &text[count..];
                continue;
            }
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::Interrupted => {}
            ErrorKind::WouldBlock => thread::sleep(SPACE_INTERVAL),
            _ => return Err((count_lines(text), error)),
        }
    }
    Ok(())
}

/// Standard output without the buffer of `io::stdout`, which would keep a part of what could not be
/// written.
pub fn standard_output() -> io::Result<File> {
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn lost_lines_are_reported_with_their_number_and_the_reason() {
        for (space, expected) in [
            (9, Some("1 it is read too slowly")),
            (5, Some("2 write zero")),
            (3, Some("3 write zero")),
        ] {
            let queue = LineQueue::new(10);
            for line in ["1234\n", "123\n", "too long\n"] {
                queue.push(line);
            }
            // If nobody writes them, all are lost.
            assert_eq!(queue.flush(Duration::ZERO), 3);
            queue.close();
            let reported = RefCell::new(None);
            let report = |lost, why: &str| *reported.borrow_mut() = Some(format!("{lost} {why}"));
            queue.write_to(&mut [0; 10][..space], report).unwrap();
            assert_eq!(reported.take().as_deref(), expected);
            assert_eq!(queue.flush(Duration::ZERO), 0);
        }
    }

    #[test]
    fn a_full_pipe_whose_writes_do_not_block_gets_every_byte() {
        let (mut reader, writer) = UnixStream::pair().unwrap();
        writer.set_nonblocking(true).unwrap();
        let text = vec![b'a'; 1 << 20];
        let written = text.clone();
        let writing = thread::spawn(move || write(&written, &writer).is_ok());
        let mut received = Vec::new();
        reader.read_to_end(&mut received).unwrap();
        assert!(writing.join().unwrap() && received == text);
    }
}
