//! Diagnostics: one line each on standard error.
//!
//! Reporting is part of serving, so it must never end the process or block a
//! thread: a write error is ignored, and a line that standard error cannot take
//! at once is discarded.

use std::fmt;
use std::io::{self, Write};

/// Longest line in bytes, line break included: `PIPE_BUF` of Linux, up to which
/// a writable pipe takes a line whole (pipe(7)).
const LINE_MAX_BYTES: usize = 4096;

/// Writes `recipelog-site: MESSAGE` to standard error. Control characters are escaped: a
/// name from elsewhere must not control a terminal or begin another line.
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
    let mut stderr = io::stderr().lock();
    if is_writable(&stderr) {
        // There is no other place to report that reporting failed.
        let _ = stderr.write_all(line.as_bytes());
    }
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

/// True if a write does not block: a pipe whose reader has stalled, or a
/// terminal that is stopped, is not writable.
#[cfg(unix)]
fn is_writable(stderr: &impl std::os::fd::AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut descriptors = [PollFd::new(stderr, PollFlags::OUT)];
    let immediately = Timespec { tv_sec: 0, tv_nsec: 0 };
    // POLLERR, for a pipe without a reader, is left to the write.
    poll(&mut descriptors, Some(&immediately)).is_ok_and(|ready| ready > 0)
}

#[cfg(not(unix))]
fn is_writable(_: &impl Write) -> bool {
    true
}
