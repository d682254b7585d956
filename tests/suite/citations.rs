//! DECISION-14: ids of promises and decisions. Every cited id is defined, every promise is
//! named by a test and by the code behind it, and every decision by what carries it out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::tidy::{assert_none, product, tracked};

/// The prefixes of ids.
const KINDS: [&str; 3] = ["HTTP", "PAGE", "DECISION"];

/// Prefix and number.
type Id = (&'static str, u32);

/// The id at the start of `text`, if it ends at the boundary of a word, and the
/// text after it.
fn split_id(text: &str) -> Option<(Id, &str)> {
    KINDS.into_iter().find_map(|kind| {
        let number = text.strip_prefix(kind)?.strip_prefix('-')?;
        let end = number.find(|character: char| !character.is_ascii_digit());
        let (digits, rest) = number.split_at(end.unwrap_or(number.len()));
        let id = (kind, digits.parse().ok()?);
        (!rest.starts_with(is_of_a_word)).then_some((id, rest))
    })
}

fn is_of_a_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Every id in `text`, and the text after it.
fn citations(text: &str) -> impl Iterator<Item = (Id, &str)> {
    let starts = text.char_indices().scan(' ', |previous, (index, character)| {
        let is_start = !is_of_a_word(*previous);
        *previous = character;
        Some(is_start.then_some(index))
    });
    starts.flatten().filter_map(|index| split_id(&text[index..]))
}

fn ids(text: &str) -> BTreeSet<Id> {
    citations(text).map(|(id, _)| id).collect()
}

/// True if `rest`, the text after an id, makes the id the start of a range. A search
/// for an id within a range would not find it.
fn continues_as_range(rest: &str) -> bool {
    let mut separators = [" to ", "-", "–", " – ", "..."].into_iter();
    separators
        .any(|separator| rest.strip_prefix(separator).is_some_and(|end| split_id(end).is_some()))
}

/// The ids that headings of a document define: `### HTTP-n` and `### PAGE-n`
/// alone in the lists of promises, `# DECISION-n: …` in a record.
fn definitions(path: &Path, text: &str) -> Vec<Id> {
    let (marker, kind, is_record) = match path.to_str() {
        Some("docs/http.md") => ("### ", "HTTP", false),
        Some("docs/pages.md") => ("### ", "PAGE", false),
        _ if path.starts_with("docs/decisions") => ("# ", "DECISION", true),
        _ => return Vec::new(),
    };
    let headings = text.lines().filter_map(|line| split_id(line.strip_prefix(marker)?));
    let definitions = headings.filter(|(id, title)| {
        id.0 == kind && if is_record { title.starts_with(": ") } else { title.is_empty() }
    });
    definitions.map(|(id, _)| id).collect()
}

/// True if the tests of a promise of this kind are in files such as this one.
fn contains_tests_of(kind: &str, path: &Path) -> bool {
    let is_spec = path.to_str().is_some_and(|path| path.ends_with(".spec.ts"));
    path.starts_with("tests/suite")
        || (kind == "PAGE" && path.starts_with("tests/browser") && is_spec)
}

/// True if the code behind a promise of this kind, or behind a decision, is in files such
/// as this one.
fn contains_code_of(kind: &str, path: &Path) -> bool {
    match kind {
        "HTTP" => path.starts_with("src"),
        "PAGE" => path.starts_with("src") || path.starts_with("ui"),
        _ => {
            !path.starts_with("docs") && path.extension().is_none_or(|extension| extension != "md")
        }
    }
}

#[test]
fn ids_are_found_as_whole_words() {
    // Concatenated, because a whole id in this file would count as named by a test.
    let (first, second) = ("HT".to_owned() + "TP-1", "PA".to_owned() + "GE-23");
    for (text, expected) in [
        (format!("{first}, {second}."), &[("HTTP", 1), ("PAGE", 23)][..]),
        (format!("({first}, [{first}](http.md))"), &[("HTTP", 1)]),
        (format!("{first}x X{first} _{first} {first}_"), &[]),
        ("HTTP-n HTTP-m HTTP/1.1 HTTP-".to_owned(), &[]),
    ] {
        assert_eq!(ids(&text).into_iter().collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn every_cited_id_is_defined_once() {
    let files = tracked();
    let mut defined = BTreeSet::new();
    let mut violations = Vec::new();
    for (path, text) in &files {
        for (kind, number) in definitions(path, text) {
            if !defined.insert((kind, number)) {
                violations.push(format!("{}: {kind}-{number} is defined twice", path.display()));
            }
        }
    }
    for kind in KINDS {
        assert!(defined.iter().any(|id| id.0 == kind), "no {kind} id is defined");
    }
    for (path, text) in &files {
        let undefined = ids(text).into_iter().filter(|id| !defined.contains(id));
        violations.extend(undefined.map(|(kind, number)| {
            format!("{}: {kind}-{number} is not defined in docs", path.display())
        }));
    }
    assert_none(violations);
}

#[test]
fn no_citation_is_a_range_of_ids() {
    let mut violations = Vec::new();
    for (path, text) in &tracked() {
        let ranges = citations(text).filter(|(_, rest)| continues_as_range(rest));
        violations.extend(ranges.map(|((kind, number), _)| {
            format!("{}: a range that begins with {kind}-{number}", path.display())
        }));
    }
    assert_none(violations);
}

/// The ids that no file names for which `is_expected` is true. `text` returns the part of a
/// file that counts.
fn unnamed<'a>(
    files: &'a [(PathBuf, String)],
    is_expected: impl Fn(&str, &Path) -> bool,
    text: impl Fn(&'a str) -> &'a str,
) -> BTreeSet<Id> {
    let defined = files.iter().flat_map(|(path, text)| definitions(path, text));
    let named: BTreeSet<Id> = files
        .iter()
        .flat_map(|(path, whole)| {
            let ids = ids(text(whole)).into_iter();
            ids.filter(|(kind, _)| is_expected(kind, path)).collect::<Vec<_>>()
        })
        .collect();
    defined.filter(|id| !named.contains(id)).collect()
}

#[test]
fn every_promise_is_named_by_a_test() {
    let files = tracked();
    let unnamed = unnamed(&files, contains_tests_of, |text| text);
    let promises = unnamed.into_iter().filter(|(kind, _)| *kind != "DECISION");
    assert_none(promises.map(|(kind, number)| format!("no test names {kind}-{number}")).collect());
}

#[test]
fn every_promise_and_every_decision_is_named_by_the_code_behind_it() {
    let files = tracked();
    let mut unnamed = unnamed(&files, contains_code_of, product);
    unnamed.retain(|id| !superseded(&files).contains(id));
    let missing = |(kind, number)| format!("no code names {kind}-{number}");
    assert_none(unnamed.into_iter().map(missing).collect());
}

#[test]
fn no_code_names_a_superseded_decision() {
    let files = tracked();
    let superseded = superseded(&files);
    let mut violations = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| contains_code_of("DECISION", path)) {
        let named = ids(text).into_iter().filter(|id| superseded.contains(id));
        violations
            .extend(named.map(|(kind, number)| {
                format!("{}: {kind}-{number} is superseded", path.display())
            }));
    }
    assert_none(violations);
}

/// The decisions that no longer hold.
fn superseded(files: &[(PathBuf, String)]) -> BTreeSet<Id> {
    let files = files.iter().filter(|(_, text)| text.contains("\nStatus: superseded by "));
    files.flat_map(|(path, text)| definitions(path, text)).collect()
}
