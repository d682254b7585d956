//! From the arguments and the environment to the typed options, and standard output of the
//! commands, of `--help` and of `--version`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{self, ExitCode};

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use super::options::Cli;
use crate::output::{BlockingOutput, report};
use crate::problem::Problem;
use crate::server::ListenAddress;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for
    /// `--help` and `--version`, prints the text and returns the exit code.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ExitCode> {
        // Files with settings often leave variables empty.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let mut command = command_with_variables(|name| !is_empty(name));
        let mut arguments: Vec<OsString> = arguments.into_iter().collect();
        strip_variables(&command, &arguments);
        // Other programs have these commands.
        match arguments.get(1).and_then(|first| first.to_str()) {
            Some("serve") => drop(arguments.remove(1)),
            Some("help") => {
                arguments.remove(1);
                arguments.push("--help".into());
            }
            _ => {}
        }
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
                let mut without_variables = command_with_variables(|_| false);
                match without_variables.try_get_matches_from_mut(&arguments) {
                    Ok(matches) if only_prints(&matches) => matches,
                    result => {
                        return Err(usage_error(&problem_line(&error, &command, result.is_ok())));
                    }
                }
            }
        };
        let mut cli = Self::from_arg_matches(&matches)
            .map_err(|error| usage_error(&problem_line(&error, &command, false)))?;
        let is_argument = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        // An argument outranks a variable, even one of another option: --port outranks LISTEN.
        if is_argument("port") && !is_argument("listen") {
            cli.listening.listen.clear();
        }
        if cli.command.is_none() {
            cli.check().map_err(|problem| {
                usage_error(&name_variables(&problem.to_string(), &command, &matches))
            })?;
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

/// Some tools keep the quotation marks and white space around a value: `docker run --env-file`, lists in
/// Compose files, files in a Secret. If a variable of an option has them, starts this process again
/// without them, because changing the environment of a running process is not safe.
fn strip_variables(command: &Command, arguments: &[OsString]) {
    let stripped = command.get_arguments().filter_map(|option| {
        let name = option.get_env()?;
        let value = std::env::var(name).ok()?;
        let text = value.trim();
        let inner = |mark| text.strip_prefix(mark)?.strip_suffix(mark);
        let text = inner('"').or_else(|| inner('\'')).unwrap_or(text);
        (text != value).then(|| (name.to_owned(), text.to_owned()))
    });
    let stripped: Vec<_> = stripped.collect();
    if !stripped.is_empty()
        && let Ok(program) = std::env::current_exe()
    {
        // Returns only if it fails. The error of the value then names it.
        let _ = process::Command::new(program).args(arguments.iter().skip(1)).envs(stripped).exec();
    }
}

/// True for a command that ignores the options of the server, and so their variables.
fn only_prints(matches: &ArgMatches) -> bool {
    matches!(matches.subcommand_name(), Some("completions" | "man" | "licenses"))
}

/// The line for `error`. If a variable has the bad value, the line names it.
fn problem_line(error: &clap::Error, command: &Command, is_variable: bool) -> String {
    // Hints and usage follow clap's first paragraph.
    let mut text = error.to_string();
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
        text = text.replacen(value, &value.escape_debug().to_string(), 1);
    }
    if let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg)
        && let Some(option) = command.get_arguments().find(|option| option.to_string() == *shown)
        && let Some(variable) = option.get_env().filter(|_| is_variable)
    {
        text = text.replacen(&format!("'{shown}'"), &variable.to_string_lossy(), 1);
    }
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    format!("{}{}", line.trim_start_matches("error: "), hint(error))
}

/// The remedy for `error`, if there is an obvious one.
fn hint(error: &clap::Error) -> String {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        if word.parse::<u16>().is_ok() || word.parse::<ListenAddress>().is_ok() {
            return "; put --port or --listen before it".to_owned();
        }
        if word.contains('/') || Path::new(word).is_dir() {
            return "; this file is the whole site, and serves no folder".to_owned();
        }
    }
    let suggestions =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let suggestion = suggestions.into_iter().find_map(|kind| error.get(kind));
    suggestion.map(|other| format!("; did you mean {other}?")).unwrap_or_default()
}

/// `problem` with the variable instead of each option that got its value from it.
fn name_variables(problem: &str, command: &Command, matches: &ArgMatches) -> String {
    let mut line = problem.to_owned();
    for option in command.get_arguments() {
        let source = matches.value_source(option.get_id().as_str());
        if source == Some(ValueSource::EnvVariable)
            && let (Some(long), Some(variable)) = (option.get_long(), option.get_env())
        {
            let name = format!("--{long}");
            let words = line.split_inclusive(' ').map(|word| {
                let end = word.trim_end_matches([',', ';', ' ']).len();
                if word[..end] == name {
                    variable.to_string_lossy() + &word[end..]
                } else {
                    word.into()
                }
            });
            line = words.collect();
        }
    }
    line
}

/// True if the option's parser rejects each value that begins with a hyphen. Its error
/// names the option and gives an example; clap's error would treat the value as an option.
fn has_own_error(option: &Arg) -> bool {
    let names = option.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["ADDR", "PORT", "N", "TIME"].contains(&name.as_str()))
}

/// Writes to standard output. A reader that closes the pipe before the end is no
/// error: `recipelog-site man | head`.
pub fn print(text: &[u8]) -> Result<ExitCode, Problem> {
    let mut stdout = BlockingOutput(io::stdout().lock());
    match stdout.write_all(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let remedy = "redirect it to a file or a terminal";
            Err(Problem::new("cannot write to standard output", remedy).because(error))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
