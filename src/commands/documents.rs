//! What the executable carries about itself: completions, a manual page, the
//! licences of what is built in.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::manual;
use crate::cli::Cli;

/// `deploy/third-party-licenses.txt`, which build.rs compresses.
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
    flate2::read::GzDecoder::new(LICENSES)
        .read_to_end(&mut text)
        .map_err(|error| format!("cannot read the licences: {error}"))?;
    print(&text)
}

/// Writes to standard output, where nobody has to read to the end.
pub(super) fn print(text: &[u8]) -> Result<ExitCode, String> {
    match io::stdout().lock().write_all(text) {
        // Whoever closed the pipe has read enough: `man | head`.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
