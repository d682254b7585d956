//! Builds of the site: the build script, as Cargo runs it, and `ui/build.mjs`, which Node.js runs
//! without Cargo too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::child_process::assert_rejected;

/// The executable of the build script. Cargo keeps it next to `OUT_DIR`.
fn build_script() -> PathBuf {
    let builds = Path::new(env!("OUT_DIR")).ancestors().nth(2).expect("Cargo's build folder");
    let scripts =
        fs::read_dir(builds).expect("Cargo's build folder").flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let script = entry.path().join("build-script-build");
            let built = fs::metadata(&script).ok()?.modified().ok()?;
            name.starts_with("recipelog-site-").then_some((built, script))
        });
    scripts.max().expect("a build script").1
}

/// Writes an executable script of the shell. A child process writes it: if this process did, a child
/// that another thread starts meanwhile would have the file open for writing too, and the kernel
/// executes no such file (ETXTBSY of execve(2)).
pub fn write_script(folder: &TempDir, name: &str, script: &str) {
    let mut command = Command::new("sh");
    command.args(["-c", r#"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh"]);
    let status = command.arg(folder.path().join(name)).arg(script).status();
    assert!(status.expect("a shell").success(), "{name}");
}

/// Exit code and output of a build into `out` with these environment variables alone.
fn build(out: &TempDir, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(build_script());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("OUT_DIR", out.path());
    let output = command.envs(variables.iter().copied()).output().expect("the build script starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Asserts that a build with this environment variable ends with one error that contains `parts`.
fn assert_error(variable: &str, value: &str, parts: &[&str]) {
    let (code, text) =
        build(&tempdir().unwrap(), &[("SOURCE_DATE_EPOCH", "1795219200"), (variable, value)]);
    assert_eq!(code, Some(1), "{text}");
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("cargo::error=")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    for part in parts {
        assert!(errors[0].contains(part), "{}", errors[0]);
    }
}

#[test]
fn a_missing_or_old_node_is_an_error_with_the_required_version() {
    let programs = tempdir().unwrap();
    let path = programs.path().to_str().expect("UTF-8");
    assert_error("PATH", path, &["Node.js >=20.19", "No such file", path]);
    for version in ["v20.18.3", "newest"] {
        write_script(&programs, "node", &format!("echo {version}"));
        assert_error("PATH", path, &["Node.js >=20.19", version]);
    }
}

/// Browsers open documents with another extension, which get no policy (WIRE-22, WIRE-23), and a
/// compressed file could be taken for a variant.
#[test]
fn a_folder_that_is_no_site_is_an_error_that_names_the_file() {
    assert_error("RECIPELOG_SITE_DIR", "no/such/folder", &["no/such/folder", "index.html"]);
    for name in ["A.HTML", "c.xhtml", "d.Svg", "e.js.gz"] {
        let site = tempdir().unwrap();
        fs::write(site.path().join("index.html"), "page").expect("a file");
        fs::write(site.path().join(name), "page").expect("a file");
        let folder = site.path().to_str().expect("UTF-8");
        assert_error("RECIPELOG_SITE_DIR", folder, &[name, "rename it"]);
    }
}

/// WIRE-12, WIRE-4.
#[test]
fn a_build_declares_the_date_of_the_source_and_the_content_types() {
    let site = tempdir().unwrap();
    for name in ["index.html", "a.json", "b.xml", "c.webp"] {
        fs::write(site.path().join(name), "content").expect("a file");
    }
    let folder = ("RECIPELOG_SITE_DIR", site.path().to_str().expect("UTF-8"));
    let path = std::env::var("PATH").expect("programs");
    let out = tempdir().unwrap();
    let log = ["log", "-1", "--no-show-signature", "--format=%ct"];
    let mut git = Command::new("git");
    let commit = git.args(log).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("git");
    let commit = String::from_utf8(commit.stdout).expect("UTF-8");
    for (variable, date) in [
        (("SOURCE_DATE_EPOCH", "1000000000"), "1000000000"),
        (("SOURCE_DATE_EPOCH", ""), commit.trim()),
    ] {
        let (code, text) = build(&out, &[("PATH", &path), folder, variable]);
        let line = format!("cargo::rustc-env=RECIPELOG_SOURCE_DATE_EPOCH={date}");
        assert!(code == Some(0) && text.lines().any(|given| given == line), "{line}: {text}");
    }
    let types = fs::read_to_string(out.path().join("content_types.rs")).expect("a file");
    for expected in [
        r#"("json", "application/json; charset=utf-8")"#,
        r#"("xml", "text/xml; charset=utf-8")"#,
        r#"("webp", "image/webp")"#,
    ] {
        assert!(types.contains(expected), "{types}");
    }
}

#[test]
fn a_folder_that_no_build_of_the_site_wrote_is_not_removed() {
    let (cache, out) = (tempdir().unwrap(), tempdir().unwrap());
    // Like `ui/src`.
    let document = out.path().join("index.html");
    fs::write(&document, "<html>").expect("a file");
    let mut build = Command::new("node");
    build.arg("build.mjs").arg(out.path()).arg("--cache").arg(cache.path());
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui"));
    assert_rejected(build, 1, &[out.path().to_str().expect("UTF-8"), "another folder"]);
    assert!(document.exists());
}
