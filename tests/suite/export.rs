//! `recipelog-site export`: the site as plain files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use recipelog_site::http::Front;
use recipelog_site::site::{NOT_FOUND_FILE, Settings, Site};
use tempfile::{TempDir, tempdir};
use walkdir::WalkDir;

use crate::support::process::command;
use crate::support::site::{pages, send};
use crate::support::texts::{assert_outcomes, command_of};

/// The files below `folder` by their relative path.
fn files(folder: &TempDir) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(folder.path()).into_iter().map(|entry| entry.unwrap().into_path());
    let named = entries.filter(|path| path.is_file()).map(|path| {
        let name = path.strip_prefix(folder.path()).unwrap().to_str().unwrap();
        (name.to_owned(), fs::read(&path).unwrap())
    });
    named.collect()
}

fn export(folder: &TempDir) -> Command {
    let mut command = command(&["export"]);
    command.arg(folder.path());
    command
}

#[test]
fn an_export_contains_the_files_and_redirects_that_the_server_sends() {
    let folder = tempdir().unwrap();
    let output = export(&folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the contact form sends nothing; set --contact-url"), "{said}");
    let message = String::from_utf8(output.stdout).unwrap();
    let files = files(&folder);
    assert!(message.starts_with(&format!("Wrote {} files", files.len())), "{message}");
    // `rsync` and `aws s3 sync` compare size and date, which is that of the source.
    let version = String::from_utf8(command(&["--version"]).output().unwrap().stdout).unwrap();
    let modified = |name: &String| fs::metadata(folder.path().join(name))?.modified();
    let dates: BTreeSet<_> = files.keys().map(|name| modified(name).unwrap()).collect();
    // `Fri, 20 Nov 2026 12:21:53 GMT`
    let date = httpdate::fmt_http_date(*dates.first().unwrap());
    assert!(dates.len() == 1 && version.contains(&date[5..16]), "{version} {dates:?}");

    let front = Front::from(Site::embedded(&Settings::default()));
    let site = &front.site;
    for (path, file) in [
        ("/", "index.html"),
        ("/privacy", "privacy.html"),
        ("/robots.txt", "robots.txt"),
        ("/.well-known/security.txt", ".well-known/security.txt"),
    ] {
        for (coding, suffix) in [("identity", ""), ("br", ".br"), ("gzip", ".gz")] {
            let response = send(&front, &format!("GET {path}"), &[("accept-encoding", coding)]);
            if response.field("content-encoding").unwrap_or("identity") == coding {
                let name = format!("{file}{suffix}");
                assert!(files.get(&name).is_some_and(|file| *file == response.content), "{name}");
            }
        }
    }
    assert!(files.contains_key(NOT_FOUND_FILE));
    // With their defaults, nginx, Apache, Caddy and Python send this file for a page whose address is typed.
    for suffix in ["", ".gz"] {
        let page = |name: &str| files.get(&format!("{name}{suffix}")).expect("an exported file");
        assert_eq!(page("privacy/index.html"), page("privacy.html"));
    }
    assert!(!files.contains_key("404/index.html") && !files.contains_key("index/index.html"));
    assert!(!files.keys().any(|name| name.contains("healthz")));
    let text = String::from_utf8(files["_redirects"].clone()).unwrap();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [from, to, "301"] = words[..] else { panic!("{line}") };
        assert_eq!(send(&front, &format!("GET {from}"), &[]).field("location"), Some(to));
    }
    for path in pages(site) {
        let file = if path == "/" { "/index.html".to_owned() } else { format!("{path}.html") };
        assert!(text.contains(&format!("{file} {path} 301\n")), "{file}");
    }
    assert!(text.contains("/contact-us /contact 301\n"), "{text}");
}

#[test]
fn the_headers_file_contains_the_header_fields_of_the_server() {
    let folder = tempdir().unwrap();
    assert!(export(&folder).env("ORIGIN", "https://kitchen.example").status().unwrap().success());
    let rules = rules(&fs::read_to_string(folder.path().join("_headers")).unwrap());
    let origin = Some("https://kitchen.example".parse().unwrap());
    let front = Front::from(Site::embedded(&Settings { origin, ..Settings::default() }));
    let site = &front.site;
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
                // An owner's own document, too, such as the one with which Google verifies a site.
                "content-security-policy" if path.ends_with(".svg") || path.ends_with(".html") => {
                    let pages = &rules["/*"][name.as_str()];
                    assert_eq!(given, [pages, value]);
                }
                _ => assert_eq!(given, [value], "{path}: {name}"),
            }
        }
    }
}

/// A line is options of the server. Below it are the origin of the site, and how long it requires HTTPS.
#[test]
fn the_origin_and_the_time_of_hsts_follow_from_the_options() {
    assert_outcomes("origins", |line| {
        let folder = tempdir().unwrap();
        let export = format!("export {} {line}", folder.path().display());
        assert!(command_of(&export).status().unwrap().success(), "{line}");
        let found = |name, start: &str| {
            let text = fs::read_to_string(folder.path().join(name)).unwrap();
            let line = text.lines().find(|line| line.trim().starts_with(start));
            line.map_or_else(|| format!("no {start}"), |line| line.trim().to_owned())
        };
        let [origin, hsts] = [("robots.txt", "Sitemap"), ("_headers", "strict-transport-security")];
        [origin, hsts].map(|(name, start)| found(name, start)).join("\n")
    });
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
