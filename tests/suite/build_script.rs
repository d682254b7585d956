//! The build script: its error messages, and the files that it writes. The tests
//! run the executable that Cargo compiled for this test.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;

use crate::folder::Folder;

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

/// Runs the build script as Cargo does. Returns its exit code and its output.
fn build(out: &Path, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(build_script());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("OUT_DIR", out);
    command.env("SOURCE_DATE_EPOCH", "1795219200").envs(variables.iter().copied());
    let output = command.output().expect("the build script starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn assert_error(variables: &[(&str, &str)], parts: &[&str]) {
    let out = Folder::new();
    let (code, messages) = build(out.path(), variables);
    assert_eq!(code, Some(1), "{messages}");
    let errors: Vec<&str> =
        messages.lines().filter(|line| line.starts_with("cargo::error=")).collect();
    assert_eq!(errors.len(), 1, "{messages}");
    for part in parts {
        assert!(errors[0].contains(part), "{}", errors[0]);
    }
}

#[test]
fn a_site_folder_without_index_html_is_an_error_that_names_it() {
    let empty = Folder::new();
    let name = empty.path().to_str().expect("UTF-8");
    assert_error(&[("RECIPELOG_SITE_DIR", name)], &[name, "index.html"]);
    assert_error(&[("RECIPELOG_SITE_DIR", "no/such/folder")], &["no/such/folder", "index.html"]);
}

#[test]
fn a_missing_or_old_node_is_an_error_with_the_required_version() {
    let programs = Folder::new();
    let path = programs.path().to_str().expect("UTF-8");
    assert_error(&[("PATH", path)], &["Node.js 20.19", "no `node`", path]);
    for version in ["v18.20.4", "v20.18.3", "newest"] {
        programs.write_script("node", &format!("echo {version}"));
        assert_error(&[("PATH", path)], &["Node.js 20.19", version]);
    }
}

#[test]
fn an_invalid_source_date_is_an_error() {
    // The last one is a date in milliseconds; the one before it is in the year 10000.
    for date in ["yesterday", "-1", "253402300800", "1795219200000"] {
        assert_error(&[("SOURCE_DATE_EPOCH", date)], &["SOURCE_DATE_EPOCH", date, "seconds"]);
    }
}

/// Browsers open them as documents, and only the two extensions get a policy (HTTP-22, HTTP-23).
/// A compressed file could be taken for a variant.
#[test]
fn a_document_or_a_compressed_file_with_another_extension_is_an_error_that_names_it() {
    for name in ["A.HTML", "b.htm", "c.xhtml", "d.Svg", "e.js.gz", "f.br"] {
        let site = Folder::new();
        fs::write(site.path().join("index.html"), "page").expect("a file");
        fs::write(site.path().join(name), "page").expect("a file");
        let folder = site.path().to_str().expect("UTF-8");
        assert_error(&[("RECIPELOG_SITE_DIR", folder)], &[name, "rename it"]);
    }
}

/// HTTP-4, HTTP-36: the health check is text, also in a site without text files.
#[test]
fn text_formats_carry_a_charset_and_binary_formats_do_not() {
    let (site, out) = (Folder::new(), Folder::new());
    for name in ["index.html", "a.js", "a.webmanifest", "a.svg", "a.xml", "a.ico", "a.woff2", "a"] {
        fs::write(site.path().join(name), "page").expect("a file");
    }
    let folder = site.path().to_str().expect("UTF-8");
    let (code, messages) = build(out.path(), &[("RECIPELOG_SITE_DIR", folder)]);
    assert_eq!(code, Some(0), "{messages}");
    let types = fs::read_to_string(out.path().join("content_types.rs")).expect("a file");
    for (extension, expected) in [
        ("html", "text/html; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"),
        ("webmanifest", "application/manifest+json; charset=utf-8"),
        ("svg", "image/svg+xml; charset=utf-8"),
        ("xml", "text/xml; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("ico", "image/vnd.microsoft.icon"),
        ("woff2", "font/woff2"),
        ("", "application/octet-stream"),
    ] {
        assert!(types.contains(&format!("({extension:?}, {expected:?})")), "{types}");
    }
}

/// A repository with a signed commit of 9 September 2001.
fn repository(settings: &str) -> Folder {
    let folder = Folder::new();
    let script = r#"git init --quiet && tree=$(git write-tree) && commit=$(
        printf 'tree %s\nauthor A <a> 1000000000 +0000\ncommitter A <a> 1000000000 +0000\n' "$tree"
        printf 'gpgsig none\n\nfirst\n') &&
        git update-ref HEAD "$(echo "$commit" | git hash-object -t commit -w --stdin)""#;
    // In a hook of git, variables name another repository.
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder.path()).env_clear();
    fs::write(folder.path().join(".gitconfig"), settings).expect("a file");
    command.env("HOME", folder.path()).env("GIT_CONFIG_NOSYSTEM", "1");
    assert!(command.status().expect("git starts").success());
    folder
}

/// The lines about the version that the build script prints in a folder, for a user with
/// these settings of git. The rest of the build fails, because the folder contains no source.
fn version_in(folder: &Path, settings: &str) -> String {
    let (home, out) = (Folder::new(), Folder::new());
    fs::write(home.path().join(".gitconfig"), settings).expect("a file");
    fs::create_dir_all(folder.join("ui/src")).expect("a folder");
    fs::write(folder.join("ui/src/settings.json"), "{}").expect("a file");
    let mut command = Command::new(build_script());
    command.current_dir(folder).env_clear().env("OUT_DIR", out.path()).env("HOME", home.path());
    let output = command.output().expect("the build script starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let about_version =
        |line: &&str| ["=RECIPELOG_", "warning", "=.git/"].iter().any(|part| line.contains(part));
    text.lines().filter(about_version).collect::<Vec<_>>().join("\n")
}

#[test]
fn commit_and_date_are_those_of_the_repository_of_the_source() {
    let folder = repository("");
    let version = version_in(folder.path(), "[log]\nshowSignature = true\n[gpg]\nprogram = cat\n");
    assert!(version.contains("RECIPELOG_SOURCE_DATE_EPOCH=1000000000"), "{version}");
    assert!(version.contains("RECIPELOG_COMMIT=") && !version.contains("unknown"), "{version}");
    // An archive of the source that was unpacked in another repository.
    let archive = folder.path().join("archive");
    fs::create_dir(&archive).expect("a folder");
    let version = version_in(&archive, "");
    assert!(version.contains("RECIPELOG_COMMIT=unknown"), "{version}");
    assert!(!version.contains("1000000000") && !version.contains("warning"), "{version}");
}

#[test]
fn a_repository_that_git_cannot_read_is_a_warning_with_the_remedy() {
    let folder = Folder::new();
    fs::write(folder.path().join(".git"), "gitdir: nowhere").expect("a file");
    let version = version_in(folder.path(), "");
    for part in ["cargo::warning=", "nowhere", "RECIPELOG_COMMIT", "SOURCE_DATE_EPOCH"] {
        assert!(version.contains(part), "{version}");
    }
}

#[test]
fn the_same_site_in_two_folders_gives_the_same_embedded_files() {
    let built: Vec<BTreeMap<PathBuf, Vec<u8>>> = (0..2)
        .map(|_| {
            let (site, out) = (Folder::new(), Folder::new());
            for (name, content) in [
                ("index.html", "<title>{{app_name}}</title>".repeat(50)),
                ("app.0123abcd.js", "document.title;".repeat(50)),
                ("note.txt", "too short to be compressed".to_owned()),
                ("sitemap.xml", "{{#origin}}<url>{{origin}}</url>{{/origin}}".to_owned()),
            ] {
                fs::write(site.path().join(name), content).expect("a file");
            }
            let folder = site.path().to_str().expect("UTF-8").to_owned();
            let (code, messages) = build(out.path(), &[("RECIPELOG_SITE_DIR", &folder)]);
            assert_eq!(code, Some(0), "{messages}");
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
        ["app.0123abcd.js.br", "app.0123abcd.js.gz", "index.html.br", "index.html.gz", "note.txt",]
    );
    let mut html = String::new();
    let mut gzip = GzDecoder::new(&built[0][Path::new("index.html.gz")][..]);
    gzip.read_to_string(&mut html).expect("gzip");
    assert!(html.starts_with("<title>RecipeLog</title>"), "{html}");
}
