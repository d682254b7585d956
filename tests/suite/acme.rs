//! WIRE-33, WIRE-34: certificates that an authority issues: obtained, used again, renewed; and
//! authorities that fail.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{BasicConstraints, IsCa, date_time_ymd};
use recipelog_site::tls::day;
use rustix::process::Signal;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde_json::json;
use tempfile::{TempDir, tempdir};
use walkdir::WalkDir;

use crate::support::authority::Behaviour::{self, *};
use crate::support::authority::{ACCOUNTS, Authority, HANGING, ORDERS, UNKNOWN};
use crate::support::client::Connection;
use crate::support::files::{make_fifo, make_large};
use crate::support::process::{CLOSED, Server, assert_rejected, command, free_port};
use crate::support::texts::assert_outcomes;
use crate::support::tls::{CertifiedKey, command_with, connect_unverified, presented_for};

const DOMAIN: &str = "recipes.example";
const WWW: &str = "www.recipes.example";

/// The files of [`DOMAIN`] in the folder of an authority.
const CERTIFICATE: &str = "recipes.example/certificate.pem";
const FAILURES: &str = "recipes.example/failures.json";

/// A state folder, and the authority whose certificate a server presents.
struct Site {
    folder: TempDir,
    address: SocketAddr,
    tls_address: SocketAddr,
    directory: String,
    /// The value of `--acme-root`.
    root: Option<PathBuf>,
}

impl Site {
    /// With an authority that answers.
    fn of(behaviour: Behaviour) -> (Authority, Self) {
        let authority = Authority::start(behaviour);
        let mut site = Self::at(&authority.directory, Some(&authority.root_file));
        site.tls_address.set_port(authority.tls_port);
        (authority, site)
    }

    /// With an authority at `address`, which does not answer.
    fn without_answer(address: &str) -> Self {
        Self::at(&format!("https://{address}/dir"), None)
    }

    fn at(directory: &str, root: Option<&PathBuf>) -> Self {
        let [address, tls_address] = [(); 2].map(|()| ([127, 0, 0, 1], free_port()).into());
        let (folder, directory) = (tempdir().unwrap(), directory.to_owned());
        Self { folder, address, tls_address, directory, root: root.cloned() }
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// A file for the authority in the state folder.
    fn file(&self, name: &str) -> PathBuf {
        let authority = self.directory.replace("https://", "").replace([':', '/'], "_");
        let path = self.state().join(authority).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// Stores a certificate for `domain` that is valid from 2000 to `not_after`.
    fn store(&self, domain: &str, not_after: SystemTime) -> CertificateDer<'static> {
        let certified = CertifiedKey::of(&[domain], 2000, not_after);
        let content = format!("{}{}", certified.key, certified.certificate);
        fs::write(self.file(&format!("{domain}/certificate.pem")), content).unwrap();
        certified.der()
    }

    fn command(&self, domains: &[&str]) -> Command {
        let (plain, tls) = (self.address.to_string(), self.tls_address.to_string());
        let mut command = command(&["--listen", &plain, "--tls-listen", &tls]);
        command.arg("--acme-dir").arg(self.state()).args(["--acme-directory", &self.directory]);
        command.args(["--acme-domain", &domains.join(",")]);
        command.args(self.root.iter().flat_map(|root| [Path::new("--acme-root"), root]));
        command
    }

    /// Starts a server. Its sockets are open from its first line about a certificate on.
    fn start(&self, domains: &[&str]) -> Server {
        Server::starting(self.command(domains), self.address, self.tls_address)
    }
}

fn presented(server: &Server) -> Option<CertificateDer<'static>> {
    presented_for(server, DOMAIN)
}

fn is_for(certificate: &CertificateDer<'_>, name: &'static str) -> bool {
    let parsed = rustls::server::ParsedCertificate::try_from(certificate).unwrap();
    rustls::client::verify_server_name(&parsed, &name.try_into().unwrap()).is_ok()
}

/// Asserts that the next lines with `part` contain `texts`, in any order: the orders run side by side.
fn assert_lines<T: AsRef<str>>(server: &Server, part: &str, texts: &[T]) {
    let lines: Vec<_> = texts.iter().map(|_| server.line_with(part)).collect();
    for text in texts.iter().map(AsRef::as_ref) {
        assert!(lines.iter().any(|line| line.contains(text)), "{lines:?} without {text}");
    }
}

#[test]
fn a_certificate_for_each_domain_is_obtained_presented_and_stored_for_this_user_only() {
    let (_authority, site) = Site::of(Normal);
    let server = site.start(&[DOMAIN, WWW]);
    let valid = [DOMAIN, WWW].map(|domain| {
        // A third of the two thousand years before.
        format!("certificate for {domain}: valid until 01 Jan 4000, renewal on 02 May 3333")
    });
    assert_lines(&server, "certificate for ", &valid);
    for (name, expected, other) in [
        (DOMAIN, DOMAIN, WWW),
        (WWW, WWW, DOMAIN),
        ("a.example", DOMAIN, WWW),
        ("::1", DOMAIN, WWW),
    ] {
        let certificate = presented_for(&server, name).expect("a handshake");
        assert!(is_for(&certificate, expected) && !is_for(&certificate, other), "{name}");
    }
    let entries = WalkDir::new(site.state()).into_iter().map(|entry| entry.unwrap().into_path());
    let entries: Vec<_> = entries.collect();
    for name in ["lock", "account.json", CERTIFICATE, FAILURES] {
        assert!(entries.iter().any(|path| path.ends_with(name)), "{name} in {entries:?}");
    }
    for path in entries {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[test]
fn a_restart_uses_account_and_certificate_again() {
    let (authority, site) = Site::of(Normal);
    let server = site.start(&[DOMAIN, WWW]);
    server.line_with("certificate for www.recipes.example: valid until ");
    let first = presented(&server).unwrap();
    drop(server);

    // The order of the domains does not matter, nor that one is repeated or left out.
    for domains in [&[WWW, DOMAIN, DOMAIN][..], &[DOMAIN]] {
        let server = site.start(domains);
        server.line_with("certificate for ");
        assert_eq!(presented(&server).as_ref(), Some(&first));
    }
    assert_eq!(authority.count(ORDERS), 2);

    // Another domain needs a new order, but no new account, unless the authority has forgotten it and
    // rejects an order.
    for (domain, requests) in [("blog.recipes.example", (3, 1)), ("shop.recipes.example", (5, 2))] {
        let server = site.start(&[DOMAIN, domain]);
        server.line_with(&format!("certificate for {domain}: valid until "));
        assert_eq!(presented(&server).as_ref(), Some(&first));
        assert_eq!((authority.count(ORDERS), authority.count(ACCOUNTS)), requests, "{domain}");
        authority.forget_accounts();
    }
}

#[test]
fn a_domain_that_is_lost_or_hangs_keeps_https_for_the_others() {
    let (authority, site) = Site::of(Normal);
    let failure = "; point the name to this machine and open port 443; HTTPS for";
    let success = "certificate for recipes.example: valid until ";
    // Plain HTTP is not redirected to a name whose handshakes fail. A restart knows the reason.
    for (domains, status) in [(&[UNKNOWN, HANGING, DOMAIN][..], 200), (&[DOMAIN, UNKNOWN], 308)] {
        let server = site.start(domains);
        assert_lines(&server, "certificate for ", &[failure, success]);
        assert_eq!(Connection::open(server.address).get("/terms").status, status);
        assert!(is_for(&presented(&server).unwrap(), DOMAIN));
        assert_eq!(presented_for(&server, "::1").is_some(), status == 308);
    }
    assert_eq!(authority.count(ORDERS), 3);
}

#[test]
fn a_certificate_is_renewed_with_a_new_key_when_the_authority_suggests_it() {
    let (authority, site) = Site::of(Renews);
    let server = site.start(&[DOMAIN]);
    server.line_with("certificate for recipes.example: valid until ");
    // The server checks each second whether a renewal is due. For an hour, it orders none.
    thread::sleep(Duration::from_secs(3));
    assert_eq!(authority.count(ORDERS), 1);
    let read = || fs::read_to_string(site.file(CERTIFICATE)).unwrap();
    let (old, old_file) = (presented(&server), read());
    drop(server);

    fs::remove_file(site.file(FAILURES)).unwrap();
    let server = site.start(&[DOMAIN]);
    for _ in 0..2 {
        server.line_with("certificate for recipes.example: valid until ");
    }
    assert_ne!(presented(&server), old);
    let key = |file: &str| rustls::pki_types::PrivateKeyDer::from_pem_slice(file.as_bytes());
    assert_ne!(key(&read()).unwrap(), key(&old_file).unwrap());
    assert!(authority.payloads(ORDERS)[1]["replaces"].is_string());
}

#[test]
fn a_stored_certificate_stays_in_use_until_there_is_a_new_one() {
    let year = |year| date_time_ymd(year, 1, 1).into();
    let soon = SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    for (not_after, consequence) in
        [(year(2001), "it expired on 01 Jan 2001"), (soon, "it is valid until ")]
    {
        let site = Site::without_answer(CLOSED);
        let stored = site.store(DOMAIN, not_after);
        let server = site.start(&[DOMAIN]);
        let line = server.line_with("; next attempt in 1m");
        assert!(line.contains("cannot renew") && line.contains(consequence), "{line}");
        assert_eq!(presented(&server), Some(stored));
    }
}

#[test]
fn failures_in_a_row_delay_the_next_attempt_over_restarts_too() {
    let site = Site::without_answer(CLOSED);
    let line = site.start(&[DOMAIN]).line_with("cannot obtain");
    let refused = "cannot connect: Connection refused; check --acme-directory, the network";
    let expected = format!("cannot obtain a certificate for {DOMAIN}: {CLOSED}: {refused}");
    let ending = format!("; HTTPS for {DOMAIN} fails until there is one; next attempt in 1m");
    assert!(line.contains(&expected) && line.ends_with(&ending), "{line}");
    let line = site.start(&[DOMAIN]).line_with("example: before this start: ");
    assert!(line.contains(refused) && line.ends_with("; next attempt in 1m"), "{line}");
    // A second failure in a row, once the pause ends five seconds after the start.
    let last = UNIX_EPOCH.elapsed().unwrap().as_secs() - 55;
    fs::write(site.file(FAILURES), json!([1, last, "a reason"]).to_string()).unwrap();
    let line = site.start(&[DOMAIN]).line_with("refused");
    assert!(line.ends_with("; next attempt in 5m"), "{line}");
}

/// An origin without a certificate of its own is at another server, which may send its requests to a domain.
#[test]
fn requests_for_other_domains_are_redirected_to_an_origin_that_is_a_domain() {
    let site = Site::without_answer(CLOSED);
    site.store(DOMAIN, SystemTime::now() + Duration::from_secs(1_000_000));
    let redirect = "location: https://recipes.example/x?a=%20b\r\n";
    for (origin, host, status, field) in [
        ("https://recipes.example", WWW, 308, redirect),
        ("https://recipes.example", "WWW.Recipes.example.:8443", 308, redirect),
        ("https://recipes.example", DOMAIN, 404, "strict-transport-security: "),
        ("https://cdn.example", WWW, 404, "strict-transport-security: "),
    ] {
        let mut command = site.command(&[DOMAIN, WWW]);
        command.args(["--origin", origin]);
        let server = Server::starting(command, site.address, site.tls_address);
        server.line_with("ready on ");
        let mut client = connect_unverified(&server, "::1");
        let head = format!("GET /x?a=%20b HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        client.write_all(head.as_bytes()).unwrap();
        let mut response = String::new();
        client.read_to_string(&mut response).unwrap();
        let start = format!("HTTP/1.1 {status} ");
        assert!(response.starts_with(&start) && response.contains(field), "{host}: {response}");
    }
}

/// A line is the path, the status and the content of the authority's answer, what else it does, or the account of an
/// earlier process, which is not replaced.
#[test]
fn a_failure_is_reported_with_its_reason_its_remedy_and_the_next_attempt() {
    assert_outcomes("acme-failures", |line| {
        let words: Vec<&'static str> = line.to_owned().leak().splitn(3, ' ').collect();
        let (domain, behaviour) = match words[..] {
            ["unknown.recipes.example"] => (UNKNOWN, Normal),
            ["external-account"] => (DOMAIN, NeedsExternalAccount),
            ["issues", name, year] => (DOMAIN, Issues(name, year.parse().unwrap())),
            ["account.json", ..] => (DOMAIN, Normal),
            [path, status, content] => (DOMAIN, Answers(path, status.parse().unwrap(), content)),
            _ => panic!("{line}"),
        };
        let (authority, site) = Site::of(behaviour);
        let port = authority.directory.replace(|it: char| !it.is_ascii_digit(), "");
        let account = line.strip_prefix("account.json ").map(|json| json.replace("PORT", &port));
        if let Some(account) = &account {
            fs::write(site.file("account.json"), account).unwrap();
        }
        let server = site.start(&[domain]);
        let report = server.line_with("cannot obtain a certificate for ");
        assert!(authority.count(ACCOUNTS) <= usize::from(account.is_none()), "{line}");
        let stored = fs::read_to_string(site.file("account.json")).ok();
        assert!(account.is_none() || account == stored, "{line}");
        assert_eq!(presented(&server), None, "{line}");
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
        let report = report.replace(site.state().to_str().unwrap(), "STATE");
        [":", "_"].iter().fold(report, |report, mark| {
            report.replace(&format!("localhost{mark}{port}"), &format!("localhost{mark}PORT"))
        })
    });
}

#[test]
fn an_authority_whose_own_certificate_is_not_accepted_is_reported_with_the_remedy() {
    let clock = format!("is not valid on {}, the date of this", day(SystemTime::now()));
    let authority = CertifiedKey::with(|own| own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    let unnamed = CertifiedKey::of(&["a.example"], 2000, date_time_ymd(4000, 1, 1).into());
    for (certified, is_trusted, reason) in [
        (CertifiedKey::new(), false, "is from an unknown authority; name its root certificate"),
        (authority, true, "is an authority's own (CA:TRUE), as openssl req -x509 makes it; make"),
        (CertifiedKey::between(3000, 4000), true, &clock),
        (CertifiedKey::between(2000, 2020), true, &clock),
        (unnamed, true, "is for another name; give --acme-directory a name that it has"),
    ] {
        let folder = tempdir().unwrap();
        let files = certified.write(folder.path());
        let authority = Server::of(command_with(&files, &[]));
        let directory = format!("https://localhost:{}/dir", authority.tls_address.port());
        let site = Site::at(&directory, Some(&files[0]).filter(|_| is_trusted));
        let line = site.start(&[DOMAIN]).line_with("cannot obtain a certificate for ");
        assert!(line.contains(&format!(": its certificate for HTTPS {reason}")), "{line}");
    }
}

#[test]
fn requests_and_shutdown_do_not_wait_for_a_silent_authority_and_a_crash_counts_as_an_attempt() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let start = || {
        let site = Site::without_answer(&silent.local_addr().unwrap().to_string());
        let server = site.start(&[DOMAIN]);
        (silent.accept().unwrap(), site, server)
    };
    let (_connection, _, mut server) = start();
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    server.line_with("ready on ");
    server.signal(Signal::TERM);
    let (status, duration) = server.wait();
    assert_eq!(status.code(), Some(0));
    // A request to the authority takes up to 30 s.
    assert!(duration < Duration::from_secs(20), "{duration:?}");

    let (_connection, site, server) = start();
    // Kills the process.
    drop(server);
    let line = site.start(&[DOMAIN]).line_with("cannot obtain");
    assert!(line.contains("before this start: interrupted; "), "{line}");
    assert!(line.ends_with("; next attempt in 1m"), "{line}");
}

#[test]
fn a_state_folder_has_one_user() {
    let mut site = Site::without_answer(CLOSED);
    let server = site.start(&[DOMAIN]);
    server.line_with("cannot obtain");
    site.address = ([127, 0, 0, 1], free_port()).into();
    site.tls_address = ([127, 0, 0, 1], free_port()).into();
    assert_rejected(site.command(&[DOMAIN]), 1, &["another process uses", "choose another folder"]);
    drop(server);
    site.start(&[DOMAIN]).line_with("ready on ");
}

/// Reading such a file could never end, or take all memory. A line is a file and what is there instead. All names need
/// the lock.
#[test]
fn a_state_file_that_is_not_regular_or_too_large_costs_its_name_alone_its_https() {
    assert_outcomes("state-files", |line| {
        let site = Site::without_answer(CLOSED);
        let stored = site.store(WWW, date_time_ymd(4000, 1, 1).into());
        let (name, kind) = line.split_once(' ').expect("a file and a kind");
        match (site.file(name), kind) {
            (path, "folder") => fs::create_dir(path).unwrap(),
            (path, "fifo") => make_fifo(&path),
            (path, _) => make_large(&path),
        }
        let server = site.start(&[DOMAIN, WWW]);
        let report = server.console.next().expect("a line");
        if report.contains("; recipes.example has no HTTPS") {
            server.line_with("certificate for www.recipes.example: valid until ");
            assert_eq!(presented_for(&server, WWW), Some(stored));
            assert_eq!(Connection::open(server.address).get("/terms").status, 200);
        }
        report.replace(site.state().to_str().unwrap(), "STATE")
    });
    let site = Site::without_answer(CLOSED);
    fs::write(site.state(), "").unwrap();
    let reason = "state: Not a directory; choose another folder with --acme-dir";
    assert_rejected(site.command(&[DOMAIN]), 1, &[reason]);
}

/// Let's Encrypt allows ten accounts in three hours.
#[test]
fn state_that_cannot_be_read_or_written_prevents_no_certificate_and_costs_one_account() {
    let (authority, site) = Site::of(Normal);
    for name in [CERTIFICATE, "account.json", FAILURES] {
        fs::write(site.file(name), "nothing").unwrap();
    }
    for name in [CERTIFICATE, "account.json"] {
        fs::create_dir(site.file(&format!("{name}.new"))).unwrap();
    }
    // Left behind by a crash, or by somebody else: a file that has such a name does not keep its mode.
    make_fifo(&site.file(&format!("{FAILURES}.new")));
    let old = site.file(&format!("{WWW}/certificate.pem.new"));
    fs::write(&old, "").unwrap();
    fs::set_permissions(&old, Permissions::from_mode(0o666)).unwrap();
    let server = site.start(&[DOMAIN, UNKNOWN, WWW]);
    let also = format!("{}; once there is a certificate, also on https://", site.address);
    let lines = [
        &format!("https://recipes.example: ready on http://{also}{}", site.tls_address),
        "recipes.example: no certificate in PEM; a new one is ordered",
        "; set --support-email to yours",
        "; set --contact-url to receive",
        "account.json: File exists; choose another folder with --acme-dir; a restart registers",
        "certificate.pem: File exists; choose another folder with --acme-dir; the new certificate is",
        "certificate for recipes.example: valid until ",
        "certificate for www.recipes.example: valid until ",
        "cannot obtain a certificate for unknown.recipes.example: ",
    ];
    assert_lines(&server, "", &lines);
    assert_eq!((authority.count(ORDERS), authority.count(ACCOUNTS)), (3, 1));
    for name in [FAILURES, "www.recipes.example/certificate.pem"] {
        let data = fs::metadata(site.file(name)).unwrap();
        assert!(data.is_file() && data.permissions().mode() & 0o777 == 0o600, "{name}: {data:?}");
    }
}
