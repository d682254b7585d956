//! Failures of shell scripts, which no other test sees. The scripts are for Linux.
#![cfg(target_os = "linux")]

use std::process::Command;

/// `tests/run` adds up the counts of the last lines, and an operator needs the reason.
#[test]
fn a_shipping_test_that_exits_early_says_why_and_keeps_its_counts() {
    let script = r#". tests/shipping/checks.bash
        check "One" true
        echo "no such device" >"$scratch/server.err"
        ls "$scratch/missing" 2>>"$scratch/server.err""#;
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = bash.output().expect("bash starts");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!output.status.success(), "{printed}");
    assert!(printed.contains("exited early: ls \"$scratch/missing\""), "{printed}");
    assert!(printed.contains("server.err: no such device\n"), "{printed}");
    assert!(printed.ends_with("\n1 passed, 1 failed\n"), "{printed}");
}
