//! From the arguments and the environment to the typed options, and standard output of the
//! commands, of `--help` and of `--version`.

use std::env::{self, VarError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use super::help::with_effective_options;
use super::options::Cli;
use crate::output::{report, standard_output, write};
use crate::problem::Problem;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for `--help` and `--version`,
    /// prints the text and returns the end of the process.
    pub fn parse_from(words: &[OsString]) -> Result<Self, Result<ExitCode, Problem>> {
        let command = Self::command().mut_args(|option| {
            let variable = option.get_env().and_then(env::var_os);
            // Files with settings often leave variables empty.
            if variable.is_some_and(|value| !value.is_empty()) { option } else { option.env(None) }
        });
        let mut command = with_effective_options(command);
        let cli = match command.try_get_matches_from_mut(words) {
            Err(text) if !text.use_stderr() => return Err(print(text.to_string().as_bytes())),
            matches => match command.get_arguments().find_map(bad_variable) {
                Some(line) => Err(line),
                None => matches.map_err(|error| line(&error, words)).and_then(Self::from_matches),
            },
        };
        cli.map_err(|line| {
            report(with_variables(line, &command, words));
            Ok(ExitCode::from(2))
        })
    }

    fn from_matches(matches: ArgMatches) -> Result<Self, String> {
        let mut cli = Self::from_arg_matches(&matches).map_err(|error| line(&error, &[]))?;
        let is_argument = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        // An argument outranks a variable, even one of another option: --port outranks LISTEN.
        if is_argument("port") && !is_argument("listen") {
            cli.listening.listen.clear();
        }
        cli.check().map_err(|problem| problem.to_string())?;
        Ok(cli)
    }
}

/// The command line.
pub fn command() -> Command {
    with_effective_options(Cli::command())
}

/// The line for a value that no option takes: some tools keep the quotation marks around a value,
/// such as `docker run --env-file`.
fn bad_variable(option: &Arg) -> Option<String> {
    let name = option.get_env()?.to_string_lossy();
    let is_quoted =
        |text: &str| text.len() > 1 && text.starts_with(['"', '\'']) && text.ends_with(&text[..1]);
    match env::var(&*name) {
        Ok(value) if is_quoted(value.trim()) => {
            Some(format!("{name} has quotation marks around its value; remove the quotation marks"))
        }
        Err(VarError::NotUnicode(_)) => {
            Some(format!("{name} is not UTF-8; set it to text in UTF-8"))
        }
        _ => None,
    }
}

/// Words of clap, and what this program says instead.
const WORDS: [(&str, &str); 7] = [
    ("error: ", ""),
    ("unrecognized subcommand", "unknown command"),
    ("unexpected argument '-", "unknown option '-"),
    ("' found", "'"),
    (" [possible values: ", ": expected one of "),
    ("value was not a boolean", "expected yes, no, 1 or 0"),
    ("the following required arguments were not provided: ", "missing "),
];

/// The line for `error` in `words`: clap's first paragraph, which hints and usage follow, and a
/// remedy.
fn line(error: &clap::Error, words: &[OsString]) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let what = lines.collect::<Vec<_>>().join(" ");
    let what = WORDS.iter().fold(what, |what, (clap, ours)| what.replace(clap, ours));
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let suggestion =
        context(ContextKind::SuggestedArg) + &context(ContextKind::SuggestedSubcommand);
    match error.kind() {
        // The text of a value parser says what it expected.
        ErrorKind::ValueValidation => what,
        ErrorKind::InvalidValue if what.ends_with(']') => what.trim_end_matches(']').to_owned(),
        ErrorKind::InvalidUtf8 => {
            let bad = words.iter().find(|word| word.to_str().is_none());
            let bad = bad.map(|word| word.to_string_lossy()).unwrap_or_default();
            format!("argument '{bad}' is not UTF-8; write it in UTF-8")
        }
        _ if !suggestion.is_empty() => format!("{what}; did you mean {suggestion}?"),
        ErrorKind::InvalidSubcommand => {
            format!(
                "{what}; give none to serve the site, or --listen to set an address; see --help"
            )
        }
        ErrorKind::UnknownArgument if text.contains("Usage: recipelog-site healthcheck") => {
            format!("{what}; healthcheck takes the server's options, such as --port 8080")
        }
        ErrorKind::MissingRequiredArgument => {
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
            format!("{what}; usage: {}", usage.unwrap_or_default())
        }
        _ => format!("{what}; see --help"),
    }
}

/// `line` with the variable instead of each option that gets its value from it.
fn with_variables(line: String, command: &Command, arguments: &[OsString]) -> String {
    let is_name =
        |word: &OsString, name: &str| word.to_string_lossy().split('=').next() == Some(name);
    command.get_arguments().fold(line, |line, option| {
        let name = format!("--{}", option.get_long().unwrap_or_default());
        match option.get_env().map(OsStr::to_string_lossy) {
            Some(variable) if !arguments.iter().any(|word| is_name(word, &name)) => {
                // The space ends the name: --acme-dir is the beginning of --acme-directory.
                let line = line.replace(&format!("'{option}'"), &variable);
                line.replace(&format!("{name} "), &format!("{variable} "))
            }
            _ => line,
        }
    })
}

/// Writes to standard output. A reader that closes the pipe before the end is no error:
/// `recipelog-site man | head`.
pub fn print(text: &[u8]) -> Result<ExitCode, Problem> {
    let written = standard_output().map_err(|error| (0, error));
    match written.and_then(|output| write(text, output)) {
        Err((_, error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            let remedy = "redirect it to a file or a terminal";
            Err(Problem::new("cannot write to standard output", remedy).because(error))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
