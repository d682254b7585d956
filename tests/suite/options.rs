//! WIRE-25, PAGE-13: names, variables and defaults of all options, in README.md, docs/http.md and the help.

use std::path::Path;
use std::time::Duration;
use std::{fs, iter};

use clap::{Arg, Command, CommandFactory, Parser};
use recipelog_site::cli::Cli;

use crate::command_line::run;
use crate::executable::command;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).expect("a file of the repository")
}

/// The cells of the table rows that contain an option in column `column`.
fn rows(text: &str, column: usize) -> Vec<Vec<&str>> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .filter(|cells| cells.get(column).is_some_and(|cell| cell.starts_with("`--")))
        .collect()
}

/// The texts in backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn option<'a>(command: &'a Command, name: &str) -> &'a Arg {
    let long = name.strip_prefix("--").expect("an option");
    let mut options = command.get_arguments();
    options.find(|option| option.get_long() == Some(long)).unwrap_or_else(|| panic!("{name}"))
}

/// The default of an option: its value, else the text in brackets in its help.
fn default(option: &Arg) -> String {
    if let [value] = option.get_default_values() {
        return value.to_string_lossy().into_owned();
    }
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let in_brackets = help.rsplit_once("[default").and_then(|(_, text)| text.strip_suffix(']'));
    in_brackets.unwrap_or_default().trim_start_matches([':', ' ']).to_owned()
}

#[test]
fn the_readme_lists_every_option_with_its_variable_and_its_default() {
    let command = Cli::command();
    let readme = file("README.md");
    let mut listed = Vec::new();
    for cells in rows(&readme, 0) {
        let &[options, variables, documented, _] = cells.as_slice() else { panic!("{cells:?}") };
        assert!(code(variables).count() <= code(options).count(), "{cells:?}");
        let variables = code(variables).map(Some).chain(iter::repeat(None));
        for (usage, variable) in code(options).zip(variables) {
            let (name, value) = usage.split_once(' ').unwrap_or((usage, ""));
            let option = option(&command, name);
            let variable_of_option = option.get_env().and_then(|name| name.to_str());
            assert_eq!(variable, variable_of_option, "{name}");
            assert_eq!(documented.replace('`', ""), default(option), "{name}");
            let values = option.get_value_names().unwrap_or_default();
            let takes_value = option.get_action().takes_values();
            assert_eq!(value, if takes_value { values[0].as_str() } else { "" }, "{name}");
            listed.push(name.to_owned());
        }
    }
    // The row of --acme-domain refers to `--help` for the other options of ACME.
    let others: Vec<_> = command
        .get_arguments()
        .filter_map(|option| Some(format!("--{}", option.get_long()?)))
        .filter(|name| !listed.contains(name))
        .collect();
    let acme = ["dir", "directory", "root", "email", "profile", "eab-kid", "eab-key"];
    assert_eq!(others, acme.map(|name| format!("--acme-{name}")));
}

/// WIRE-25.
#[test]
fn the_documented_time_limits_are_the_defaults() {
    let command = Cli::command();
    let promises = file("docs/http.md");
    let rows = rows(&promises, 2);
    assert!(rows.len() > 3, "{rows:?}");
    for cells in rows {
        let name = code(cells[2]).next().expect("an option");
        assert_eq!(cells[1].replace(' ', ""), default(option(&command, name)), "{cells:?}");
    }
}

#[test]
fn each_option_of_a_time_limit_sets_its_limit() {
    let options = "--header-timeout 1s --idle-timeout 2s --write-timeout 3s --drain-timeout 4s";
    let arguments = ["recipelog-site"].into_iter().chain(options.split(' '));
    let set = Cli::try_parse_from(arguments).expect("options").limits;
    let times = [set.header_timeout, set.idle_timeout, set.write_timeout, set.drain_timeout];
    assert_eq!(times, [1, 2, 3, 4].map(Duration::from_secs));
}

/// Every option that has a variable, with the variable: the name of the option in capital letters. An
/// operator puts `healthcheck` or `export` in front of the server's unchanged options, so each of them
/// may follow a command.
pub fn options_with_variable() -> Vec<(String, String)> {
    let command = Cli::command();
    let with_variable = |option: &Arg| {
        let (name, variable) = (option.get_long()?, option.get_env()?.to_str()?);
        assert_eq!(variable, name.to_uppercase().replace('-', "_"));
        assert!(option.is_global_set(), "{name} may not follow a command");
        Some((format!("--{name}"), variable.to_owned()))
    };
    command.get_arguments().filter_map(with_variable).collect()
}

#[test]
fn help_fits_a_terminal_of_80_columns_and_names_every_option_with_its_variable() {
    let (code, help, stderr) = run(command(&["--help"]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let unwrapped = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (option, variable) in options_with_variable() {
        assert!(unwrapped.contains(&option), "{option}");
        assert!(unwrapped.contains(&format!("[env: {variable}]")), "{variable}");
    }
    assert!(unwrapped.contains("the contact form sends nothing"), "{unwrapped}");
    for name in ["README.md", "deploy/README.md"] {
        assert!(file(name).contains("sends nothing"), "PAGE-13: {name}");
    }
    // The state folder depends on the first of these that is set.
    for variable in ["$STATE_DIRECTORY", "$XDG_STATE_HOME", "~/.local/state"] {
        assert!(unwrapped.contains(variable), "{variable}");
    }
}
