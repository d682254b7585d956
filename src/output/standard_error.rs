//! Diagnostics: one line each on standard error (WIRE-27).
//!
//! Reporting is part of serving, so it never ends the process and never waits.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::line_queue::LineQueue;

/// Longest line in bytes, line break included: a pipe takes lines up to Linux's `PIPE_BUF` whole
/// (pipe(7)).
const LINE_MAX_BYTES: usize = 4096;

/// Maximum bytes of lines that wait for the writer.
const WAITING_MAX_BYTES: usize = 64 * 1024;

/// Maximum time that the end of the process waits for the remaining lines.
pub const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(1);

static QUEUE: LineQueue = LineQueue::new(WAITING_MAX_BYTES);

/// Reports `recipelog-site: MESSAGE`. Characters that control a terminal, begin a line, change the
/// direction of the text or are invisible are escaped, and so are combining characters: the text
/// may come from an authority or a file.
pub fn report(message: impl fmt::Display) {
    let mut line = String::from("recipelog-site: ");
    for character in message.to_string().chars() {
        match character {
            // `escape_debug` escapes these visible characters too.
            '\'' | '"' | '\\' => line.push(character),
            _ => line.extend(character.escape_debug()),
        }
    }
    while line.len() >= LINE_MAX_BYTES {
        line.pop();
    }
    line.push('\n');
    QUEUE.push(&line);
}

/// Writes `text`, which may control the terminal.
pub fn write_to_terminal(text: &str) {
    QUEUE.push(text);
}

/// Starts the thread that writes the lines, unless it runs. Lines wait until then: a thread that
/// starts before the sandbox is entered would not be restricted.
pub fn start_writer() -> io::Result<()> {
    static IS_STARTED: AtomicBool = AtomicBool::new(false);
    if !IS_STARTED.swap(true, Ordering::Relaxed) {
        let thread = thread::Builder::new().name("diagnostics".to_owned());
        thread.spawn(write_lines).inspect_err(|_| IS_STARTED.store(false, Ordering::Relaxed))?;
    }
    Ok(())
}

/// Writes lines until the queue is closed.
fn write_lines() {
    // There is no other place to report that reporting failed.
    let _ = QUEUE.write_to(io::stderr(), |_, _| {});
}

/// Writes the remaining lines when it is dropped, for at most a second.
#[derive(Debug)]
pub struct LastLines;

impl Drop for LastLines {
    fn drop(&mut self) {
        if start_writer().is_ok() {
            QUEUE.flush(LAST_LINES_TIMEOUT);
        } else {
            QUEUE.close();
            write_lines();
        }
    }
}

/// Reports a panic in one line. A panic ends one connection, or one attempt to renew a certificate
/// (WIRE-27).
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', " ");
        report(format_args!("{text}; the server goes on"));
    }));
}
