//! From the arguments and the environment to the typed options, and standard output of the
//! commands, of `--help` and of `--version`.

use std::any::TypeId;
use std::env::{self, VarError};
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Id};

use super::help::with_effective_options;
use super::options::Cli;
use crate::output::{report, standard_output};
use crate::problem::Problem;
use crate::server::ListenAddress;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for
    /// `--help` and `--version`, prints the text and returns the end of the process.
    pub fn parse_from(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, Result<ExitCode, Problem>> {
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        // Other programs have this command.
        if arguments.get(1).is_some_and(|first| first == "serve") {
            arguments.remove(1);
        }
        let first = arguments.get(1).and_then(|first| first.to_str());
        let only_prints = matches!(first, Some("completions" | "man" | "licenses"));
        let command = Cli::command().mut_args(|option| {
            let variable = option.get_env().and_then(env::var_os);
            // Files with settings often leave variables empty.
            let is_used = !only_prints && variable.is_some_and(|value| !value.is_empty());
            if is_used { option } else { option.env(None) }
        });
        let mut command = with_effective_options(command);
        let usage_error = |line: String| {
            report(line);
            Ok(ExitCode::from(2))
        };
        let matches = match command.try_get_matches_from_mut(&arguments) {
            Err(error) if !error.use_stderr() => {
                return Err(print(error.to_string().as_bytes()));
            }
            matches => matches,
        };
        if let Some(problem) = command.get_arguments().find_map(bad_variable) {
            return Err(usage_error(problem.to_string()));
        }
        let parsed = matches.and_then(|matches| Ok((Self::from_arg_matches(&matches)?, matches)));
        let (mut cli, matches) = parsed.map_err(|error| usage_error(line(&error, &arguments)))?;
        let is_argument = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        // An argument outranks a variable, even one of another option: --port outranks LISTEN.
        if is_argument("port") && !is_argument("listen") {
            cli.listening.listen.clear();
        }
        cli.check().map_err(|problem| usage_error(name_variables(&problem, &matches)))?;
        Ok(cli)
    }
}

/// The problem with a variable that no option can have: some tools keep the quotation marks around a value, such as
/// `docker run --env-file`.
fn bad_variable(option: &Arg) -> Option<Problem> {
    let name = option.get_env()?.to_string_lossy();
    let is_quoted =
        |text: &str| text.len() > 1 && text.starts_with(['"', '\'']) && text.ends_with(&text[..1]);
    match env::var(&*name) {
        Ok(value) if is_quoted(value.trim()) => {
            let what = format!("{name} has quotation marks around its value");
            Some(Problem::new(what, "remove the quotation marks"))
        }
        Err(VarError::NotUnicode(_))
            if option.get_value_parser().type_id() != TypeId::of::<PathBuf>() =>
        {
            Some(Problem::new(format!("{name} is not UTF-8"), "set it to text in UTF-8"))
        }
        _ => None,
    }
}

/// The line for `error`. It mentions the variable if the variable has the bad value.
fn line(error: &clap::Error, arguments: &[OsString]) -> String {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (option, value) = (context(ContextKind::InvalidArg), context(ContextKind::InvalidValue));
    let expected = match error.kind() {
        ErrorKind::ValueValidation => error.source().map(ToString::to_string),
        ErrorKind::InvalidValue if !value.is_empty() => {
            Some(format!("expected one of {}", context(ContextKind::ValidValue)))
        }
        _ => None,
    };
    if let Some(expected) = expected {
        // Without the name of the value.
        let name = option.split(' ').next().unwrap_or_default();
        let is_name = |word: &OsString| word.to_string_lossy().split('=').next() == Some(name);
        let is_argument = arguments.iter().any(is_name);
        let name = if is_argument { name.to_owned() } else { variable(name) };
        return format!("invalid value '{}' for {name}: {expected}", value.escape_debug());
    }
    let word = context(ContextKind::InvalidSubcommand);
    let suggestion =
        context(ContextKind::SuggestedArg) + &context(ContextKind::SuggestedSubcommand);
    let remedy = if !suggestion.is_empty() {
        format!("did you mean {suggestion}?")
    } else if word.parse::<u16>().is_ok() || word.parse::<ListenAddress>().is_ok() {
        "put --port or --listen before it".to_owned()
    } else if word.contains('/') || Path::new(&word).is_dir() {
        "this file is the whole site, and serves no folder".to_owned()
    } else {
        "see --help".to_owned()
    };
    // Hints and usage follow clap's first paragraph.
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let what = lines.collect::<Vec<_>>().join(" ");
    format!("{}; {remedy}", what.trim_start_matches("error: "))
}

/// The variable of an option: `TLS_CERT` for `--tls-cert`.
fn variable(option: &str) -> String {
    option.trim_start_matches('-').replace('-', "_").to_uppercase()
}

/// `problem` with the variable instead of each option that got its value from it.
fn name_variables(problem: &Problem, matches: &ArgMatches) -> String {
    let is_variable =
        |id: &&Id| matches.value_source(id.as_str()) == Some(ValueSource::EnvVariable);
    matches.ids().filter(is_variable).fold(problem.to_string(), |line, id| {
        let option = format!("--{}", id.as_str().replace('_', "-"));
        line.replace(&option, &variable(&option))
    })
}

/// Writes to standard output. A reader that closes the pipe before the end is no
/// error: `recipelog-site man | head`.
pub fn print(text: &[u8]) -> Result<ExitCode, Problem> {
    let remedy = "redirect it to a file or a terminal";
    match standard_output().and_then(|mut output| output.write_all(text)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::new("cannot write to standard output", remedy).because(error))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
