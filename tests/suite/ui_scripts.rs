//! Scripts of `ui/` that the build does not run: the check of the contrast, and the picture scripts.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};

use crate::child_process::assert_rejected;
use crate::folder::Folder;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const TOKENS: &str = "ui/src/styles/tokens.css";

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect(name)
}

/// Where tokens.css sets a colour: for the light scheme, and the next time for the dark one.
fn declaration(name: &str, nth: usize) -> Range<usize> {
    let tokens = read(TOKENS);
    let (start, _) = tokens.match_indices(&format!("--color-{name}: ")).nth(nth).expect(name);
    start..start + tokens[start..].find(';').expect("a value") + 1
}

/// A copy of the scripts that read tokens.css, in which `new` replaces the nth declaration of `edge`.
fn copy_with(nth: usize, new: &str) -> Folder {
    let folder = Folder::new();
    for name in [TOKENS, "ui/colors.mjs", "ui/contrast.mjs", "ui/pictures/palette.mjs"] {
        let copy = folder.path().join(name);
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::write(&copy, read(name)).expect("a file");
    }
    let mut tokens = read(TOKENS);
    tokens.replace_range(declaration("edge", nth), new);
    fs::write(folder.path().join(TOKENS), tokens).expect("a file");
    folder
}

fn node(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("node");
    command.args(arguments).current_dir(folder).output().expect("Node.js starts")
}

/// Evaluates a statement that uses the palette of the picture scripts.
fn with_palette(folder: &Path, statement: &str) -> Output {
    let script = format!("import {{ palette }} from './ui/pictures/palette.mjs'; {statement}");
    node(folder, &["--input-type=module", "--eval", &script])
}

/// The message can have several lines: one for each pair of colours, or those of an exception.
fn assert_error(output: &Output, parts: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    for part in parts {
        assert!(message.contains(part), "{message}");
    }
}

/// PAGE-31.
#[test]
fn a_color_below_the_required_contrast_is_an_error() {
    for (nth, new) in [(0, "--color-edge: #fffdf8;"), (1, "--color-edge: #000000;")] {
        let folder = copy_with(nth, new);
        let output = node(folder.path(), &["ui/contrast.mjs"]);
        assert_error(&output, &["edge on ground", "minimum 3"]);
    }
}

#[test]
fn a_color_that_is_not_six_lowercase_digits_is_an_error_that_names_it() {
    // The first one is of the light colours, the others of the dark ones.
    for (nth, new) in [
        (0, "--color-edge: #8D7A6C;"),
        (1, "--color-edge: #000;"),
        (1, "--color-edge: rgb(0 0 0);"),
    ] {
        let folder = copy_with(nth, new);
        assert_error(&node(folder.path(), &["ui/contrast.mjs"]), &[TOKENS, new]);
        assert_error(&with_palette(folder.path(), ""), &[TOKENS, new]);
    }
}

#[test]
fn a_picture_with_an_unknown_color_is_an_error_that_names_it() {
    let script = "console.log(palette['ink-soft'], palette.inc)";
    let output = with_palette(Path::new(ROOT), script);
    assert_error(&output, &[TOKENS, "--color-inc"]);
    let output = with_palette(Path::new(ROOT), "console.log(palette['ink-soft'])");
    let value = String::from_utf8_lossy(&output.stdout);
    let found = format!("--color-ink-soft: {};", value.trim_end());
    assert_eq!(read(TOKENS)[declaration("ink-soft", 0)], found);
}

#[test]
fn an_unknown_argument_of_contrast_is_a_usage_error() {
    for argument in ["--tables", "table"] {
        let mut command = Command::new("node");
        command.args(["ui/contrast.mjs", argument]).current_dir(ROOT);
        assert_rejected(command, 2, &[argument, "usage: node contrast.mjs [--table]"]);
    }
}

/// The text alternative of the picture (PAGE-23) contains the headline of the page.
#[test]
fn the_social_picture_shows_the_headline_of_the_landing_page() {
    let (page, card) = (read("ui/src/app/pages/landing.tsx"), read("ui/pictures/social-card.mjs"));
    let (_, lines) = card.split_once("\nconst HEADLINE = ").expect("the lines of the picture");
    let (lines, _) = lines.split_once(';').expect("an array");
    let lines: Vec<String> = serde_json::from_str(lines).expect("an array of strings");
    assert!(
        page.contains(&format!("\nexport const headline = \"{}\";\n", lines.join(" "))),
        "{lines:?}: change HEADLINE in ui/pictures/social-card.mjs and draw the picture again"
    );
}
