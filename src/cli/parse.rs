//! From the arguments and the environment to the typed options.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use super::options::Cli;
use super::output::print;
use crate::diagnostics::report;

impl Cli {
    /// Reads the arguments and the environment. On a usage error, and for
    /// `--help` and `--version`, prints the text and returns the exit code.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ExitCode> {
        // Files with settings often leave variables empty.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let mut command = Self::command().mut_args(|option| {
            let may_begin_with_hyphen = has_own_error(&option);
            let option = option.allow_hyphen_values(may_begin_with_hyphen);
            match option.get_env() {
                Some(name) if is_empty(name) => option.env(None),
                _ => option,
            }
        });
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let parsed = command.try_get_matches_from_mut(&arguments).and_then(|matches| {
            let mut cli = Self::from_arg_matches(&matches)?;
            let is_argument = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
            // An argument outranks a variable, even one of another option: --port outranks LISTEN.
            if is_argument("port") && !is_argument("listen") {
                cli.listening.listen.clear();
            }
            Ok(cli)
        });
        let usage_error = |text: &str| {
            report(format_args!("{text}; see --help"));
            ExitCode::from(2)
        };
        let cli: Self = parsed.map_err(|error| {
            if !error.use_stderr() {
                return print(error.to_string().as_bytes()).unwrap_or_else(|problem| {
                    report(problem);
                    ExitCode::FAILURE
                });
            }
            if error.kind() == ErrorKind::InvalidUtf8
                && let Some(name) = name_of_bad_text(&command, &arguments)
            {
                return usage_error(&format!("the value of {name} is not in UTF-8"));
            }
            // Hints and usage follow clap's first paragraph.
            let mut text = error.to_string();
            if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) {
                text = text.replacen(value, &value.escape_debug().to_string(), 1);
            }
            let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
            let line = lines.collect::<Vec<_>>().join(" ");
            usage_error(line.trim_start_matches("error: "))
        })?;
        if cli.command.is_none() {
            cli.certificate_source()
                .and_then(|_| cli.check_addresses())
                .map_err(|problem| usage_error(&problem))?;
        }
        Ok(cli)
    }
}

/// True if the option's parser rejects each value that begins with a hyphen. Its error
/// names the option and gives an example; clap's error would treat the value as an option.
fn has_own_error(option: &Arg) -> bool {
    let names = option.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["ADDR", "PORT", "N", "TIME"].contains(&name.as_str()))
}

/// The option or variable whose value is not UTF-8, which clap does not name. Paths may
/// be any bytes.
fn name_of_bad_text(command: &Command, arguments: &[OsString]) -> Option<String> {
    let is_bad = |value: &OsStr| value.to_str().is_none();
    if let Some(index) = arguments.iter().position(|argument| is_bad(argument)) {
        let argument = arguments[index].to_string_lossy();
        return match argument.split_once('=') {
            Some((name, _)) if name.starts_with("--") => Some(name.to_owned()),
            _ => Some(arguments.get(index.checked_sub(1)?)?.to_str()?.to_owned()),
        };
    }
    let is_path = |option: &Arg| {
        let names = option.get_value_names().unwrap_or_default();
        names.iter().any(|name| ["FILE", "DIR"].contains(&name.as_str()))
    };
    let options = command.get_arguments().filter(|option| !is_path(option));
    let mut names = options.filter_map(Arg::get_env);
    let name = names.find(|name| std::env::var_os(name).is_some_and(|value| is_bad(&value)))?;
    Some(name.to_string_lossy().into_owned())
}
