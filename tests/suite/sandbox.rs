//! The rights of the process in the sandbox (src/sandbox.rs). On a kernel without Landlock,
//! these tests report that they are skipped.

use std::fs::{self, File};
use std::io::ErrorKind::PermissionDenied;
use std::io::{Write, stderr};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetError,
    Scope,
};
use recipelog_site::sandbox::Sandbox;
use tempfile::tempdir;

use crate::support::process::{Server, skip, wait_until};

/// The variable that passes the folder of a test to the process that the test starts.
const FOLDER: &str = "SANDBOX_FOLDER";

/// True if the kernel supports everything that `require` adds to a ruleset of Landlock.
fn has_landlock(require: impl Fn(Ruleset) -> Result<Ruleset, RulesetError>) -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let has = require(ruleset).and_then(Ruleset::create).is_ok();
    if !has {
        skip("the Landlock of this kernel lacks a feature");
    }
    has
}

/// The next test starts a process that runs only this test. Without the variable
/// [`FOLDER`], this test does nothing.
#[test]
fn process_in_the_sandbox() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (other_folder, write) = (folder.join("other"), folder.join("write"));
    let [allowed, other] = [(); 2].map(|()| {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        // Accepts until the process ends.
        std::mem::forget(socket);
        address
    });
    let parent = rustix::process::getppid().expect("the test that started this process");
    let has_scopes = has_landlock(|ruleset| ruleset.scope(Scope::Signal));
    rustix::process::test_kill_process(parent).unwrap();
    let mut sandbox = Sandbox::default();
    let reads = folder.ends_with("reads");
    sandbox.read.extend(reads.then(|| "/".into()));
    sandbox.write.push(write.clone());
    sandbox.connect.push(allowed.port());
    sandbox.enter().unwrap();

    let denied = |error: std::io::Error| error.kind() == PermissionDenied;
    assert_eq!(File::open("/etc/passwd").is_err_and(denied), !reads);
    assert_eq!(fs::read_dir("/").is_err_and(denied), !reads);
    assert!(Command::new("/bin/true").status().is_err_and(denied));
    assert!(TcpListener::bind("127.0.0.1:0").is_err_and(denied));
    assert!(TcpStream::connect(other).is_err_and(denied));
    TcpStream::connect(allowed).unwrap();
    let signal = rustix::process::test_kill_process(parent).map_err(std::io::Error::from);
    assert!(!has_scopes || signal.is_err_and(denied));
    rustix::process::test_kill_process(rustix::process::getpid()).unwrap();

    assert!(fs::write(other_folder.join("file"), "").is_err_and(denied));
    assert!(fs::remove_file(other_folder.join("file")).is_err_and(denied));

    fs::write(write.join("new"), "content").unwrap();
    fs::rename(write.join("new"), write.join("file")).unwrap();
    fs::create_dir(write.join("folder")).unwrap();
    fs::remove_file(write.join("file")).unwrap();
    // Threads that are started later are restricted, too.
    let new = folder.join("new");
    let thread = std::thread::spawn(move || fs::write(new, "").is_err_and(denied));
    assert!(thread.join().unwrap());
}

#[test]
fn a_process_in_the_sandbox_keeps_only_the_rights_that_it_was_granted() {
    let has_files_and_ports = has_landlock(|ruleset| {
        let ruleset = ruleset.handle_access(AccessFs::from_all(ABI::V4))?;
        ruleset.handle_access(AccessNet::from_all(ABI::V4))
    });
    if !has_files_and_ports {
        return;
    }
    for access in ["reads", "none"] {
        let parent = tempdir().unwrap();
        let folder = parent.path().join(access);
        for name in ["other", "write"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        fs::write(folder.join("other/file"), "content").unwrap();
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["sandbox::process_in_the_sandbox", "--exact", "--nocapture"]);
        let output = process.env(FOLDER, folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        // Without a test of this name, the process would also succeed.
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
        // The process may have reported tests that it skipped.
        stderr().write_all(&output.stderr).unwrap();
    }
}

/// landlock_restrict_self(2) requires no_new_privs. Threads inherit it and the sandbox.
#[test]
fn no_thread_of_the_server_can_gain_privileges() {
    if !has_landlock(|ruleset| ruleset.handle_access(AccessFs::Execute)) {
        return;
    }
    // A name is looked up on a thread of its own, before the process enters the sandbox.
    let server =
        Server::start(&["--threads", "3", "--access-log", "json", "--listen", "localhost:0"]);
    // The server reports that it is ready before its workers start.
    wait_until("three threads", || {
        let statuses: Vec<String> = server.threads("status").collect();
        for status in &statuses {
            assert!(status.is_empty() || status.contains("NoNewPrivs:\t1"), "{status}");
        }
        statuses.len() >= 3
    });
}
