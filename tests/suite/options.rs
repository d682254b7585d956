//! Names, variables and defaults of options in README.md and docs/http.md.

use std::path::Path;
use std::{fs, iter};

use clap::{Arg, Command, CommandFactory};
use recipelog_site::cli::Cli;

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
    let missing: Vec<_> = command
        .get_arguments()
        .filter_map(|option| Some(format!("--{}", option.get_long()?)))
        .filter(|name| !name.starts_with("--acme-") && !listed.contains(name))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

/// HTTP-25.
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
