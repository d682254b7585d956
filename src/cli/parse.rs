//! From the arguments and the environment to the typed options.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use super::options::Cli;
use super::output::print;
use crate::diagnostics::report;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for
    /// `--help` and `--version`, prints the text and returns the exit code.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ExitCode> {
        // Files with settings often leave variables empty.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let mut command = command_with_variables(|name| !is_empty(name));
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let usage_error = |text: &str| {
            report(format_args!("{text}; see --help"));
            ExitCode::from(2)
        };
        let matches = match command.try_get_matches_from_mut(&arguments) {
            Ok(matches) => matches,
            Err(error) if !error.use_stderr() => {
                return Err(print(error.to_string().as_bytes()).unwrap_or_else(|problem| {
                    report(problem);
                    ExitCode::FAILURE
                }));
            }
            Err(error) => {
                let mut of_arguments = command_with_variables(|_| false);
                match of_arguments.try_get_matches_from_mut(&arguments) {
                    Ok(matches) if only_prints(&matches) => matches,
                    result => {
                        let is_of_variable = result.is_ok();
                        let text = explain(&error, &command, &arguments, is_of_variable);
                        return Err(usage_error(&text));
                    }
                }
            }
        };
        let mut cli = Self::from_arg_matches(&matches)
            .map_err(|error| usage_error(&explain(&error, &command, &arguments, false)))?;
        let is_argument = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        // An argument outranks a variable, even one of another option: --port outranks LISTEN.
        if is_argument("port") && !is_argument("listen") {
            cli.listening.listen.clear();
        }
        if cli.command.is_none() {
            cli.certificate_source()
                .and_then(|_| cli.check_addresses())
                .map_err(|problem| usage_error(&name_variables(&problem, &command, &matches)))?;
        }
        Ok(cli)
    }
}

/// The command line, whose options have those variables that `is_used` accepts.
fn command_with_variables(is_used: impl Fn(&OsStr) -> bool) -> Command {
    Cli::command().mut_args(|option| {
        let may_begin_with_hyphen = has_own_error(&option);
        let option = option.allow_hyphen_values(may_begin_with_hyphen);
        match option.get_env() {
            Some(name) if !is_used(name) => option.env(None),
            _ => option,
        }
    })
}

/// True for a command that ignores the options of the server, and so their variables.
fn only_prints(matches: &ArgMatches) -> bool {
    matches!(matches.subcommand_name(), Some("completions" | "man" | "licenses"))
}

/// The line for `error`. If a variable has the bad value, the line names it.
fn explain(
    error: &clap::Error,
    command: &Command,
    arguments: &[OsString],
    is_of_variable: bool,
) -> String {
    if error.kind() == ErrorKind::InvalidUtf8
        && let Some(name) =
            if is_of_variable { bad_variable(command) } else { bad_option(command, arguments) }
    {
        return format!("the value of {name} is not in UTF-8");
    }
    // Hints and usage follow clap's first paragraph.
    let mut text = error.to_string();
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
        text = text.replacen(value, &value.escape_debug().to_string(), 1);
    }
    if let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg)
        && let Some(option) = command.get_arguments().find(|option| option.to_string() == *shown)
        && let Some(variable) = option.get_env().filter(|_| is_of_variable)
    {
        text = text.replacen(&format!("'{shown}'"), &variable.to_string_lossy(), 1);
    }
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    line.trim_start_matches("error: ").to_owned()
}

/// `problem` with the variable instead of each option that got its value from it.
fn name_variables(problem: &str, command: &Command, matches: &ArgMatches) -> String {
    let variable_of = |word: &str| {
        let long = word.strip_prefix("--")?;
        let option = command.get_arguments().find(|option| option.get_long() == Some(long))?;
        let source = matches.value_source(option.get_id().as_str());
        let is_of_variable = source == Some(ValueSource::EnvVariable);
        option.get_env().filter(|_| is_of_variable).map(OsStr::to_string_lossy)
    };
    let words = problem.split(' ').map(|word| match word.find([',', ';']) {
        Some(end) => variable_of(&word[..end])
            .map_or_else(|| word.to_owned(), |variable| format!("{variable}{}", &word[end..])),
        None => variable_of(word).map_or_else(|| word.to_owned(), Cow::into_owned),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// True if the option's parser rejects each value that begins with a hyphen. Its error
/// names the option and gives an example; clap's error would treat the value as an option.
fn has_own_error(option: &Arg) -> bool {
    let names = option.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["ADDR", "PORT", "N", "TIME"].contains(&name.as_str()))
}

/// Paths may be any bytes.
fn is_text(option: &Arg) -> bool {
    let names = option.get_value_names().unwrap_or_default();
    !names.iter().any(|name| ["FILE", "DIR"].contains(&name.as_str()))
}

/// The option whose value among `arguments` is not UTF-8, which clap does not name.
fn bad_option(command: &Command, arguments: &[OsString]) -> Option<String> {
    let is_name = |name: &str| {
        let long = name.strip_prefix("--");
        long.is_some()
            && command.get_arguments().any(|option| option.get_long() == long && is_text(option))
    };
    let names = arguments.iter().enumerate().filter(|(_, argument)| argument.to_str().is_none());
    let mut names =
        names.filter_map(|(index, argument)| match argument.to_string_lossy().split_once('=') {
            Some((name, _)) if name.starts_with("--") => Some(name.to_owned()),
            _ => Some(arguments.get(index.checked_sub(1)?)?.to_str()?.to_owned()),
        });
    names.find(|name| is_name(name))
}

/// The variable whose value is not UTF-8, which clap does not name.
fn bad_variable(command: &Command) -> Option<String> {
    let options = command.get_arguments().filter(|option| is_text(option));
    let mut names = options.filter_map(Arg::get_env);
    let is_bad =
        |name: &&OsStr| std::env::var_os(name).is_some_and(|value| value.to_str().is_none());
    names.find(is_bad).map(|name| name.to_string_lossy().into_owned())
}
