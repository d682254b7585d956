//! `recipelog-site completions SHELL`.

use std::process::ExitCode;

use clap_complete::Shell;

use crate::cli::{self, print};
use crate::problem::Problem;

/// Prints the completions of `shell`.
#[inline(never)]
pub fn completions(shell: Shell) -> Result<ExitCode, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "recipelog-site", &mut script);
    print(&script)
}
