//! The rules of the repository (docs/CONTRIBUTING.md). `citations` has those for ids.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Path and text of every tracked text file.
pub fn tracked() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let listed = output.expect("git starts").stdout;
    let listed = String::from_utf8(listed).expect("names in UTF-8");
    let names = listed.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    // A removed file is listed until the removal is committed. Pictures and fonts
    // are not UTF-8.
    names
        .filter_map(|name| Some((name.clone(), fs::read_to_string(root.join(name)).ok()?)))
        .collect()
}

pub fn assert_none(findings: Vec<String>) {
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// The lines of `text` that contain one of `words`, with path and line number.
fn lines_with(path: &Path, text: &str, words: &[String]) -> Vec<String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| words.iter().any(|word| line.contains(word.as_str())))
        .map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim()))
        .collect()
}

/// Joins the halves of words. Written in halves, the words are not found in this file.
fn words<const N: usize>(halves: [(&str, &str); N]) -> Vec<String> {
    halves.map(|(first, second)| format!("{first}{second}")).into()
}

#[test]
fn no_tracked_file_contains_a_package_registry_or_an_absolute_path_of_this_machine() {
    let root = env!("CARGO_MANIFEST_DIR").to_owned();
    let home = std::env::var("HOME").unwrap_or_default();
    let mut words = words([
        ("registry.npm", "js.org"),
        ("registry.yarn", "pkg.com"),
        ("index.crates", ".io"),
        ("npm.pkg.git", "hub.com"),
    ]);
    // Without the slash, "/root" would be found in "/root-element".
    words.extend([root, home + "/"].into_iter().filter(|path| path.len() > 2));
    let findings = tracked().into_iter().flat_map(|(path, text)| lines_with(&path, &text, &words));
    assert_none(findings.collect());
}

#[test]
fn no_lockfile_names_the_source_of_a_package() {
    let words = words([("\"resol", "ved\": \"http")]);
    let lockfiles = tracked().into_iter().filter(|(path, _)| path.ends_with("package-lock.json"));
    assert_none(lockfiles.flat_map(|(path, text)| lines_with(&path, &text, &words)).collect());
}
