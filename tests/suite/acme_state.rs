//! The state folder: its lock, its history of orders, and options that make the start
//! fail (HTTP-33, HTTP-34).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use recipelog_site::acme::{Acme, Authority, ExternalAccount, Options, Schedule};
use recipelog_site::diagnostics::start_writer;
use recipelog_site::tls::Certificates;
use serde_json::{Value, json};

use crate::acme_site::open_unlocked;
use crate::certified_key::{CertifiedKey, DAMAGED, NOT_X509};
use crate::child_process::{Lines, Running};
use crate::folder::Folder;

/// Environment variables of [`process_with_the_folder`]: its state folder and directory, and
/// the root certificate to trust.
const STATE: &str = "ACME_STATE_FOLDER";
pub const DIRECTORY: &str = "ACME_DIRECTORY_URL";
pub const ROOT: &str = "ACME_ROOT_FILE";

const LOCKED: &str = "the folder is locked";

/// The folder of an authority that does not answer: no process can listen on port 0.
const AUTHORITY: &str = "127.0.0.1_0_directory";

/// Options for that authority.
fn options(folder: PathBuf) -> Options {
    let directory = "https://127.0.0.1:0/directory".to_owned();
    Options {
        domains: vec!["recipelog.example".parse().unwrap()],
        folder,
        authority: Authority { directory, staging: None },
        root_file: None,
        email: None,
        profile: None,
        external_account: None,
        schedule: Schedule::default(),
    }
}

/// The error with which the start fails.
fn rejection(options: Options) -> String {
    let opened = Acme::open(options, Arc::new(Certificates::default()));
    opened.err().expect("a rejection")
}

/// The body of the process that the tests below start. Does nothing in the tests' own process.
#[tokio::test]
async fn process_with_the_folder() {
    let Some(folder) = std::env::var_os(STATE) else { return };
    start_writer().unwrap();
    let certificates = Arc::new(Certificates::default());
    let mut options = options(folder.into());
    if let Ok(directory) = std::env::var(DIRECTORY) {
        options.authority.directory = directory;
    }
    options.root_file = std::env::var_os(ROOT).map(PathBuf::from);
    let acme = open_unlocked(&options, &certificates);
    eprintln!("{LOCKED}");
    acme.maintain().await;
}

/// A process that uses a state folder. It is killed on drop.
pub struct Process {
    _running: Running,
    /// Lines on standard error after the process has locked the folder.
    lines: Lines,
}

impl Process {
    fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    pub fn start_with(folder: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["acme_state::process_with_the_folder", "--exact", "--nocapture"]);
        command.env(STATE, folder).envs(environment.iter().copied());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut running = Running(child);
        let lines = running.console();
        lines.line_with(LOCKED);
        Self { _running: running, lines }
    }

    fn line(&self) -> String {
        self.lines.next().expect("a further line")
    }

    pub fn line_with(&self, part: &str) -> String {
        self.lines.line_with(part)
    }
}

#[test]
fn another_process_keeps_the_folder_locked_until_it_is_killed() {
    let folder = Folder::new();
    let folder = folder.path().join("state");
    let process = Process::start(&folder);
    let rejection = rejection(options(folder.clone()));
    drop(process);
    assert!(rejection.contains("another process uses"), "{rejection}");
    open_unlocked(&options(folder), &Arc::default());
}

#[test]
fn a_failure_is_reported_in_one_line_with_the_next_try() {
    let folder = Folder::new();
    let line = Process::start(&folder.path().join("state")).line();
    let problem = "cannot obtain a certificate for recipelog.example: 127.0.0.1:0: ";
    assert!(line.contains(problem), "{line}");
    assert!(line.ends_with("; next try in 1m"), "{line}");
}

#[test]
fn the_limit_of_failures_holds_after_a_restart() {
    let folder = Folder::new();
    let folder = folder.path().join("state");
    fs::create_dir_all(folder.join(AUTHORITY)).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let half_an_hour_ago = now - 30 * 60;
    let failure =
        json!({ "time": half_an_hour_ago, "names": ["recipelog.example"], "issued": false });
    let history = Value::Array(vec![failure; 5]).to_string();
    fs::write(folder.join(AUTHORITY).join("history.json"), history).unwrap();
    let line = Process::start(&folder).line();
    assert!(line.contains("reached the rate limits; HTTPS connections fail"), "{line}");
    assert!(line.ends_with("; next try in 30m"), "{line}");
}

#[test]
fn the_limit_of_certificates_does_not_delay_a_renewal_that_is_due() {
    let folder = Folder::new();
    let folder = folder.path().join("state");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let mut params = since_2000("recipelog.example");
    // Less than a third of the lifetime is left.
    params.not_after = date_time_ymd(1970, 1, 1) + now + Duration::from_secs(24 * 60 * 60);
    store_certificate(&folder, "recipelog.example", &params);
    let order = json!({
        "time": now.as_secs(), "names": ["recipelog.example"], "issued": true, "obtained": true,
    });
    let history = Value::Array(vec![order; 5]).to_string();
    fs::write(folder.join(AUTHORITY).join("history.json"), history).unwrap();
    let line = Process::start(&folder).line_with("cannot renew");
    assert!(line.contains("for recipelog.example: 127.0.0.1:0: "), "{line}");
    assert!(line.ends_with("; next try in 1m"), "{line}");
}

#[test]
fn two_servers_in_a_process_do_not_share_the_folder() {
    let folder = Folder::new();
    let folder = folder.path().join("state");
    let acme = Acme::open(options(folder.clone()), Arc::default()).unwrap();
    let rejection = rejection(options(folder.clone()));
    assert!(rejection.contains("another process uses"), "{rejection}");
    drop(acme);
    open_unlocked(&options(folder), &Arc::default());
}

#[test]
fn bad_acme_options_are_rejected_in_one_line_and_no_state_folder_is_created() {
    let folder = Folder::new();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let state = folder.path().join("state");
    let good = || options(state.clone());
    let key = |key_file| Some(ExternalAccount { key_id: "id".to_owned(), key_file });
    let root = |name, content: &str| Options { root_file: Some(file(name, content)), ..good() };
    let root_pem = CertifiedKey::new().certificate;
    let joined = format!("{}{root_pem}", root_pem.trim_end());
    for (bad, expected) in [
        (Options { domains: Vec::new(), ..good() }, "no domain"),
        (Options { root_file: Some(folder.path().join("none")), ..good() }, "none: No such file"),
        (root("empty", ""), "empty: no certificate in PEM; write the authority's root"),
        (root("text", DAMAGED), "text: damaged PEM; write the file again"),
        (root("der", NOT_X509), "der: one of the certificates is not valid X.509"),
        (root("joined", &joined), "joined: a certificate whose BEGIN or END is not on a line"),
        (root("marked", &format!("\u{feff}{root_pem}")), "marked: a certificate whose BEGIN"),
        (Options { external_account: key(folder.path().join("no")), ..good() }, "no: No such"),
        (Options { external_account: key(file("key", "a+b/")), ..good() }, "no base64url"),
        (Options { external_account: key(file("blank", "\n")), ..good() }, "no base64url"),
    ] {
        let rejection = rejection(bad);
        assert!(rejection.contains(expected) && rejection.contains("; "), "{rejection}");
        assert!(!rejection.contains('\n') && !rejection.contains("a+b/"), "{rejection}");
        assert!(!state.exists(), "{rejection}");
    }
}

#[test]
fn a_state_folder_that_cannot_be_used_is_rejected() {
    let folder = Folder::new();
    let occupied = folder.path().join("file");
    fs::write(&occupied, "").unwrap();
    // No user can write there, not even root.
    for path in [occupied.clone(), occupied.join("below"), "/proc/recipelog".into()] {
        let rejection = rejection(options(path));
        assert!(rejection.starts_with("cannot use the state folder: "), "{rejection}");
        assert!(rejection.contains("; choose a folder"), "{rejection}");
    }
}

#[test]
fn a_damaged_certificate_is_ignored() {
    let folder = Folder::new();
    let options = options(folder.path().join("state"));
    let certificates = Arc::new(Certificates::default());
    drop(Acme::open(options.clone(), Arc::clone(&certificates)).unwrap());
    let file = options.folder.join(AUTHORITY).join("certificate.pem");
    fs::write(file, "Names: recipelog.example\nnothing").unwrap();
    open_unlocked(&options, &certificates);
    assert!(certificates.current().is_none());
}

/// Parameters of a certificate for `name` that is valid from 2000 on.
fn since_2000(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2000, 1, 1);
    params
}

/// Stores a certificate for `name` with `params` in the state folder `folder`.
fn store_certificate(folder: &Path, name: &str, params: &CertificateParams) {
    fs::create_dir_all(folder.join(AUTHORITY)).unwrap();
    let key = KeyPair::generate().unwrap();
    let chain = params.self_signed(&key).unwrap().pem();
    let file = format!("Names: {name}\n{}{chain}", key.serialize_pem());
    fs::write(folder.join(AUTHORITY).join("certificate.pem"), file).unwrap();
}

#[test]
fn a_stored_certificate_that_is_expired_or_for_other_names_is_reported_with_its_last_day() {
    for (name, year, reported, failed) in [
        (
            "recipelog.example",
            2001,
            "certificate for recipelog.example: expired on 01 Jan 2001; a new one for \
             recipelog.example is ordered",
            "; it expired on 01 Jan 2001; next try in 1m",
        ),
        (
            "a.example",
            4000,
            "certificate for a.example: valid until 01 Jan 4000; a new one for \
             recipelog.example is ordered",
            "; the one for a.example is valid until 01 Jan 4000; next try in 1m",
        ),
    ] {
        let folder = Folder::new();
        let folder = folder.path().join("state");
        let mut params = since_2000(name);
        params.not_after = date_time_ymd(year, 1, 1);
        store_certificate(&folder, name, &params);
        let process = Process::start(&folder);
        let line = process.line();
        assert!(line.ends_with(reported), "{line}");
        let line = process.line();
        assert!(line.contains("for recipelog.example: 127.0.0.1:0: "), "{line}");
        assert!(line.ends_with(failed), "{line}");
    }
}

#[test]
fn a_panic_is_a_failure_with_a_next_try() {
    let folder = Folder::new();
    // instant-acme panics on a directory that is no URL.
    let environment = [(DIRECTORY, "https://not a URL")];
    let process = Process::start_with(&folder.path().join("state"), &environment);
    let line = process.line_with("recipelog-site: ");
    assert!(line.contains("cannot obtain a certificate for recipelog.example: "), "{line}");
    assert!(line.ends_with("; next try in 1m"), "{line}");
}
