//! What the executable prints, in files of `texts` that a person has read. The variable UPDATE_TEXTS writes them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::process::command;

/// A file of the repository.
pub fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).expect("a file of the repository")
}

/// Asserts that `text` is the content of a file of `texts`.
pub fn assert_text(name: &str, text: &str) {
    let name = format!("tests/suite/texts/{name}.txt");
    if std::env::var_os("UPDATE_TEXTS").is_some() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(&name), text).expect("a file");
    }
    let read = file(&name);
    let differs = text.lines().zip(read.lines()).find(|(new, old)| new != old);
    assert!(text == read, "{name}: {differs:?}; read {text}, then UPDATE_TEXTS=1 cargo test");
}

/// Asserts that the indented lines of a file of `texts` are what `outcome` says of the line above them.
pub fn assert_outcomes(name: &str, outcome: impl Fn(&str) -> String) {
    let lines = file(&format!("tests/suite/texts/{name}.txt"));
    let lines = lines.lines().filter(|line| !line.starts_with("    "));
    let outcomes = lines.map(|line| match line.is_empty() || line.starts_with('#') {
        true => format!("{line}\n"),
        false => format!("{line}\n    {}\n", outcome(line).replace('\n', "\n    ")),
    });
    assert_text(name, &outcomes.collect::<String>());
}

/// The executable with the options of a line. A word with spaces is in single quotes. A word in capitals with `=` is
/// a variable.
pub fn command_of(line: &str) -> Command {
    let mut command = command(&[]);
    for (number, text) in line.split('\'').enumerate() {
        let is_quoted = number % 2 == 1;
        let words = if is_quoted { vec![text] } else { text.split_whitespace().collect() };
        for word in words {
            match word.split_once('=') {
                Some((name, value)) if !name.contains(char::is_lowercase) => {
                    command.env(name, value)
                }
                _ => command.arg(word),
            };
        }
    }
    command
}
