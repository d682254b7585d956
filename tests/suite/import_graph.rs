//! The imports between the files of a source folder, and the two rules for them:
//! the files of a folder do not import each other in a circle, and no file imports
//! from the face (`mod.rs`) of a folder that contains it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A module path below the root of a crate; empty for the root.
type Module = Vec<String>;

/// The edges of a folder: a file or subfolder, and those that it imports.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The violations of the two rules above. `files` contains the name of each file,
/// relative to the folder `root`, and its text. The caller omits the root module,
/// such as `lib.rs`. Inline modules are not supported.
pub fn violations(root: &str, files: &[(&str, &str)]) -> Vec<String> {
    let modules: BTreeSet<Module> = files.iter().map(|(name, _)| module(name)).collect();
    let mut graphs = BTreeMap::<Module, Graph>::new();
    let mut violations = Vec::new();
    for (name, text) in files {
        let importer = module(name);
        for path in paths(text) {
            let imported = absolute(&importer, &path);
            let common = importer.iter().zip(&imported).take_while(|(a, b)| a == b).count();
            // A file imports from itself, or a face from its own folder.
            if common == importer.len() {
                continue;
            }
            let folder = &importer[..common];
            match imported.get(common) {
                Some(child) if modules.contains(&imported[..=common]) => {
                    let edges = graphs.entry(folder.to_vec()).or_default();
                    edges.entry(importer[common].clone()).or_default().insert(child.clone());
                }
                _ => violations.push(format!(
                    "{root}/{name}: `{}` comes from the face of a folder that contains this \
                     file; import it from the file that defines it",
                    path.join("::")
                )),
            }
        }
    }
    for (folder, graph) in &graphs {
        let folder = [&[root.to_owned()], &folder[..]].concat().join("/");
        violations.extend(
            circles(graph)
                .into_iter()
                .map(|circle| format!("{folder}: circle of imports {circle}")),
        );
    }
    violations
}

/// The files and folders at the root, each with those that it imports. The names and
/// texts in `files` are as in [`violations`].
pub fn imports_between_layers(files: &[(&str, &str)]) -> Graph {
    let mut layers = Graph::new();
    for (name, text) in files {
        let importer = module(name);
        let imports = layers.entry(importer[0].clone()).or_default();
        let imported = paths(text).into_iter().map(|path| absolute(&importer, &path));
        let layer = |path: Module| path.into_iter().next().filter(|layer| *layer != importer[0]);
        imports.extend(imported.filter_map(layer));
    }
    layers
}

/// `[site, cache]` for `site/cache.rs`, and `[site]` for `site/mod.rs`.
fn module(name: &str) -> Module {
    let name = name.strip_suffix(".rs").unwrap_or(name);
    name.strip_suffix("/mod").unwrap_or(name).split('/').map(str::to_owned).collect()
}

/// The module path that `path`, which starts with `crate` or `super`, has below
/// the root.
fn absolute(importer: &[String], path: &[String]) -> Module {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    let kept = if supers == 0 { 0 } else { importer.len().saturating_sub(supers) };
    let rest = path[supers.max(1)..].iter().filter(|segment| !matches!(&***segment, "self" | "*"));
    importer[..kept].iter().chain(rest).cloned().collect()
}

/// Every circle once, starting with its alphabetically first name: `fields → resource → fields`.
fn circles(graph: &Graph) -> BTreeSet<String> {
    graph.keys().filter_map(|start| shortest_circle(graph, start)).collect()
}

fn shortest_circle(graph: &Graph, start: &str) -> Option<String> {
    let mut queue = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = queue.pop_front() {
        for next in graph.get(*path.last()?).into_iter().flatten() {
            if next == start {
                let first = path.iter().enumerate().min_by_key(|(_, name)| **name)?.0;
                let circle = path[first..].iter().chain(&path[..=first]);
                return Some(circle.copied().collect::<Vec<_>>().join(" → "));
            }
            if seen.insert(next) {
                queue.push_back([&path[..], &[next.as_str()]].concat());
            }
        }
    }
    None
}

/// Every path in `text` that starts with `crate::` or `super::`, in `use`
/// declarations and elsewhere.
fn paths(text: &str) -> Vec<Vec<String>> {
    let tokens = tokens(text);
    let mut paths = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_path = matches!(&**token, "crate" | "super")
            && tokens.get(index + 1).is_some_and(|next| next == "::");
        // `pub(in crate::site)` is a visibility.
        let is_visibility = tokens[..index].ends_with(&["(".to_owned(), "in".to_owned()]);
        let is_continued = tokens[..index].ends_with(&["::".to_owned()]);
        if is_path && !is_visibility && !is_continued {
            read_tree(&tokens, index, Vec::new(), &mut paths);
        }
    }
    paths
}

/// Reads the use tree at `index` and returns the index after it.
fn read_tree(
    tokens: &[String],
    index: usize,
    mut prefix: Vec<String>,
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let token = tokens.get(index).map_or("", String::as_str);
    if token == "{" {
        let mut index = index + 1;
        while let Some(token) = tokens.get(index).filter(|token| *token != "}") {
            index = match token.as_str() {
                "," => index + 1,
                // `name as other`
                "as" => index + 2,
                _ => read_tree(tokens, index, prefix.clone(), paths),
            };
        }
        return index + 1;
    }
    // `path::<Type>`, or the end of the file.
    if token.is_empty() || token == "<" {
        paths.push(prefix);
        return index + 1;
    }
    prefix.push(token.to_owned());
    if tokens.get(index + 1).is_some_and(|next| next == "::") {
        return read_tree(tokens, index + 2, prefix, paths);
    }
    paths.push(prefix);
    index + 1
}

/// Identifiers, `::` and single characters, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let identifier = rest
            .find(|character: char| !character.is_alphanumeric() && character != '_')
            .unwrap_or(rest.len());
        let length = if let Some(length) = literal_or_comment(rest) {
            length
        } else if identifier > 0 {
            tokens.push(rest[..identifier].to_owned());
            identifier
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !character.is_whitespace() {
                tokens.push(character.to_string());
            }
            character.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the comment, string or character at the start of `text`.
fn literal_or_comment(text: &str) -> Option<usize> {
    let until = |end: &str, from: usize| {
        text[from..].find(end).map_or(text.len(), |found| from + found + end.len())
    };
    if text.starts_with("//") {
        return Some(until("\n", 2));
    }
    if text.starts_with("/*") {
        return Some(until("*/", 2));
    }
    let raw = text.strip_prefix("br").or_else(|| text.strip_prefix('r'));
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return Some(until(&end, text.len() - raw.len() + hashes + 1));
        }
    }
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let mut characters = text.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        // A lifetime, not a character.
        if quote == '\'' && index > 1 && !text.starts_with("'\\") && character != '\'' {
            return None;
        }
        match character {
            '\\' => drop(characters.next()),
            _ if character == quote => return Some(index + 1),
            _ => {}
        }
    }
    None
}

fn assert_violations(files: &[(&str, &str)], expected: &[&str]) {
    let violations = violations("src", files);
    assert_eq!(violations.len(), expected.len(), "{files:?}: {violations:#?}");
    for (violation, part) in violations.iter().zip(expected) {
        assert!(violation.contains(part), "{violation} does not contain {part}");
    }
}

#[test]
fn a_circle_of_imports_is_found_in_any_folder() {
    assert_violations(
        &[
            ("site/mod.rs", "mod a; mod b; pub use a::A;"),
            ("site/a.rs", "use super::b::B;"),
            ("site/b.rs", "fn f() -> super::a::A {}"),
        ],
        &["src/site: circle of imports a → b → a"],
    );
    assert_violations(
        &[("a.rs", "use crate::{c, d};"), ("b.rs", "use super::a;"), ("c.rs", "use crate::b::B;")],
        &["crate::d", "src: circle of imports a → c → b → a"],
    );
    assert_violations(
        &[
            ("http/mod.rs", "use crate::site::Site;"),
            ("http/a.rs", ""),
            ("site/mod.rs", ""),
            ("site/deep/mod.rs", ""),
            ("site/deep/b.rs", "fn f() { crate::http::a::g::<u8>() }"),
        ],
        &["src: circle of imports http → site → http"],
    );
}

#[test]
fn an_import_from_the_mod_rs_of_an_enclosing_folder_is_found() {
    let folder = [("site/mod.rs", ""), ("site/file.rs", ""), ("site/deep/mod.rs", "")];
    for text in [
        "use super::File;",
        "use super::{file, File};",
        "use super::{file::{self, Other}, File as Another};",
        "use super::*;",
        "use crate::site::File;",
        "impl super::File {}",
        "const LIFETIME: &'static str = \"{\"; type A<'a> = super::File<'a>;",
    ] {
        assert_violations(&[&folder[..], &[("site/a.rs", text)]].concat(), &["src/site/a.rs"]);
    }
    let nested = ("site/deep/b.rs", "use super::super::File;");
    assert_violations(&[&folder[..], &[nested]].concat(), &["src/site/deep/b.rs"]);
}

#[test]
fn imports_without_a_circle_and_not_from_an_enclosing_mod_rs_are_allowed() {
    assert_violations(
        &[
            ("http/mod.rs", "mod a; pub use a::A;"),
            ("http/a.rs", "use std::fmt; use crate::site::{File, file as f};"),
            ("site/mod.rs", "mod file; pub use self::file::File;"),
            ("site/file.rs", "pub(super) struct File; // super::Comment"),
            ("site/deep/e.rs", "pub(in crate::site) struct Type;"),
            ("site/b.rs", "use super::file::{self, File}; const A: &str = \"super::Text\";"),
            (
                "site/c.rs",
                "const B: &str = r#\"\"super::Raw\"#; const C: char = '\"'; /* super::X */",
            ),
            ("site/deep/mod.rs", "mod d;"),
            ("site/deep/d.rs", "use super::super::file::File;"),
        ],
        &[],
    );
}
