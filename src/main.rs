//! From the command line to an exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use recipelog_site::cli::{self, Command, Config, Parsed};
use recipelog_site::problem::Problem;
use recipelog_site::{commands, name_lookup, output};

fn main() -> ExitCode {
    let _last_lines = output::LastLines;
    name_lookup::use_hosts_file_and_dns();
    let words: Vec<_> = std::env::args_os().collect();
    let result = match cli::parse(&words) {
        Parsed::Run(command, config) => run(command, &config),
        Parsed::Print(text) => commands::print(text.as_bytes()),
        Parsed::Error(line) => {
            output::report(line);
            return ExitCode::from(2);
        }
    };
    result.map(|()| ExitCode::SUCCESS).unwrap_or_else(|problem| {
        output::report(problem);
        ExitCode::FAILURE
    })
}

fn run(command: Option<Command>, config: &Config) -> Result<(), Problem> {
    match command {
        None => commands::serve(config),
        Some(Command::Healthcheck) => commands::healthcheck(config),
        Some(Command::Completions { shell }) => commands::completions(shell),
        Some(Command::Man) => commands::man(),
        Some(Command::Licenses) => commands::licenses(),
        Some(Command::Export { folder }) => commands::export(&config.settings, &folder),
    }
}
