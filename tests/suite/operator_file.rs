//! Files that options name: only regular files of a limited size are read.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::certified_key::CertifiedKey;
use crate::child_process::DEADLINE;
use crate::executable::command;
use crate::folder::Folder;

/// Creates a FIFO without a writer: a read of it waits for ever.
pub fn make_fifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(status.success(), "mkfifo {}: {status}", path.display());
}

/// The output of `command`, which has to end by itself. Its memory is limited, so that
/// an endless file cannot exhaust that of the machine.
fn output_of(command: &Command) -> Output {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""]).arg(command.get_program());
    shell.args(command.get_args()).env_clear().stdin(Stdio::null());
    let mut process = shell.stderr(Stdio::piped()).spawn().expect("the executable starts");
    let begun = Instant::now();
    while process.try_wait().expect("a child process").is_none() {
        if begun.elapsed() > DEADLINE {
            process.kill().expect("a child process");
            panic!("{command:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    process.wait_with_output().expect("a child process")
}

#[test]
fn only_regular_files_of_at_most_1_mib_are_read() {
    let folder = Folder::new();
    let files = CertifiedKey::new().write(folder.path());
    let fifo = folder.path().join("fifo");
    make_fifo(&fifo);
    let large = folder.path().join("large");
    File::create(&large).unwrap().set_len((1 << 20) + 1).unwrap();
    let whole = folder.path().join("whole");
    fs::write(&whole, [b'\n'; 1 << 20]).unwrap();
    let none = folder.path().join("none");
    let circle = folder.path().join("circle");
    symlink(&circle, &circle).unwrap();
    let in_file = PathBuf::from(&files[0]).join("none");
    let [certificate, key] = files.map(|path| path.to_str().unwrap().to_owned());
    let state = folder.path().join("state");
    let acme = ["--acme-domain", "a.example", "--acme-dir", state.to_str().unwrap()];
    let free = ["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0"];
    let options: [(&str, Vec<&str>); 4] = [
        ("--tls-cert", vec!["--tls-key", &key]),
        ("--tls-key", vec!["--tls-cert", &certificate]),
        ("--acme-root", acme.to_vec()),
        ("--acme-eab-key", [&acme[..], &["--acme-eab-kid", "a"]].concat()),
    ];
    let files: [(PathBuf, &str); 8] = [
        (fifo, "not a regular file; name one, not a pipe, device or folder"),
        ("/dev/zero".into(), "not a regular file; name one, not a pipe, device or folder"),
        (folder.path().to_owned(), "not a regular file; name one, not a pipe, device or folder"),
        (large, "larger than 1 MiB; name a smaller file"),
        (none, "name a file that exists"),
        (in_file, "name a file that exists"),
        (circle, "remove the cause, or name another file"),
        // This one is read, and has no content that could be used.
        (whole, "cannot use"),
    ];
    for (option, others) in options {
        for (file, reason) in &files {
            let mut command = command(&[&free[..], &others].concat());
            command.arg(option).arg(file);
            let output = output_of(&command);
            let console = String::from_utf8_lossy(&output.stderr);
            let shown = format!("{option} {}: {console}", file.display());
            assert_eq!(output.status.code(), Some(1), "{shown}");
            assert_eq!(console.lines().count(), 1, "{shown}");
            assert!(console.contains(reason), "{shown}");
            assert!(console.contains(file.to_str().unwrap()), "{shown}");
        }
    }
}
