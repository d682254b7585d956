//! What build.rs says to a folder that it cannot use and to a missing Node.js,
//! and that it writes the same bytes wherever it runs. Its executable is the
//! one that Cargo built for this very test.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Folder;

/// The build script: Cargo keeps it beside the folder that it wrote to.
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

/// Runs the build script as Cargo does; its exit code and what it told Cargo.
fn build(out: &Path, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(build_script());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("OUT_DIR", out);
    command.env("SOURCE_DATE_EPOCH", "1795219200").envs(variables.iter().copied());
    let output = command.output().expect("the build script starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn assert_refused(variables: &[(&str, &str)], parts: &[&str]) {
    let out = Folder::new();
    let (code, told) = build(out.path(), variables);
    assert_eq!(code, Some(1), "{told}");
    let errors: Vec<&str> = told.lines().filter(|line| line.starts_with("cargo::error=")).collect();
    assert_eq!(errors.len(), 1, "{told}");
    for part in parts {
        assert!(errors[0].contains(part), "{}", errors[0]);
    }
}

#[test]
fn a_site_folder_without_index_html_is_refused_by_its_name() {
    let empty = Folder::new();
    let name = empty.path().to_str().expect("UTF-8");
    assert_refused(&[("RECIPELOG_SITE_DIR", name)], &[name, "index.html"]);
    assert_refused(&[("RECIPELOG_SITE_DIR", "no/such/folder")], &["no/such/folder", "index.html"]);
}

#[test]
fn a_missing_or_old_node_is_refused_with_the_version_that_is_needed() {
    let programs = Folder::new();
    let path = programs.path().to_str().expect("UTF-8");
    assert_refused(&[("PATH", path)], &["Node.js 20", "no `node`", path]);
    let node = programs.path().join("node");
    fs::write(&node, "#!/bin/sh\necho v18.20.4\n").expect("a script");
    fs::set_permissions(&node, fs::Permissions::from_mode(0o755)).expect("an executable");
    assert_refused(&[("PATH", path)], &["Node.js 20", "v18.20.4"]);
}

#[test]
fn a_date_that_is_none_is_refused() {
    assert_refused(&[("SOURCE_DATE_EPOCH", "yesterday")], &["SOURCE_DATE_EPOCH", "yesterday"]);
}

#[test]
fn two_folders_of_one_site_are_embedded_as_the_same_bytes() {
    let built: Vec<BTreeMap<PathBuf, Vec<u8>>> = (0..2)
        .map(|_| {
            let (site, out) = (Folder::new(), Folder::new());
            for (name, content) in [
                ("index.html", "<title>{{app_name}}</title>".repeat(50)),
                ("app.0123abcd.js", "document.title;".repeat(50)),
                ("sitemap.xml", "{{#origin}}<url>{{origin}}</url>{{/origin}}".to_owned()),
            ] {
                fs::write(site.path().join(name), content).expect("a file");
            }
            let folder = site.path().to_str().expect("UTF-8").to_owned();
            let (code, told) = build(out.path(), &[("RECIPELOG_SITE_DIR", &folder)]);
            assert_eq!(code, Some(0), "{told}");
            let files = fs::read_dir(out.path().join("site")).expect("a site").flatten();
            files
                .map(|file| (file.file_name().into(), fs::read(file.path()).expect("a file")))
                .collect()
        })
        .collect();
    assert_eq!(built[0], built[1]);
    let names: Vec<_> = built[0].keys().map(|name| name.to_str().expect("UTF-8")).collect();
    assert_eq!(
        names,
        [
            "app.0123abcd.js",
            "app.0123abcd.js.br",
            "app.0123abcd.js.gz",
            "index.html",
            "index.html.br",
            "index.html.gz",
        ]
    );
    let html = String::from_utf8_lossy(&built[0][Path::new("index.html")]).into_owned();
    assert!(html.starts_with("<title>RecipeLog</title>"), "{html}");
}
