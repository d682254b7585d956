//! `recipelog-site export`: the site as plain files.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use recipelog_site::site::{NOT_FOUND_FILE, Settings, Site};

use crate::child_process::assert_rejected;
use crate::executable::command;
use crate::fixture::{pages, send};
use crate::folder::{Folder, entries};

/// The files below `folder` by their relative path.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let files = entries(folder.path()).into_iter().filter(|path| path.is_file());
    let named = files.map(|path| {
        let name = path.strip_prefix(folder.path()).unwrap().to_str().unwrap();
        (name.to_owned(), fs::read(&path).unwrap())
    });
    named.collect()
}

fn export(folder: &Folder) -> Command {
    let mut command = command(&["export"]);
    command.arg(folder.path());
    command
}

#[test]
fn an_export_contains_the_files_that_the_server_sends() {
    let folder = Folder::new();
    let output = export(&folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let message = String::from_utf8(output.stdout).unwrap();
    let files = files(&folder);
    assert!(message.starts_with(&format!("Wrote {} files", files.len())), "{message}");

    let site = Site::embedded(&Settings::default());
    for (path, file) in [
        ("/", "index.html"),
        ("/privacy", "privacy.html"),
        ("/robots.txt", "robots.txt"),
        ("/.well-known/security.txt", ".well-known/security.txt"),
    ] {
        for (coding, suffix) in [("identity", ""), ("br", ".br"), ("gzip", ".gz")] {
            let response = send(&site, &format!("GET {path}"), &[("accept-encoding", coding)]);
            if response.field("content-encoding").unwrap_or("identity") == coding {
                let name = format!("{file}{suffix}");
                assert!(files.get(&name).is_some_and(|file| *file == response.content), "{name}");
            }
        }
    }
    assert!(files.contains_key(NOT_FOUND_FILE));
    assert!(!files.keys().any(|name| name.contains("healthz")));
}

#[test]
fn the_headers_file_contains_the_header_fields_of_the_server() {
    let folder = Folder::new();
    let output = export(&folder).env("ORIGIN", "https://kitchen.example").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let rules = rules(&fs::read_to_string(folder.path().join("_headers")).unwrap());
    let settings = Settings {
        origin: Some("https://kitchen.example".parse().unwrap()),
        ..Settings::default()
    };
    let site = Site::embedded(&settings);
    for (path, resource) in site.iter().filter(|(path, _)| *path != "/healthz") {
        for (name, value) in resource.headers.iter() {
            let value = value.to_str().unwrap();
            let given: Vec<&String> = ["/*", path]
                .iter()
                .filter_map(|rule| rules.get(*rule)?.get(name.as_str()))
                .collect();
            // A CDN adds Vary itself. If two rules give the same field, a CDN
            // sends both values, and a browser applies both security policies.
            match name.as_str() {
                "vary" => assert!(given.is_empty(), "{path}: {given:?}"),
                "content-security-policy" if path.ends_with(".svg") => {
                    let pages = &rules["/*"][name.as_str()];
                    assert_eq!(given, [pages, value]);
                }
                _ => assert_eq!(given, [value], "{path}: {name}"),
            }
        }
    }
}

/// The rules of a `_headers` file: path → name → value.
fn rules(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut rules = BTreeMap::<String, BTreeMap<String, String>>::new();
    let mut path = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("  ").and_then(|field| field.split_once(": ")) {
            Some((name, value)) => {
                let rule = rules.entry(path.clone()).or_default();
                assert!(rule.insert(name.into(), value.into()).is_none(), "{path}: {name} twice");
            }
            None => path = line.to_owned(),
        }
    }
    rules
}

#[test]
fn the_redirects_file_leads_from_the_file_of_each_page_to_its_path() {
    let folder = Folder::new();
    assert!(export(&folder).status().unwrap().success());
    let site = Site::embedded(&Settings::default());
    let mut expected: Vec<String> = pages(&site)
        .into_iter()
        .map(|path| {
            let file = if path == "/" { "/index.html".to_owned() } else { format!("{path}.html") };
            let redirect = send(&site, &format!("GET {file}"), &[]);
            assert_eq!(redirect.field("location"), Some(&*path), "{file}");
            format!("{file} {path} 301")
        })
        .collect();
    expected.sort_unstable();
    let text = fs::read_to_string(folder.path().join("_redirects")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, expected);
}

#[test]
fn a_folder_that_is_not_empty_is_refused_and_not_changed() {
    let folder = Folder::new();
    fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let name = folder.path().to_str().unwrap();
    assert_rejected(export(&folder), 1, &[name, "is not empty; choose another folder"]);
    assert_eq!(files(&folder).len(), 1);
}
