//! `ui/build.mjs`, which Node.js runs without Cargo too. Other modules test the site that it builds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use crate::child_process::assert_rejected;
use crate::folder::Folder;

/// The build of the site, as `npm run build` starts it. The day is fixed, so that it cannot change
/// between two builds.
fn build(out: &Path, cache: &Path, date: &str) -> Command {
    build_with([out, Path::new("--cache"), cache], date)
}

fn build_with<const N: usize>(arguments: [&Path; N], date: &str) -> Command {
    let mut command = Command::new("node");
    command.arg("build.mjs").args(arguments);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui"));
    command.env("SOURCE_DATE_EPOCH", date);
    command
}

#[test]
fn concurrent_builds_give_the_same_files() {
    let (first, second, cache) = (Folder::new(), Folder::new(), Folder::new());
    // The output of an earlier build is replaced.
    fs::write(first.path().join("index.html"), "<html data-built=").expect("a file");
    fs::write(first.path().join("old.js"), "").expect("a file");
    let built = |out: &Folder| {
        let mut build = build(out.path(), cache.path(), "1795219200");
        let output = build.output().expect("Node.js starts");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        let files = fs::read_dir(out.path()).expect("a site").flatten();
        files
            .filter(|file| file.path().is_file())
            .map(|file| (file.file_name(), fs::read(file.path()).expect("a file")))
            .collect::<BTreeMap<_, _>>()
    };
    let (one, other) = thread::scope(|scope| {
        let concurrent = scope.spawn(|| built(&first));
        (built(&second), concurrent.join().expect("a site"))
    });
    assert!(one.len() > 15, "{:?}", one.keys());
    assert!(one == other, "{:?} {:?}", one.keys(), other.keys());
}

#[test]
fn a_folder_that_no_build_wrote_is_not_removed() {
    let cache = Folder::new();
    let (file, document) = (Folder::new(), Folder::new());
    fs::write(file.path().join("kept"), "").expect("a file");
    // Like `ui/src`.
    fs::write(document.path().join("index.html"), "<html>").expect("a file");
    for (out, name) in [(&file, "kept"), (&document, "index.html")] {
        let path = out.path().to_str().expect("UTF-8");
        let build = build(out.path(), cache.path(), "");
        assert_rejected(build, 1, &[path, "remove it", "another folder"]);
        assert!(out.path().join(name).exists());
    }
}

/// Runs a script with the lock of `folder`, which `holder` holds, and a maximum wait of 12 polls.
fn wait_for_the_lock(folder: &Folder, holder: u32, script: &str) -> Output {
    let held = folder.path().join("node_modules.lock/held");
    fs::create_dir_all(&held).expect("a folder");
    fs::write(held.join(holder.to_string()), "").expect("a file");
    let script = format!(
        "import {{ renameSync }} from 'node:fs';
        import {{ withLock }} from './lock.mjs';
        const [folder, held] = process.argv.slice(1);
        {script}
        await withLock(folder, () => console.log('got the lock'), 600);"
    );
    let mut command = Command::new("node");
    command.args(["--input-type=module", "--eval", &script]).arg(folder.path()).arg(held);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui"));
    command.output().expect("Node.js starts")
}

#[test]
fn waiting_for_the_lock_of_an_unrelated_process_ends_with_an_error() {
    let folder = Folder::new();
    // The process of this test exists, and is no build.
    let holder = std::process::id();
    let output = wait_for_the_lock(&folder, holder, "Atomics.wait = () => {};");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let last = message.lines().last().expect("a message");
    let held = folder.path().join("node_modules.lock/held");
    for part in ["stopped waiting", &holder.to_string(), held.to_str().expect("UTF-8")] {
        assert!(last.contains(part), "{message}");
    }
    let left = fs::read_dir(folder.path().join("node_modules.lock")).expect("a folder");
    assert_eq!(left.count(), 1);
}

#[test]
fn an_invalid_source_date_is_an_error() {
    let (out, cache) = (Folder::new(), Folder::new());
    // The last one is a date in milliseconds; the one before it is in the year 10000.
    for date in ["yesterday", "-1", "1e3", "253402300800", "1795219200000"] {
        let build = build(out.path(), cache.path(), date);
        assert_rejected(build, 1, &["SOURCE_DATE_EPOCH", date, "seconds"]);
    }
}

#[test]
fn an_unknown_argument_is_a_usage_error() {
    for arguments in [["--cash", "a"], ["a", "b"], ["--cache", "--out"]] {
        // If the arguments were accepted, the date would end the build.
        let build = build_with(arguments.map(Path::new), "yesterday");
        assert_rejected(build, 2, &["usage: node build.mjs [OUT] [--cache DIR]"]);
    }
}
