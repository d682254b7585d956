//! `recipelog-site man`.

use std::process::ExitCode;

use clap_mangen::Man;

use crate::cli::{self, print};
use crate::problem::Problem;

/// Prints the manual page in roff: `recipelog-site man | man -l -` shows it.
#[inline(never)]
pub fn man() -> Result<ExitCode, Problem> {
    let mut text = String::from("Commands:\n");
    let command = cli::command();
    for command in command.get_subcommands() {
        let about = command.get_about().unwrap_or_default();
        text += &format!("  {}\n      {about}\n", command.get_name());
    }
    text += &format!("\n{}", command.get_after_long_help().unwrap_or_default());
    // clap_mangen refers to a page for each command, which does not exist.
    let command = command.after_long_help(text).mut_subcommands(|command| command.hide(true));
    let mut page = Vec::new();
    let man = Man::new(command).date(env!("RECIPELOG_DATE")).manual("User Commands");
    let man = man.source(concat!("recipelog-site ", env!("CARGO_PKG_VERSION")));
    man.render(&mut page).expect("writing to memory does not fail");
    print(&page)
}
