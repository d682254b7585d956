//! The plain files of the site: a build of the user interface with npm, Parcel and the prerender, or a
//! folder that such a build wrote before.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

use super::files;
use crate::variable;

/// The variable with the path of a site that is already built.
const PREBUILT: &str = "RECIPELOG_SITE_DIR";

/// The folder of the user interface.
const FOLDER: &str = "ui";

/// Files and folders in it that are not inputs of the build: the lock of builds, generated files, and the
/// scripts that draw the pictures, whose output is tracked in git.
const EXCLUDED: [&str; 5] = [".lock", "README.md", "dist", "node_modules", "pictures"];

/// Returns the folder with the plain files: `RECIPELOG_SITE_DIR` if it is set. Otherwise builds the user
/// interface into a folder in `out`.
pub fn plain_files(out: &Path, epoch: u64) -> Result<PathBuf, Box<dyn Error>> {
    let Some(folder) = variable(PREBUILT) else { return build(out, epoch) };
    if !Path::new(&folder).join("index.html").is_file() {
        Err(format!(
            "{PREBUILT} is {folder}, which contains no index.html; set it to the folder that \
             `npm run build -- FOLDER` in ui/ wrote"
        ))?;
    }
    println!("cargo::rerun-if-changed={folder}");
    Ok(folder.into())
}

/// Cargo would watch `node_modules` too if it watched the folder, so it notices a new file or folder next to
/// `package.json` only together with another change.
fn build(out: &Path, epoch: u64) -> Result<PathBuf, Box<dyn Error>> {
    for entry in fs::read_dir(FOLDER).into_iter().flatten().flatten() {
        if !EXCLUDED.iter().any(|excluded| entry.file_name() == *excluded) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    check_node()?;
    let lock = lock()?;
    let node = |script: &str| {
        let mut node = Command::new("node");
        // Options for another program would change the build.
        node.current_dir(FOLDER).arg(script).env_remove("NODE_OPTIONS");
        node
    };
    run(node("install-packages.mjs").arg("."), &lock, "installing the packages of ui/")?;
    let plain = out.join("ui");
    files::empty_folder(&plain)?;
    let mut build = node("build.mjs");
    build.arg(&plain).arg("--cache").arg(out.join("parcel-cache"));
    run(build.env("SOURCE_DATE_EPOCH", epoch.to_string()), &lock, "building ui/")?;
    Ok(plain)
}

fn check_node() -> Result<(), Box<dyn Error>> {
    let package = fs_err::read(Path::new(FOLDER).join("package.json"))?;
    let package: Json = serde_json::from_slice(&package)?;
    let required = package["engines"]["node"].as_str().unwrap_or_default();
    let found = match Command::new("node").arg("--version").output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    if major_and_minor(&found) < major_and_minor(required) {
        let path = env::var("PATH").unwrap_or_default();
        Err(format!(
            "building {FOLDER}/ needs Node.js {required}, but `node` in PATH ({path}) is: {found}; \
             install it, or set {PREBUILT} to a built site"
        ))?;
    }
    Ok(())
}

/// `[20, 19]` of `>=20.19` and of `v20.19.3`.
fn major_and_minor(version: &str) -> Vec<u32> {
    let numbers = version.split(|character: char| !character.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).take(2).collect()
}

/// Waits until no other build uses the folder of the user interface.
fn lock() -> Result<File, Box<dyn Error>> {
    let path = Path::new(FOLDER).join(".lock");
    let opened = File::options().create(true).truncate(false).write(true).open(&path);
    let lock = opened.map_err(|error| {
        format!(
            "{}: {error}; builds write to {FOLDER}/: make all of it writable for this user, or set \
             {PREBUILT} to a built site",
            path.display()
        )
    })?;
    if lock.try_lock().is_err() {
        // Cargo shows it when this script has ended.
        println!("cargo::warning=waited for another build of {FOLDER}/ to end");
        lock.lock()?;
    }
    Ok(lock)
}

/// Runs a program, and prints its output if it fails. Its standard input is the lock, because the program and
/// npm go on for seconds after an interrupted build, and have to hold the lock until they end.
fn run(program: &mut Command, lock: &File, step: &str) -> Result<(), Box<dyn Error>> {
    let Output { status, stdout, stderr } = program.stdin(lock.try_clone()?).output()?;
    if !status.success() {
        let text = String::from_utf8_lossy(&stderr);
        // A mistake that the program understood.
        if text.lines().count() == 1 {
            Err(format!("{step} failed: {}", text.trim_end()))?;
        }
        // There is no place to report that standard error failed.
        let _ = io::stderr().write_all(&[stdout, stderr].concat());
        Err(format!(
            "{step} failed: `node` ended with {status}; its output is below; if it names a missing \
             module or a file of another user, remove {FOLDER}/node_modules"
        ))?;
    }
    Ok(())
}
