//! Documents that the executable prints: shell completions, the manual page and
//! the licences of all components.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::manual;
use crate::cli::Cli;

/// `build/licenses/third-party.txt`, compressed by the build script with gzip.
const LICENSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licenses.gz"));

/// `recipelog-site completions SHELL`.
#[inline(never)]
pub fn completions(shell: Shell) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "recipelog-site", &mut script);
    print(&script)
}

/// `recipelog-site man`.
#[inline(never)]
pub fn man() -> Result<ExitCode, String> {
    print(&manual::page())
}

/// `recipelog-site licenses`.
#[inline(never)]
pub fn licenses() -> Result<ExitCode, String> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(LICENSES).read_to_end(&mut text).map_err(|error| {
        format!("cannot unpack the embedded licences: {error}; install the executable again")
    })?;
    print(&text)
}

/// Writes to standard output. A reader that closes the pipe before the end is no
/// error: `recipelog-site man | head`.
pub(super) fn print(text: &[u8]) -> Result<ExitCode, String> {
    match io::stdout().lock().write_all(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!(
            "cannot write to standard output: {error}; redirect it to a file or a terminal"
        )),
        _ => Ok(ExitCode::SUCCESS),
    }
}
