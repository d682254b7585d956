//! Scripts of `ui/` that the build does not run: the check of the contrast, and the picture scripts.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::folder::Folder;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const TOKENS: &str = "ui/src/styles/tokens.css";

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect(name)
}

/// A copy of the scripts that read tokens.css, in which `old` is replaced by `new` once.
fn copy_with(old: &str, new: &str) -> Folder {
    let folder = Folder::new();
    for name in [TOKENS, "ui/colors.mjs", "ui/contrast.mjs", "ui/pictures/palette.mjs"] {
        let copy = folder.path().join(name);
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::write(&copy, read(name)).expect("a file");
    }
    let tokens = read(TOKENS);
    assert!(tokens.contains(old));
    fs::write(folder.path().join(TOKENS), tokens.replacen(old, new, 1)).expect("a file");
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

fn assert_error(output: &Output, code: i32, parts: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    for part in parts {
        assert!(message.contains(part), "{message}");
    }
}

/// PAGE-31.
#[test]
fn a_color_below_the_required_contrast_is_an_error() {
    for (old, new, pair) in [
        ("--color-edge: #8d7a6c;", "--color-edge: #fffdf8;", "edge on ground"),
        ("--color-edge: #8f7d70;", "--color-edge: #000000;", "edge on ground"),
    ] {
        let folder = copy_with(old, new);
        assert_error(&node(folder.path(), &["ui/contrast.mjs"]), 1, &[pair, "minimum 3"]);
    }
}

#[test]
fn a_color_that_is_not_six_lowercase_digits_is_an_error_that_names_it() {
    // The first one is of the light colours, the others of the dark ones.
    for (old, new) in [
        ("--color-edge: #8d7a6c;", "--color-edge: #8D7A6C;"),
        ("--color-edge: #8f7d70;", "--color-edge: #000;"),
        ("--color-edge: #8f7d70;", "--color-edge: rgb(0 0 0);"),
    ] {
        let folder = copy_with(old, new);
        assert_error(&node(folder.path(), &["ui/contrast.mjs"]), 1, &[TOKENS, new]);
        assert_error(&with_palette(folder.path(), ""), 1, &[TOKENS, new]);
    }
}

#[test]
fn a_picture_with_an_unknown_color_is_an_error_that_names_it() {
    let script = "console.log(palette['ink-soft'], palette.inc)";
    let output = with_palette(Path::new(ROOT), script);
    assert_error(&output, 1, &[TOKENS, "--color-inc"]);
    let output = with_palette(Path::new(ROOT), "console.log(palette['ink-soft'])");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "#67524a\n");
}

#[test]
fn an_unknown_argument_of_contrast_is_a_usage_error() {
    for argument in ["--tables", "table"] {
        let output = node(Path::new(ROOT), &["ui/contrast.mjs", argument]);
        assert_error(&output, 2, &[argument, "usage: node contrast.mjs [--table]"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
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
