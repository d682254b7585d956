//! Child processes, and the lines that they write.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time that a test waits for an event. It is long because a machine may be busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A process that is killed on drop.
pub struct Running(pub Child);

impl Running {
    /// The lines on standard error, which is a pipe.
    pub fn console(&mut self) -> Lines {
        Lines::of(self.0.stderr.take().expect("a pipe"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails only for a process that has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines of an output. A test that waits for one in vain fails after [`DEADLINE`].
pub struct Lines(Receiver<String>);

impl Lines {
    pub fn of(output: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output).lines().map_while(Result::ok);
            // Sending fails when the receiver has been dropped.
            output.try_for_each(|line| sender.send(line))
        });
        Self(lines)
    }

    /// The next line; `None` at the end of the output.
    pub fn next(&self) -> Option<String> {
        match self.0.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no further line, and no end"),
        }
    }

    /// The next line that contains `text`.
    pub fn line_with(&self, text: &str) -> String {
        let begun = Instant::now();
        let line = std::iter::from_fn(|| self.next()).find(|line| {
            assert!(begun.elapsed() < DEADLINE, "no line with {text:?}");
            line.contains(text)
        });
        line.unwrap_or_else(|| panic!("no line with {text:?}"))
    }

    /// The lines that have been read so far.
    pub fn unread(&self) -> Vec<String> {
        self.0.try_iter().collect()
    }

    /// All further lines of a process that has ended.
    pub fn rest(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }
}
