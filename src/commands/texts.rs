//! The commands that print a text: `completions`, `man` and `licenses`.

use std::io::{self, Read};

use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli;
use crate::output::{standard_output, write};
use crate::problem::Problem;

/// `build/licenses/third-party.txt`, compressed by the build script with gzip.
const LICENSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licenses.gz"));

/// Prints the completions of `shell`.
#[inline(never)]
pub fn completions(shell: Shell) -> Result<(), Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "recipelog-site", &mut script);
    print(&script)
}

/// Prints the manual page in roff: `recipelog-site man | man -l -` shows it.
#[inline(never)]
pub fn man() -> Result<(), Problem> {
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
    let page = String::from_utf8_lossy(&page).replace(".SH EXTRA\n", "");
    // The headings of the text become headings of the page.
    let line = |line: &str| match line.strip_suffix(':') {
        Some(heading) if heading.starts_with(char::is_uppercase) => {
            format!(".SH {}\n", heading.to_uppercase())
        }
        _ => format!("{line}\n"),
    };
    print(page.lines().map(line).collect::<String>().as_bytes())
}

/// Prints the licences of all components.
#[inline(never)]
pub fn licenses() -> Result<(), Problem> {
    let mut text = Vec::new();
    let mut gzip = flate2::read::GzDecoder::new(LICENSES);
    gzip.read_to_end(&mut text).expect("the build script writes valid gzip");
    print(&text)
}

/// Writes to standard output. A reader that closes the pipe before the end is no error:
/// `recipelog-site man | head`.
pub fn print(text: &[u8]) -> Result<(), Problem> {
    let written = standard_output().map_err(|error| (0, error));
    match written.and_then(|output| write(text, output)) {
        Err((_, error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            let remedy = "redirect it to a file or a terminal";
            Err(Problem::new("cannot write to standard output", remedy).because(error))
        }
        _ => Ok(()),
    }
}
