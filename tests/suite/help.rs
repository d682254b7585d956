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

/// `text` in one line.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn help_fits_a_terminal_of_80_columns_and_names_every_option_with_its_variable() {
    let (code, help, stderr) = run(command(&["--help"]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let unwrapped_help = unwrapped(&help);
    for (option, variable) in options_with_variable() {
        assert!(unwrapped_help.contains(&option), "{option}");
        assert!(unwrapped_help.contains(&format!("[env: {variable}]")), "{variable}");
    }
    assert!(unwrapped_help.contains("the contact form sends nothing"), "{unwrapped_help}");
    for name in ["README.md", "deploy/README.md"] {
        assert!(unwrapped(&file(name)).contains("sends nothing"), "PAGE-13: {name}");
    }
    // The state folder depends on the first of these that is set.
    for variable in ["$STATE_DIRECTORY", "$XDG_STATE_HOME", "~/.local/state"] {
        assert!(unwrapped_help.contains(variable), "{variable}");
    }
}

#[test]
fn the_short_help_has_a_line_for_each_usual_option() {
    let (code, help, _) = run(command(&["-h"]));
    assert_eq!(code, 0);
    let options = help.lines().filter(|line| line.starts_with("      --")).count();
    // A text that needed a second line would begin farther right.
    let second = help.lines().find(|line| line.starts_with("          "));
    assert_eq!((options, second), (11, None), "{help}");
    assert!(help.lines().count() < 45 && help.contains("recipelog-site --help"), "{help}");
}

#[test]
fn the_help_of_a_command_lists_the_options_that_have_an_effect_on_it() {
    for (name, expected) in [
        (
            "healthcheck",
            "listen port tls-listen tls-cert tls-key acme-domain expires-within origin",
        ),
        ("export", "acme-domain origin hsts app-name support-email app-store-url play-store-url"),
        ("man", ""),
        ("licenses", ""),
        ("completions", ""),
    ] {
        for option in ["-h", "--help"] {
            let (code, help, _) = run(command(&[name, option]));
            assert_eq!(code, 0);
            let found = help.lines().filter_map(|line| line.strip_prefix("      --"));
            let found: Vec<&str> = found.filter_map(|line| line.split(' ').next()).collect();
            assert_eq!(found.join(" "), expected, "{name} {option}");
        }
    }
}

#[test]
fn the_manual_has_what_the_help_has() {
    let (_, help, _) = run(command(&["--help"]));
    let (code, manual, _) = run(command(&["man"]));
    assert_eq!(code, 0);
    let (_, more) = help.split_once("\nValues:\n").expect("what follows the options");
    // roff escapes hyphens and apostrophes, and a line has at most 71 columns in a terminal of 80.
    let plain = manual.replace("\\-", "-").replace("\\*(Aq", "'");
    let headings = more.lines().filter_map(|line| line.strip_suffix(':'));
    for heading in headings.chain(["Commands", "Values"]) {
        assert!(plain.contains(&format!("\n.SH {}\n", heading.to_uppercase())), "{heading}");
    }
    for line in more.lines().filter(|line| !line.ends_with(':')) {
        assert!(plain.contains(line) && line.len() <= 71, "{line}");
    }
    // Neither page nor heading says anything.
    assert!(!plain.contains("recipelog-site-") && !plain.contains(".SH EXTRA"), "{plain}");
}
