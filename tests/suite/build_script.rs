//! Builds of the site: the build script, as Cargo runs it, and `ui/build.mjs`, which Node.js runs
//! without Cargo too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use recipelog_site::http::Front;
use recipelog_site::site::{File, Settings, Site};
use tempfile::{TempDir, tempdir};
use walkdir::WalkDir;

use crate::support::files::write_script;
use crate::support::process::assert_rejected;
use crate::support::site::send;

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

/// Exit code and output of a build into `out` with these environment variables alone.
fn build(out: &TempDir, variables: &[(&str, String)]) -> (Option<i32>, String) {
    let mut command = Command::new(build_script());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("OUT_DIR", out.path());
    command.env("SOURCE_DATE_EPOCH", "1000000000").envs(variables.iter().cloned());
    let output = command.output().expect("the build script starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// A folder with a start page and these files, and the variable with its path.
fn folder_of(files: &[(&str, &[u8])]) -> (TempDir, (&'static str, String)) {
    let folder = tempdir().unwrap();
    for (name, content) in [("index.html", &b"page"[..])].iter().chain(files) {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, ("RECIPELOG_SITE_DIR", path))
}

/// Asserts that a build with this environment variable ends with one error that contains `parts`.
fn assert_error(variable: &str, value: &str, parts: &[&str]) {
    let (code, text) = build(&tempdir().unwrap(), &[(variable, value.to_owned())]);
    assert_eq!(code, Some(1), "{text}");
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("cargo::error=")).collect();
    assert_eq!(errors.len(), 1, "{text}");
    for part in parts {
        assert!(errors[0].contains(part), "{}", errors[0]);
    }
}

#[test]
fn what_the_build_needs_and_how_to_repair_it_are_in_its_error() {
    let programs = tempdir().unwrap();
    let path = programs.path().to_str().expect("UTF-8");
    assert_error("PATH", path, &["Node.js >=20.19", "No such file", path]);
    let fails = "[ $1 != --version ] || { echo v99.0.0; exit; }; exit 1";
    for (node, parts) in [
        ("echo v20.18.3", ["Node.js >=20.19", "v20.18.3"]),
        ("echo newest", ["Node.js >=20.19", "newest"]),
        (fails, ["installing the packages of ui/ failed", "remove ui/node_modules"]),
    ] {
        write_script(&programs, "node", node);
        assert_error("PATH", path, &parts);
    }
}

#[test]
fn a_release_names_what_it_needs_before_it_compiles() {
    let rust =
        r#"echo "rustc 1.89.0"; echo "host: x86_64-unknown-linux-gnu"; echo "release: 1.89.0""#;
    for (program, script, problem) in [
        ("rustc", rust, "Rust 1.89.0 is too old; install 1.90 or newer"),
        ("cc", "echo libc.a", "there is no static C library; on Fedora: dnf install glibc-static"),
    ] {
        let programs = tempdir().unwrap();
        write_script(&programs, program, script);
        let others = std::env::var("PATH").expect("programs");
        let mut release = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/release"));
        release.env("PATH", format!("{}:{others}", programs.path().display()));
        release.env_remove("CARGO_BUILD_TARGET");
        // rustc would report that it cannot join the jobs of tests/run.
        release.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("CARGO_MAKEFLAGS");
        assert_rejected(release, 1, &[problem]);
    }
}

/// Browsers open documents with another extension, which get no policy (WIRE-22, WIRE-23), and a
/// compressed file could be taken for a variant.
#[test]
fn a_folder_that_is_no_site_is_an_error_that_names_the_file() {
    assert_error("RECIPELOG_SITE_DIR", "no/such/folder", &["no/such/folder", "index.html"]);
    for name in ["A.HTML", "c.xhtml", "d.Svg", "e.js.gz"] {
        let (_folder, (variable, path)) = folder_of(&[(name, b"page")]);
        assert_error(variable, &path, &[name, "rename it"]);
    }
}

#[test]
fn a_text_that_is_not_utf_8_is_no_template_and_a_video_is_not_compressed() {
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    });
    // The table at the start of a video shrinks. Trying to compress all of a large one takes minutes and gigabytes.
    let video: Vec<u8> = [0; 100_000].into_iter().chain(noise.take(1 << 20)).collect();
    let (_folder, variable) = folder_of(&[("latin.txt", b"caf\xe9"), ("preview.mp4", &video)]);
    let out = tempdir().unwrap();
    let (code, text) = build(&out, &[variable]);
    assert_eq!(code, Some(0), "{text}");
    for (name, exists) in [("site/latin.txt", true), ("templates/latin.txt.gz", false)] {
        assert_eq!(out.path().join(name).exists(), exists, "{name}");
    }
    assert_eq!(fs::read(out.path().join("site/preview.mp4")).unwrap(), video);
    for file in fs::read_dir(out.path().join("compressed")).unwrap() {
        assert!(file.unwrap().metadata().unwrap().len() < 100_000);
    }
}

#[test]
fn a_build_declares_the_date_of_the_source() {
    let (_folder, site) = folder_of(&[]);
    let path = ("PATH", std::env::var("PATH").expect("programs"));
    let log = ["log", "-1", "--no-show-signature", "--date=format-local:%d %b %Y", "--format=%cd"];
    let mut git = Command::new("git");
    git.args(log).env("TZ", "UTC").current_dir(env!("CARGO_MANIFEST_DIR"));
    let commit = String::from_utf8(git.output().expect("git").stdout).expect("UTF-8");
    for (epoch, date) in [("1000000000", "09 Sep 2001"), ("", commit.trim())] {
        let epoch = ("SOURCE_DATE_EPOCH", epoch.to_owned());
        let (code, text) = build(&tempdir().unwrap(), &[path.clone(), site.clone(), epoch]);
        let line = format!("cargo::rustc-env=RECIPELOG_DATE={date}");
        assert!(code == Some(0) && text.lines().any(|given| given == line), "{line}: {text}");
    }
}

#[test]
fn a_folder_that_no_build_of_the_site_wrote_is_not_removed() {
    let out = tempdir().unwrap();
    // Like `ui/src`.
    let document = out.path().join("index.html");
    fs::write(&document, "<html>").expect("a file");
    let mut build = Command::new("node");
    build.arg("build.mjs").arg(out.path());
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui"));
    assert_rejected(build, 1, &[out.path().to_str().expect("UTF-8"), "another folder"]);
    assert!(document.exists());
}

/// A copy of `ui/` with more aliases of the contact page and with these files in `public`, and the command that
/// builds it into the folder `site` of the copy.
fn build_of_owner<C: AsRef<[u8]>>(aliases: &str, files: &[(&str, C)]) -> (TempDir, Command) {
    let (ui, copy) = (concat!(env!("CARGO_MANIFEST_DIR"), "/ui"), tempdir().unwrap());
    // Builds write to `node_modules/.cache`, each to its own.
    let script = r#"tar --create --exclude=./node_modules --exclude=./pictures --exclude=./dist . | tar --extract --directory "$1"
        mkdir "$1/node_modules" && ln --symbolic "$PWD"/node_modules/[!.]* "$1/node_modules"
        sed --in-place 's|aliases: \["/contact-us"|aliases: ['"${2:+$2, }"'"/contact-us"|' "$1/src/app/routes.ts""#;
    let mut command = Command::new("sh");
    command.args(["-ec", script, "sh"]).arg(copy.path()).arg(aliases).current_dir(ui);
    assert!(command.status().expect("a shell").success());
    for (name, content) in files {
        let file = copy.path().join("public").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    let mut build = Command::new("node");
    build.args(["build.mjs", "site"]).current_dir(copy.path()).stdout(Stdio::null());
    (copy, build)
}

/// PAGE-1, WIRE-4.
#[test]
fn an_owner_s_aliases_photographs_and_files_are_served_and_those_of_desktops_left_out() {
    let association = ".well-known/apple-app-site-association";
    let files = [
        ("app-ads.txt", "example.com, 1, DIRECT", "text/plain; charset=utf-8"),
        (".well-known/assetlinks.json", "[]", "application/json; charset=utf-8"),
        (association, "{}", "application/json; charset=utf-8"),
        ("badge.webp", "RIFF", "image/webp"),
        ("BingSiteAuth.xml", "<users/>", "text/xml; charset=utf-8"),
        ("google0123456789abcdef.html", "google-site-verification", "text/html; charset=utf-8"),
    ];
    let jpeg = STANDARD.decode(JPEG).unwrap();
    let others = [
        (HERO_FILE, PHOTOGRAPHS.as_bytes()),
        ("../src/art/photo.jpg", &jpeg),
        ("../src/art/photo.png", include_bytes!("../../ui/public/icon-192.png")),
        ("../src/art/photo.webp", b"RIFF"),
        (".DS_Store", b"Bud1"),
        ("badges/._badge.svg", b"Mac OS X"),
        ("Thumbs.db", b"Thumbs"),
    ];
    let served = files.map(|(name, content, _)| (name, content.as_bytes()));
    let (copy, mut build) =
        build_of_owner(r#""/Former-Page/", "/former-help""#, &[&served[..], &others].concat());
    assert!(build.output().expect("Node.js").status.success());
    let folder = copy.path().join("site");
    let (out, name) = (tempdir().unwrap(), folder.to_str().unwrap());
    let (code, text) = self::build(&out, &[("RECIPELOG_SITE_DIR", name.to_owned())]);
    assert_eq!(code, Some(0), "{text}");

    let built = WalkDir::new(&folder).into_iter().map(Result::unwrap);
    let built = built.filter(|entry| entry.file_type().is_file()).map(|entry| {
        let name = entry.path().strip_prefix(&folder).unwrap().to_str().unwrap();
        File::new(name, fs::read(entry.path()).unwrap())
    });
    let front = Front::from(Site::new(built, &Settings::default()));
    let types = fs::read_to_string(out.path().join("content_types.rs")).unwrap();
    for (name, content, content_type) in files {
        let response = send(&front, &format!("GET /{name}"), &[]);
        assert_eq!(
            (response.status.as_u16(), &*response.content),
            (200, content.as_bytes()),
            "{name}"
        );
        let extension = name.rsplit(['.', '/']).next().unwrap();
        assert!(types.contains(&format!("({extension:?}, {content_type:?})")), "{name}: {types}");
    }
    for (alias, location) in [
        ("/former-page", "/contact"),
        ("/former-help?a=b", "/contact?a=b"),
        ("/contact-us", "/contact"),
    ] {
        let response = send(&front, &format!("GET {alias}"), &[]);
        let outcome = (response.status.as_u16(), response.field("location"));
        assert_eq!(outcome, (308, Some(location)), "{alias}");
    }
    let page = send(&front, "GET /", &[]).content;
    let page = String::from_utf8_lossy(&page);
    let paths: Vec<&str> = front.site.iter().map(|(path, _)| path).collect();
    for extension in ["jpg", "png", "webp"] {
        let is_photo = |path: &&&str| path.starts_with("/photo.") && path.ends_with(extension);
        let photo = paths.iter().find(is_photo).expect(extension);
        assert!(page.contains(&format!("\"{photo}\"")), "{photo}");
    }
    let is_left_out = |path: &str| !path.contains("/._") && !path.ends_with("_Store");
    assert!(paths.iter().all(|path| is_left_out(path) && *path != "/Thumbs.db"), "{paths:?}");
}

#[test]
fn a_mistake_of_an_owner_ends_the_build_with_one_line() {
    let hero = r#"export const HeroPicture = () => <img src="/none.png" alt="" />;"#;
    for (aliases, files, problem) in [
        (r#""/help", "/HELP/""#, &[][..], r#"the alias "/HELP/" of /contact is already an alias"#),
        ("", &[(HERO_FILE, hero)], "index.html: there is no file /none.png; add it to ui/"),
    ] {
        let (_copy, build) = build_of_owner(aliases, files);
        assert_rejected(build, 1, &[problem]);
    }
}

/// The path of the component with the hero picture, from `ui/public`.
const HERO_FILE: &str = "../src/app/components/hero-picture.tsx";

const PHOTOGRAPHS: &str = r#"
const files = [
  new URL("../../art/photo.jpg", import.meta.url),
  new URL("../../art/photo.png", import.meta.url),
  new URL("../../art/photo.webp", import.meta.url),
];
export function HeroPicture() {
  const paths = files.map(({ pathname }) => pathname.slice(pathname.lastIndexOf("/")));
  return <p>{paths.map((path) => <img key={path} src={path} alt="" />)}</p>;
}
"#;

/// The smallest valid one.
const JPEG: &str = "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////\
                    ////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";
