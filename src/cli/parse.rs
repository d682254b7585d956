//! From the arguments and the environment to the configuration.

use std::env;
use std::error::Error;
use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches};

use super::config::{Config, check};
use super::help::{is_read, with_effective_options};
use super::options::{Cli, Command};

/// What a command line asks for.
#[derive(Debug)]
pub enum Parsed {
    /// To run a command; `None` serves the site.
    Run(Option<Command>, Box<Config>),
    /// To print a text: of `--help`, or of `--version`.
    Print(String),
    /// Nothing, because of a usage error: a line for standard error.
    Error(String),
}

/// The command line.
pub fn command() -> clap::Command {
    with_effective_options(Cli::command())
}

/// Parses the arguments alone, and then together with the variables: a mistake that is found then is
/// one of a variable.
pub fn parse(words: &[OsString]) -> Parsed {
    match without_variables().try_get_matches_from(words) {
        Err(text) if !text.use_stderr() => Parsed::Print(text.to_string()),
        Err(error) => Parsed::Error(line(&error, |option| format!("'{option}'"), words)),
        Ok(arguments) => with_variables(&arguments, words).unwrap_or_else(Parsed::Error),
    }
}

/// The command line, which reads no variable.
fn without_variables() -> clap::Command {
    with_effective_options(Cli::command().mut_args(|option| option.env(None)))
}

/// Adds the variables that the command reads, and that no argument outranks. Returns the line for a
/// usage error.
fn with_variables(arguments: &ArgMatches, words: &[OsString]) -> Result<Parsed, String> {
    let is_given = |id: &str| arguments.value_source(id) == Some(ValueSource::CommandLine);
    let (program, words) = words.split_at(words.len().min(1));
    let mut all_words = program.to_vec();
    for option in Cli::command().get_arguments() {
        let id = option.get_id().as_str();
        // --port outranks even the variable of --listen.
        let is_outranked = is_given(id) || (id == "listen" && is_given("port"));
        if !is_outranked && is_read(arguments.subcommand_name(), option) {
            all_words.extend(word(option)?);
        }
    }
    all_words.extend_from_slice(words);
    let matches = without_variables().try_get_matches_from(all_words);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = cli.map_err(|error| line(&error, variable, &[]))?;
    let given_by = |id: &str| match is_given(id) {
        true => format!("--{}", id.replace('_', "-")),
        false => id.to_ascii_uppercase(),
    };
    check(&cli, given_by).map_err(|problem| problem.to_string())?;
    Ok(Parsed::Run(cli.command.clone(), Box::new(Config::new(cli))))
}

/// `TLS_CERT` of `--tls-cert <FILE>`.
fn variable(option: &str) -> String {
    let name = option.trim_start_matches('-').split(' ').next().unwrap_or_default();
    name.replace('-', "_").to_ascii_uppercase()
}

/// The argument that has the effect of the variable of `option`; `None` if it has none. Files for
/// `--env-file` keep blanks and CR around a value, leave variables empty, and end lists with a comma.
fn word(option: &Arg) -> Result<Option<OsString>, String> {
    let name = option.get_long().unwrap_or_default();
    let variable = variable(name);
    let value = env::var_os(&variable).unwrap_or_default().into_string();
    let value = value.map_err(|_| format!("{variable} is not UTF-8; set it to text in UTF-8"))?;
    let value = value.trim();
    // Some tools keep the quotation marks around a value, such as `docker run --env-file`.
    if value.len() > 1 && value.starts_with(['"', '\'']) && value.ends_with(&value[..1]) {
        let what = "has quotation marks around its value; remove the quotation marks";
        return Err(format!("{variable} {what}"));
    }
    let without_comma = option.get_value_delimiter().and_then(|comma| value.strip_suffix(comma));
    let word = match without_comma.unwrap_or(value) {
        "" => return Ok(None),
        value if option.get_action().takes_values() => format!("--{name}={value}"),
        value => match &*value.to_ascii_lowercase() {
            "1" | "on" | "t" | "true" | "y" | "yes" => format!("--{name}"),
            "0" | "f" | "false" | "n" | "no" | "off" => return Ok(None),
            _ => {
                return Err(format!(
                    "{INVALID} '{value}' for {variable}: expected yes, no, 1 or 0"
                ));
            }
        },
    };
    Ok(Some(word.into()))
}

const INVALID: &str = "invalid value";

/// The line for `error` in `words`, with the remedy. `shown` makes the name of an option of its usage.
fn line(error: &clap::Error, shown: impl Fn(&str) -> String, words: &[OsString]) -> String {
    let part = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let option = shown(&part(ContextKind::InvalidArg));
    let (value, usage) = (part(ContextKind::InvalidValue), part(ContextKind::Usage));
    let similar = part(ContextKind::SuggestedArg) + &part(ContextKind::SuggestedSubcommand);
    let hint = format!("did you mean {similar}?");
    let hint = if similar.is_empty() { "see --help" } else { &hint };
    match error.kind() {
        // The text of a value parser says what it expected.
        ErrorKind::ValueValidation => {
            let reason = error.source().map(ToString::to_string).unwrap_or_default();
            format!("{INVALID} '{value}' for {option}: {reason}")
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is required for {option} but none was supplied; {hint}")
        }
        ErrorKind::InvalidValue => {
            let valid = part(ContextKind::ValidValue);
            format!("{INVALID} '{value}' for {option}: expected one of {valid}")
        }
        ErrorKind::InvalidUtf8 => {
            let bad = words.iter().find(|word| word.to_str().is_none()).cloned();
            let bad = bad.unwrap_or_default();
            format!("argument '{}' is not UTF-8; write it in UTF-8", bad.to_string_lossy())
        }
        ErrorKind::InvalidSubcommand => {
            let unknown = part(ContextKind::InvalidSubcommand);
            let serve = "give none to serve the site, or --listen to set an address; see --help";
            let hint = match &*similar {
                _ if unknown == "help" => "did you mean --help?",
                "" => serve,
                _ => hint,
            };
            format!("unknown command '{unknown}'; {hint}")
        }
        ErrorKind::UnknownArgument if option.starts_with("'-") => {
            format!("unknown option {option}; {hint}")
        }
        ErrorKind::UnknownArgument if usage.contains("recipelog-site healthcheck") => {
            let hint = "healthcheck takes the server's options, such as --port 8080";
            format!("unexpected argument {option}; {hint}")
        }
        ErrorKind::UnknownArgument => format!("unexpected argument {option}; {hint}"),
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for {option}; {hint}"),
        ErrorKind::ArgumentConflict => format!("{option} is given twice; give it once"),
        ErrorKind::MissingRequiredArgument => {
            let usage = usage.trim_start_matches("Usage: ");
            format!("missing {}; usage: {usage}", part(ContextKind::InvalidArg))
        }
        kind => format!("{kind}; {hint}"),
    }
}
