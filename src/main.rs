//! From the command line to an exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use recipelog_site::cli::{Cli, Command};
use recipelog_site::problem::Problem;
use recipelog_site::{commands, name_lookup, output};

fn main() -> ExitCode {
    let _last_lines = output::LastLines;
    name_lookup::use_hosts_file_and_dns();
    let words: Vec<_> = std::env::args_os().collect();
    let result = Cli::parse_from(&words).map_or_else(|ended| ended, |cli| run(&cli));
    result.unwrap_or_else(|problem| {
        output::report(problem);
        ExitCode::FAILURE
    })
}

fn run(cli: &Cli) -> Result<ExitCode, Problem> {
    match &cli.command {
        None => commands::serve(cli),
        Some(Command::Healthcheck) => commands::healthcheck(cli),
        Some(Command::Completions { shell }) => commands::completions(*shell),
        Some(Command::Man) => commands::man(),
        Some(Command::Licenses) => commands::licenses(),
        Some(Command::Export { folder }) => commands::export(cli, folder),
    }
}
