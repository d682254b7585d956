//! The rules of the repository (docs/CONTRIBUTING.md); `citations` has the rules for ids.

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

#[test]
fn no_tracked_file_contains_a_package_registry_or_an_absolute_path_of_this_machine() {
    let home = std::env::var("HOME").unwrap_or_default() + "/";
    // Written in halves, the words are not found in this file.
    let mut words = [
        ("registry.npm", "js.org"),
        ("registry.yarn", "pkg.com"),
        ("index.crates", ".io"),
        ("npm.pkg.git", "hub.com"),
        // Lockfiles contain no source of a package.
        ("\"resol", "ved\": \"http"),
    ]
    .map(|(first, second)| format!("{first}{second}"))
    .to_vec();
    // Without the slash, "/root" would be found in "/root-element".
    words.extend(
        [env!("CARGO_MANIFEST_DIR").to_owned(), home].into_iter().filter(|path| path.len() > 2),
    );
    let mut findings = Vec::new();
    for (path, text) in tracked() {
        let lines = text.lines().filter(|line| words.iter().any(|word| line.contains(word)));
        findings.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
    }
    assert_none(findings);
}
