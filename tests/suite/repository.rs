//! The rules of the repository (docs/CONTRIBUTING.md). Every id that is cited is defined once, and every promise is named
//! by a test and by the code behind it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::process::skip;

/// The prefixes of ids.
const KINDS: [&str; 3] = ["WIRE", "PAGE", "DECISION"];

/// The ids among the words of `text`.
fn ids(text: &str) -> BTreeSet<&str> {
    let words = text
        .split(|character: char| !matches!(character, '-' | '_') && !character.is_alphanumeric());
    let is_id = |word: &&str| {
        let Some((kind, number)) = word.rsplit_once('-') else { return false };
        KINDS.contains(&kind) && number.parse::<u32>().is_ok()
    };
    words.filter(is_id).collect()
}

/// The ids that headings of a document define: `### WIRE-n` and `### PAGE-n` in the lists of promises,
/// `# DECISION-n: …` in a record.
fn definitions<'a>(path: &Path, text: &'a str) -> Vec<&'a str> {
    let prefix = match path.to_str() {
        Some("docs/http.md" | "docs/pages.md") => "### ",
        _ if path.starts_with("docs/decisions") => "# ",
        _ => return Vec::new(),
    };
    let headings = text.lines().filter_map(|line| line.strip_prefix(prefix)?.split(':').next());
    headings.filter(|name| ids(name).contains(name)).collect()
}

#[test]
fn every_cited_id_is_defined_once() {
    let Some(files) = tracked() else { return };
    let mut defined = BTreeSet::new();
    let mut violations = Vec::new();
    for (path, text) in &files {
        let repeated = definitions(path, text).into_iter().filter(|id| !defined.insert(*id));
        violations.extend(repeated.map(|id| format!("{}: {id} is defined twice", path.display())));
    }
    for kind in KINDS {
        assert!(defined.iter().any(|id| id.starts_with(kind)), "no {kind} id is defined");
    }
    for (path, text) in &files {
        let undefined = ids(text).into_iter().filter(|id| !defined.contains(id));
        violations.extend(undefined.map(|id| format!("{}: {id} is not defined", path.display())));
    }
    assert_none(violations);
}

#[test]
fn every_promise_is_named_by_a_test_and_by_the_code_behind_it() {
    let Some(files) = tracked() else { return };
    let is_code = |id: &str, path: &Path| {
        path.starts_with("src") || (id.starts_with("PAGE") && path.starts_with("ui"))
    };
    let is_test = |id: &str, path: &Path| {
        let is_of_the_browser = id.starts_with("PAGE") && path.starts_with("tests/browser");
        path.starts_with("tests/suite")
            || (is_of_the_browser && path.to_string_lossy().ends_with(".spec.ts"))
    };
    let cited: Vec<_> = files.iter().map(|(path, text)| (path, ids(text))).collect();
    let mut unnamed = Vec::new();
    let promises = files.iter().flat_map(|(path, text)| definitions(path, text));
    for id in promises.filter(|id| !id.starts_with("DECISION")) {
        let is_named = |is_expected: &dyn Fn(&str, &Path) -> bool| {
            cited.iter().any(|(path, ids)| is_expected(id, path) && ids.contains(id))
        };
        if !(is_named(&is_code) && is_named(&is_test)) {
            unnamed.push(format!("{id} is not named by a test, or not by code"));
        }
    }
    assert_none(unnamed);
}

/// Path and text of every tracked text file; `None` in an archive, which has no list of them.
fn tracked() -> Option<Vec<(PathBuf, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join(".git").exists() {
        skip("this folder is no clone");
        return None;
    }
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let listed = output.expect("git starts").stdout;
    let listed = String::from_utf8(listed).expect("names in UTF-8");
    let names = listed.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    // A removed file is listed until the removal is committed. Pictures and fonts
    // are not UTF-8.
    let text = |name: PathBuf| Some((name.clone(), fs::read_to_string(root.join(name)).ok()?));
    Some(names.filter_map(text).collect())
}

fn assert_none(findings: Vec<String>) {
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
    // A path such as /app or /tmp may be part of an address.
    let own = [env!("CARGO_MANIFEST_DIR").to_owned(), home];
    words
        .extend(own.into_iter().filter(|path| path.trim_end_matches('/').matches('/').count() > 1));
    let mut findings = Vec::new();
    let Some(files) = tracked() else { return };
    for (path, text) in files {
        let lines = text.lines().filter(|line| words.iter().any(|word| line.contains(word)));
        findings.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
    }
    assert_none(findings);
}

/// The names of modules after each `crate::` in the product part of `text`.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_end = |character: char| !character.is_alphanumeric() && character != '_';
    product.split("crate::").skip(1).filter_map(move |rest| rest.split(is_end).next())
}

#[test]
fn a_layer_imports_what_the_table_of_layers_lists_and_only_from_below() {
    let Some(files) = tracked() else { return };
    let page = files.iter().find(|(path, _)| path == Path::new("docs/architecture.md"));
    let rows = page.expect("a page").1.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `src/")?.split(" | ");
        let layer = cells.next()?.trim_end_matches('`').trim_end_matches(".rs");
        let listed: BTreeSet<_> = cells.next()?.split('`').skip(1).step_by(2).collect();
        let is_shared = cells.next()?.contains("may be used by every layer");
        // `main.rs` sees only what is public.
        (layer != "main").then_some((layer, listed, is_shared))
    });
    let rows: Vec<_> = rows.collect();
    let mut findings = Vec::new();
    for (index, (layer, listed, _)) in rows.iter().enumerate() {
        let [file, folder] = [format!("src/{layer}.rs"), format!("src/{layer}")];
        let is_part = |path: &Path| path.starts_with(&folder) || path == Path::new(&file);
        let texts = files.iter().filter(|(path, _)| is_part(path)).map(|(_, text)| text);
        let imported: BTreeSet<_> =
            texts.flat_map(|text| imports(text)).filter(|name| name != layer).collect();
        let below = &rows[index..];
        for name in &imported {
            let found = below.iter().find(|(other, ..)| other == name);
            if !found.is_some_and(|(_, _, is_shared)| *is_shared || listed.contains(name)) {
                findings
                    .push(format!("src/{layer} imports {name}, which is not listed or not below"));
            }
        }
        let unused = listed.difference(&imported);
        findings.extend(unused.map(|name| format!("src/{layer} does not import {name}")));
    }
    assert!(rows.len() > 10, "{rows:?}");
    assert_none(findings);
}
