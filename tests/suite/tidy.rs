//! The rules of the repository (CONTRIBUTING.md). `citations` has those for ids.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::import_graph;

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

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rs" | "ts" | "tsx" | "css" | "mjs"))
}

/// The part of a Rust file before its unit tests. Other files are returned whole.
pub fn product(text: &str) -> &str {
    text.split_once("\nmod tests {").map_or(text, |(product, _)| product)
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
    halves.iter().map(|(first, second)| format!("{first}{second}")).collect()
}

#[test]
fn git_lists_this_file() {
    assert!(tracked().iter().any(|(path, _)| path.ends_with("tests/suite/tidy.rs")));
}

/// Name and text of the files below `src`, without lib.rs and main.rs.
fn modules_of_the_library() -> Vec<(String, String)> {
    let files = tracked().into_iter().filter_map(|(path, text)| {
        let name = path.strip_prefix("src").ok()?.to_str()?.replace('\\', "/");
        let is_module = name.ends_with(".rs") && !matches!(&*name, "lib.rs" | "main.rs");
        is_module.then_some((name, text))
    });
    files.collect()
}

/// Name and text of the files that build.rs includes.
fn modules_of_the_build_script() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = fs::read_to_string(root.join("build.rs")).expect("build.rs");
    let paths = script.lines().filter_map(|line| {
        Some(Path::new(line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]")?))
    });
    let modules = paths.map(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        (name.to_owned(), fs::read_to_string(root.join(path)).expect("a module"))
    });
    modules.collect()
}

#[test]
fn no_imports_form_a_circle_or_come_from_the_mod_rs_of_an_enclosing_folder() {
    let roots = [("src", modules_of_the_library()), ("build", modules_of_the_build_script())];
    let violations = roots.iter().flat_map(|(root, modules)| {
        assert!(!modules.is_empty(), "{root} has no module");
        let modules: Vec<(&str, &str)> =
            modules.iter().map(|(name, text)| (name.as_str(), product(text))).collect();
        import_graph::violations(root, &modules)
    });
    assert_none(violations.collect());
}

/// The table of layers in docs/architecture.md: imports of each layer, and the layers that
/// every layer may import.
fn documented_layers() -> (import_graph::Graph, BTreeSet<String>) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(document).expect("docs/architecture.md");
    let mut layers = import_graph::Graph::new();
    let mut common = BTreeSet::new();
    for row in text.lines().filter_map(|line| line.strip_prefix("| `src/")) {
        let mut cells = row.split('|');
        let mut cell = || cells.next().expect("three cells");
        let name = cell().trim_end_matches("` ").trim_end_matches(".rs").to_owned();
        // Names are code: every second part between backticks.
        let imports = cell().split('`').skip(1).step_by(2).map(str::to_owned).collect();
        if cell().contains("may be used by every layer") {
            common.insert(name.clone());
        }
        layers.insert(name, imports);
    }
    (layers, common)
}

#[test]
fn layers_import_what_the_architecture_names() {
    let modules = modules_of_the_library();
    let mut modules: Vec<(&str, String)> =
        modules.iter().map(|(name, text)| (name.as_str(), product(text).to_owned())).collect();
    let main = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs"));
    // For the executable, the library is a crate of its own.
    modules.push(("main.rs", main.expect("main.rs").replace("recipelog_site::", "crate::")));
    let modules: Vec<(&str, &str)> =
        modules.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (documented, common) = documented_layers();
    let mut layers = import_graph::imports_between_layers(&modules);
    for imports in layers.values_mut() {
        imports.retain(|layer| !common.contains(layer));
    }
    assert_eq!(layers, documented, "src (left), the table in docs/architecture.md (right)");
}

#[test]
fn every_rust_file_begins_with_a_docstring() {
    let undocumented = tracked().into_iter().filter(|(path, text)| {
        path.extension().is_some_and(|extension| extension == "rs") && !text.starts_with("//! ")
    });
    assert_none(undocumented.map(|(path, _)| path.display().to_string()).collect());
}

#[test]
fn no_marker_of_unfinished_work_remains() {
    let markers = words([("TO", "DO"), ("FIX", "ME"), ("XX", "X")]);
    let stubs = words([
        ("dbg", "!("),
        ("todo", "!("),
        ("unimplemented", "!("),
        ("#[ign", "ore"),
        ("test.sk", "ip("),
        ("test.fix", "me("),
        ("test.on", "ly("),
    ]);
    let sources = tracked().into_iter().filter(|(path, _)| is_source(path));
    let findings = sources.flat_map(|(path, text)| {
        let comments: Vec<&str> =
            text.lines().map(|line| line.split_once("//").map_or("", |parts| parts.1)).collect();
        let mut findings = lines_with(&path, &comments.join("\n"), &markers);
        findings.extend(lines_with(&path, &text, &stubs));
        findings
    });
    assert_none(findings.collect());
}

#[test]
fn the_product_contains_no_unwrap_panic_or_unsafe_block() {
    let words = words([(".unw", "rap()"), ("pan", "ic!("), ("unsa", "fe {")]);
    let sources = tracked().into_iter().filter(|(path, _)| path.starts_with("src"));
    assert_none(
        sources.flat_map(|(path, text)| lines_with(&path, product(&text), &words)).collect(),
    );
}

#[test]
fn no_file_has_a_vague_name() {
    let names =
        words([("ut", "ils"), ("help", "ers"), ("mana", "ger"), ("comm", "on"), ("mi", "sc")]);
    let vague = tracked().into_iter().filter(|(path, _)| {
        path.file_stem().is_some_and(|stem| names.iter().any(|name| stem == name.as_str()))
    });
    assert_none(vague.map(|(path, _)| path.display().to_string()).collect());
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
