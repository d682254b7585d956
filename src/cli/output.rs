//! Standard output of the commands, of `--help` and of `--version`.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::blocking_output::BlockingOutput;

/// Writes to standard output. A reader that closes the pipe before the end is no
/// error: `recipelog-site man | head`.
pub fn print(text: &[u8]) -> Result<ExitCode, String> {
    let mut stdout = BlockingOutput(io::stdout().lock());
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!(
            "cannot write to standard output: {error}; redirect it to a file or a terminal"
        )),
        _ => Ok(ExitCode::SUCCESS),
    }
}
