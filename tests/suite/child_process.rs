//! Child processes, and the lines that they write.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time that a test waits for an event. It is long because a machine may be busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Waits for an event that nothing reports.
pub fn wait_until(event: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < DEADLINE, "waited in vain: {event}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A process that is killed on drop.
pub struct Running(pub Child);

impl Running {
    /// The lines on standard error, which is a pipe.
    pub fn console(&mut self) -> Lines {
        Lines::of(self.0.stderr.take().expect("a pipe"))
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until("the end of the process", || {
            status = self.0.try_wait().expect("a child process");
            status.is_some()
        });
        status.expect("it has ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails only for a process that has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asserts that `command` ends with exit code `code` and one line on standard error, which
/// contains each of `parts`.
pub fn assert_rejected(mut command: Command, code: i32, parts: &[&str]) {
    let mut process = Running(command.stderr(Stdio::piped()).spawn().expect("a process"));
    let console = process.console();
    let line = console.next().expect("a line");
    assert!(!line.contains(char::is_control), "{command:?}: {line:?}");
    for part in parts {
        assert!(line.contains(part), "{command:?}: {line} without {part}");
    }
    assert_eq!(console.next(), None, "{command:?}");
    assert_eq!(process.wait().code(), Some(code), "{command:?}");
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
        let mut others = Vec::new();
        while let Some(line) = self.next() {
            if line.contains(text) {
                return line;
            }
            others.push(line);
            assert!(begun.elapsed() < DEADLINE, "no line with {text:?} in {others:#?}");
        }
        panic!("no line with {text:?} in {others:#?}");
    }

    /// All remaining lines of a process that has ended.
    pub fn rest(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }
}
