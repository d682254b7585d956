//! Failures of shell scripts, which no other test sees. The scripts are for Linux.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::child_process::assert_rejected;
use crate::folder::Folder;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A script of the repository with `programs` as the only folder of `PATH`. They get the
/// programs that the script needs besides those of Rust.
fn script(programs: &Folder, name: &str, arguments: &[&str]) -> Command {
    for program in ["cp", "dirname", "mkdir", "printenv", "realpath", "rm", "sed"] {
        let path = std::env::var_os("PATH").expect("PATH");
        let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(program));
        let file = candidates.find(|file| file.exists()).expect(program);
        symlink(file, programs.path().join(program)).expect("a link");
    }
    let mut command = Command::new(Path::new(ROOT).join(name));
    command.args(arguments).env("PATH", programs.path()).env_remove("CARGO_BUILD_TARGET");
    command.env("CARGO_TARGET_DIR", programs.path().join("target"));
    command
}

/// `target/release` has the file of `cargo build --release`.
#[test]
fn without_rust_the_script_of_the_release_file_removes_no_file() {
    let missing = Folder::new();
    let broken = Folder::new();
    broken.write_script("rustc", "echo no toolchain >&2; exit 1");
    for (programs, message) in [(missing, "install Rust"), (broken, "no toolchain")] {
        let built = programs.path().join("target/release/recipelog-site");
        fs::create_dir_all(built.parent().expect("a folder")).expect("a folder");
        fs::write(&built, "").expect("a file");
        assert_rejected(script(&programs, "deploy/release", &[]), 1, &[message]);
        assert!(built.exists(), "{message}");
    }
}

/// Stand-ins for Rust and the C compilers of both processors, for a machine with x86-64. They
/// have all libraries.
fn compilers(glibc_minor: &str) -> Folder {
    let programs = Folder::new();
    let rustc = r#"if [ "$1" = -vV ]; then echo host: x86_64-unknown-linux-gnu; else echo /; fi"#;
    programs.write_script("rustc", rustc);
    programs.write_script("cargo", "");
    for compiler in ["cc", "aarch64-linux-gnu-gcc"] {
        programs.write_script(compiler, &format!("echo glibc {glibc_minor}"));
    }
    programs
}

/// A script that prints the compiler flags of the release file.
fn release_flags(programs: &Folder) -> Command {
    script(programs, "deploy/with-release-flags", &["printenv", "CARGO_ENCODED_RUSTFLAGS"])
}

/// A file without its SHA-256 cannot be verified.
#[test]
fn a_release_file_without_its_checksum_is_an_error() {
    let missing = compilers("36");
    let failing = compilers("36");
    failing.write_script("sha256sum", "exit 1");
    for programs in [missing, failing] {
        let target = programs.path().join("target");
        let built = target.join("x86_64-unknown-linux-gnu/release/recipelog-site");
        fs::create_dir_all(built.parent().expect("a folder")).expect("a folder");
        let built = built.to_str().expect("UTF-8");
        programs.write_script("cargo", &format!(": >{built}"));
        let output = script(&programs, "deploy/release", &[]).output().expect("the script starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let checksum = target.join("dist/recipelog-site-x86_64-unknown-linux-gnu.sha256");
        assert!(!checksum.exists(), "{output:?}");
    }
}

#[test]
fn the_target_is_the_argument_or_the_variable_or_the_processor_of_the_machine() {
    for (argument, variable, expected) in [
        (None, None, "x86_64-unknown-linux-gnu"),
        (None, Some("aarch64-unknown-linux-gnu"), "aarch64-unknown-linux-gnu"),
        (Some("aarch64-unknown-linux-gnu"), None, "aarch64-unknown-linux-gnu"),
        (
            Some("x86_64-unknown-linux-gnu"),
            Some("aarch64-unknown-linux-gnu"),
            "x86_64-unknown-linux-gnu",
        ),
    ] {
        let programs = compilers("36");
        programs.write_script("sha256sum", "");
        // A build that fails, and names its target and its linker.
        let cargo = r#"if [ "$1" = build ]; then
                echo "$CARGO_BUILD_TARGET $CARGO_ENCODED_RUSTFLAGS" >&2; exit 1
            fi"#;
        programs.write_script("cargo", cargo);
        let mut script = script(&programs, "deploy/release", argument.as_slice());
        script.envs(variable.map(|target| ("CARGO_BUILD_TARGET", target)));
        let output = script.output().expect("the script starts");
        let printed = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(printed.starts_with(&format!("{expected} ")), "{printed}");
        let cross = expected.starts_with("aarch64");
        assert_eq!(printed.contains("-Clinker=aarch64-linux-gnu-gcc"), cross, "{printed}");
    }
}

#[test]
fn a_target_that_is_not_released_is_a_usage_error() {
    let programs = compilers("36");
    let mut script = release_flags(&programs);
    script.env("CARGO_BUILD_TARGET", "x86_64-unknown-linux-musl");
    assert_rejected(script, 2, &["x86_64-unknown-linux-musl", "use x86_64-unknown-linux-gnu"]);
}

/// DECISION-29.
#[test]
fn relative_relocations_are_packed_since_glibc_2_36() {
    for (version, packed) in [("35", false), ("36", true)] {
        let programs = compilers(version);
        let output = release_flags(&programs).output().expect("the script starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{version}: {output:?}");
        let flags = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(flags.contains("pack-relative-relocs"), packed, "{version}: {flags}");
    }
}

/// DECISION-9: otherwise, the second build could not take over compiled crates.
#[test]
fn release_flags_do_not_name_the_folder_of_the_repository_or_its_target_folder() {
    let programs = compilers("36");
    let mut script = release_flags(&programs);
    script.env("CARGO_HOME", "/cargo-home").env("CARGO_TARGET_DIR", "/target-folder");
    let output = script.output().expect("the script starts");
    let flags = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(flags.contains("--remap-path-prefix"), "{flags}");
    for folder in [ROOT, "/target-folder"] {
        assert!(!flags.contains(folder), "{flags}");
    }
}

#[test]
fn release_flags_without_a_command_are_a_usage_error() {
    let programs = Folder::new();
    let script = script(&programs, "deploy/with-release-flags", &[]);
    assert_rejected(script, 2, &["no command", "for example"]);
}

#[test]
fn an_unknown_argument_of_a_script_is_a_usage_error() {
    for name in [
        "tests/shipping/arm64",
        "tests/shipping/file",
        "tests/shipping/reproducible",
        "tests/shipping/run",
        "tests/shipping/second-build",
        "tests/weekly",
    ] {
        let programs = Folder::new();
        let script = script(&programs, name, &["--agian"]);
        assert_rejected(script, 2, &[name, "--agian", "run it without arguments"]);
    }
}

#[test]
fn a_second_argument_of_a_script_of_the_release_is_a_usage_error() {
    for name in ["deploy/release", "deploy/sbom"] {
        let programs = Folder::new();
        assert_rejected(script(&programs, name, &["first", "second"]), 2, &[name, "second"]);
    }
}

/// A build as root leaves files that the user's next build cannot replace.
#[test]
fn the_readme_names_the_command_that_runs_a_shipping_test_as_root() {
    let command =
        r#"sudo env "PATH=$PATH" "HOME=$HOME" "RELEASE_FILE=$(deploy/release)" tests/shipping/"#;
    for name in ["README.md", "tests/shipping/checks.bash"] {
        let text = fs::read_to_string(Path::new(ROOT).join(name)).expect(name);
        assert!(text.contains(command), "{name}");
    }
}

/// `tests/run` adds up the counts of the last lines, and an operator needs the reason.
#[test]
fn a_shipping_test_that_exits_early_says_why_and_keeps_its_counts() {
    let script = r#". tests/shipping/checks.bash
        # A build that succeeds, with the progress of Cargo.
        repository=$scratch
        mkdir "$scratch/deploy"
        printf '#!/bin/sh\necho Compiling >&2\n' >"$scratch/deploy/release"
        chmod +x "$scratch/deploy/release"
        file=$(unset RELEASE_FILE && release_file)
        check "One" true
        echo "no such device" >"$scratch/server.err"
        ls "$scratch/missing" 2>>"$scratch/server.err""#;
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).current_dir(ROOT);
    let output = bash.output().expect("bash starts");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!output.status.success(), "{printed}");
    assert!(printed.contains("exited early: ls \"$scratch/missing\""), "{printed}");
    assert!(printed.contains("server.err: no such device\n"), "{printed}");
    assert!(!printed.contains("Compiling"), "{printed}");
    assert!(printed.ends_with("\n1 passed, 1 failed\n"), "{printed}");
}
