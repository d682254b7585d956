//! Every id that is cited is defined once, and every promise is named by a test and by the
//! code behind it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::tidy::{assert_none, tracked};

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
    let files = tracked();
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
    let files = tracked();
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
