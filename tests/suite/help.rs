//! WIRE-25, PAGE-13: names, variables and defaults of all options, in docs and in the help.

use std::fs;
use std::path::Path;

use clap::{Arg, Command};
use recipelog_site::cli;

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

/// The default of an option: its value, or the text in brackets in its help.
fn default(option: &Arg) -> String {
    if let [value] = option.get_default_values() {
        return value.to_string_lossy().into_owned();
    }
    let help = option.get_long_help().map(ToString::to_string).unwrap_or_default();
    let (_, default) = help.split_once(" [default: ").unwrap_or_default();
    default.split("] [env: ").next().unwrap_or_default().to_owned()
}

#[test]
fn the_table_of_options_lists_every_option_with_its_variable_and_its_default() {
    let command = cli::command();
    let table = file("docs/options.md");
    let mut listed = Vec::new();
    for cells in rows(&table, 0) {
        let &[option_cell, variable, documented, _] = cells.as_slice() else { panic!("{cells:?}") };
        let usage = code(option_cell).next().expect("an option");
        let (name, value) = usage.split_once(' ').unwrap_or((usage, ""));
        let option = option(&command, name);
        let variable_of_option = option.get_env().and_then(|name| name.to_str());
        assert_eq!(code(variable).next(), variable_of_option, "{name}");
        assert_eq!(documented.replace('`', ""), default(option), "{name}");
        let values = option.get_value_names().unwrap_or_default();
        let takes_value = option.get_action().takes_values();
        assert_eq!(value, if takes_value { values[0].as_str() } else { "" }, "{name}");
        listed.push(name.to_owned());
    }
    let options =
        command.get_arguments().filter_map(|option| Some(format!("--{}", option.get_long()?)));
    assert_eq!(listed, options.collect::<Vec<_>>(), "the order of the help");
}

#[test]
fn the_options_of_the_readme_exist() {
    let (command, readme) = (cli::command(), file("README.md"));
    let usages: Vec<_> = rows(&readme, 0).into_iter().flat_map(|cells| code(cells[0])).collect();
    assert_eq!(usages.len(), 11);
    for usage in usages {
        let (name, value) = usage.split_once(' ').expect("a name and a value");
        assert_eq!(option(&command, name).get_value_names().expect("a value")[0].as_str(), value);
    }
}

/// WIRE-25.
#[test]
fn the_documented_time_limits_are_the_defaults() {
    let command = cli::command();
    let promises = file("docs/http.md");
    let rows = rows(&promises, 2);
    assert!(rows.len() > 3, "{rows:?}");
    for cells in rows {
        let name = code(cells[2]).next().expect("an option");
        assert_eq!(cells[1].replace(' ', ""), default(option(&command, name)), "{cells:?}");
    }
}

/// Every option that has a variable, with the variable: the name of the option in capital letters. An
/// operator puts `healthcheck` or `export` in front of the server's unchanged options, so each of them
/// may follow a command.
pub fn options_with_variable() -> Vec<(String, String)> {
    let command = cli::command();
    let with_variable = |option: &Arg| {
        let (name, variable) = (option.get_long()?, option.get_env()?.to_str()?);
        assert_eq!(variable, name.to_uppercase().replace('-', "_"));
        assert!(option.is_global_set(), "{name} may not follow a command");
        Some((format!("--{name}"), variable.to_owned()))
    };
    command.get_arguments().filter_map(with_variable).collect()
}

/// Compares what the executable prints with the files in `texts`; with the variable UPDATE_TEXTS, writes them.
#[test]
fn the_helps_and_the_manual_are_the_texts_that_were_read() {
    for (name, options) in [
        ("short-help", &["-h"][..]),
        ("help", &["--help"]),
        ("healthcheck-help", &["healthcheck", "--help"]),
        ("export-help", &["export", "--help"]),
        ("manual", &["man"]),
    ] {
        let (code, text, stderr) = run(command(options));
        assert_eq!((code, stderr.as_str()), (0, ""), "{name}");
        // The line with the date of the build.
        let lines = text.lines().filter(|line| !line.starts_with(".TH "));
        let text = lines.map(|line| format!("{line}\n")).collect::<String>();
        let path = Path::new("tests/suite/texts").join(name).with_extension("txt");
        if std::env::var_os("UPDATE_TEXTS").is_some() {
            fs::write(&path, &text).expect("a file of the repository");
        }
        let read = file(path.to_str().expect("UTF-8"));
        assert!(text == read, "read the text, then UPDATE_TEXTS=1 cargo test help: {text}");
    }
}

#[test]
fn each_command_and_option_has_the_same_help_with_one_hyphen_and_two_and_lines_of_80_columns() {
    for name in ["healthcheck", "export", "man", "licenses", "completions"] {
        let [short, long] = ["-h", "--help"].map(|option| run(command(&[name, option])));
        let options = |text: &str| text.lines().filter(|it| it.starts_with("      --")).count();
        assert_eq!((short.0, options(&short.1)), (0, options(&long.1)), "{name}");
    }
    let (_, help, _) = run(command(&["--help"]));
    assert_eq!(help.lines().find(|line| line.chars().count() > 80), None);
}
