//! Diagnostics: one line each on standard error (HTTP-27).
//!
//! Reporting is part of serving, so it never ends the process and never waits: a thread
//! writes the lines, and a line that does not fit together with those that wait is discarded.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::blocking_output::BlockingOutput;

/// Longest line in bytes, line break included: `PIPE_BUF` of Linux, up to which
/// a pipe takes a line whole (pipe(7)).
const LINE_MAX_BYTES: usize = 4096;

/// Maximum bytes of lines that wait for the writer.
const WAITING_MAX_BYTES: usize = 64 * 1024;

/// Maximum time that the end of the process waits for the remaining lines.
pub const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(1);

static QUEUE: Mutex<Queue> =
    Mutex::new(Queue { text: String::new(), writer: Writer::None, is_writing: false });

/// Signals each change of [`QUEUE`].
static CHANGED: Condvar = Condvar::new();

struct Queue {
    /// Lines that wait for the writer.
    text: String,
    writer: Writer,
    /// True while the writer holds lines that it has not written yet.
    is_writing: bool,
}

#[derive(PartialEq)]
enum Writer {
    None,
    Thread,
    /// No thread could be started: a line is written where it is reported, if standard
    /// error is ready.
    Reporter,
}

/// Reports `recipelog-site: MESSAGE`. Control characters are escaped: a name from elsewhere
/// must not control a terminal or begin another line.
pub fn report(message: impl fmt::Display) {
    let mut line = String::from("recipelog-site: ");
    for character in message.to_string().chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    while line.len() >= LINE_MAX_BYTES {
        line.pop();
    }
    line.push('\n');
    let mut queue = queue();
    if queue.writer == Writer::Reporter {
        write_if_ready(&line);
    } else if queue.text.len() + line.len() <= WAITING_MAX_BYTES {
        queue.text.push_str(&line);
        CHANGED.notify_all();
    }
}

/// Starts the thread that writes the lines, unless it runs. Lines wait until then: a thread
/// that starts before the sandbox is entered would not be restricted (DECISION-49).
pub fn start_writer() {
    let mut queue = queue();
    if queue.writer != Writer::None {
        return;
    }
    let thread = thread::Builder::new().name("diagnostics".to_owned());
    if thread.spawn(write_lines).is_ok() {
        queue.writer = Writer::Thread;
    } else {
        queue.writer = Writer::Reporter;
        write_if_ready(&std::mem::take(&mut queue.text));
    }
}

/// Writes the remaining lines when it is dropped, for at most a second.
#[derive(Debug)]
pub struct LastLines;

impl Drop for LastLines {
    fn drop(&mut self) {
        let is_unwritten = |queue: &mut Queue| !queue.text.is_empty() || queue.is_writing;
        if is_unwritten(&mut queue()) {
            start_writer();
            // Lines that are still unwritten after this time are discarded.
            let _ = CHANGED.wait_timeout_while(queue(), LAST_LINES_TIMEOUT, is_unwritten);
        }
    }
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_lines() {
    let mut stderr = BlockingOutput(io::stderr());
    let mut queue = queue();
    loop {
        let waited = CHANGED.wait_while(queue, |queue| queue.text.is_empty());
        queue = waited.unwrap_or_else(PoisonError::into_inner);
        let text = std::mem::take(&mut queue.text);
        queue.is_writing = true;
        drop(queue);
        // Each line in a write of its own, so that a pipe takes it whole.
        for line in text.split_inclusive('\n') {
            // There is no other place to report that reporting failed.
            let _ = stderr.write_all(line.as_bytes());
        }
        queue = self::queue();
        queue.is_writing = false;
        CHANGED.notify_all();
    }
}

/// Writes `text` unless that would block, as far as can be known: a pipe whose reader has
/// stalled, or a terminal that is stopped, is not ready.
fn write_if_ready(text: &str) {
    let mut stderr = io::stderr().lock();
    if is_ready(&stderr) {
        // There is no other place to report that reporting failed.
        let _ = stderr.write_all(text.as_bytes());
    }
}

#[cfg(unix)]
fn is_ready(stderr: &impl std::os::fd::AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut descriptors = [PollFd::new(stderr, PollFlags::OUT)];
    let immediately = Timespec { tv_sec: 0, tv_nsec: 0 };
    // POLLERR, for a pipe without a reader, is left to the write.
    poll(&mut descriptors, Some(&immediately)).is_ok_and(|ready| ready > 0)
}

#[cfg(not(unix))]
fn is_ready(_: &impl Write) -> bool {
    true
}

/// Reports a panic in one line. A panic ends one connection, or one try to renew the
/// certificate (HTTP-27).
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        match panic.location() {
            Some(location) => {
                report(format_args!("panic, the server goes on: {message} ({location})"));
            }
            None => report(format_args!("panic, the server goes on: {message}")),
        }
    }));
}
