//! WIRE-33, WIRE-34: certificates that an authority issues: obtained, used again, renewed; and
//! authorities that fail.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use recipelog_site::tls::unverified_config;
use rustix::process::Signal;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConnection, StreamOwned};
use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::acme_pebble::{ACCOUNTS, Behaviour, EXTERNAL_ACCOUNT, ORDERS, Pebble, UNKNOWN};
use crate::certified_key::NOT_X509;
use crate::child_process::assert_rejected;
use crate::executable::{Server, command};
use crate::export::entries;
use crate::port::{ClosedPort, free_port};
use crate::wire::Connection;

const DOMAIN: &str = "recipelog.example";

/// A state folder, and the authority whose certificate a server presents.
struct Site {
    folder: TempDir,
    address: SocketAddr,
    tls_address: SocketAddr,
    directory: String,
    options: Vec<String>,
}

impl Site {
    /// With a certificate of `pebble`.
    fn of(pebble: &Pebble) -> Self {
        let root_file = pebble.root_file.to_str().unwrap();
        Self {
            tls_address: ([127, 0, 0, 1], pebble.tls_port).into(),
            options: vec!["--acme-root".to_owned(), root_file.to_owned()],
            ..Self::at(&pebble.directory)
        }
    }

    /// With an authority at `address`, which does not answer.
    fn without_answer(address: SocketAddr) -> Self {
        Self::at(&format!("https://{address}/dir"))
    }

    fn at(directory: &str) -> Self {
        let [address, tls_address] = [(); 2].map(|()| ([127, 0, 0, 1], free_port()).into());
        let (folder, directory) = (tempdir().unwrap(), directory.to_owned());
        Self { folder, address, tls_address, directory, options: Vec::new() }
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// A file for the authority in the state folder.
    fn file(&self, name: &str) -> PathBuf {
        let authority = self.directory.replace("https://", "").replace([':', '/'], "_");
        let folder = self.state().join(authority);
        fs::create_dir_all(&folder).unwrap();
        folder.join(name)
    }

    /// Stores a certificate for `name` that is valid from 2000 to `not_after`.
    fn store_certificate(&self, name: &str, not_after: SystemTime) -> CertificateDer<'static> {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after =
            date_time_ymd(1970, 1, 1) + not_after.duration_since(UNIX_EPOCH).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let content = format!("{}{}", key.serialize_pem(), certificate.pem());
        fs::write(self.file("certificate.pem"), content).unwrap();
        certificate.der().clone()
    }

    fn command(&self, domains: &[&str]) -> Command {
        let (plain, tls) = (self.address.to_string(), self.tls_address.to_string());
        let mut command = command(&["--listen", &plain, "--tls-listen", &tls]);
        command.arg("--acme-dir").arg(self.state()).args(["--acme-directory", &self.directory]);
        command.args(["--acme-domain", &domains.join(",")]).args(&self.options);
        command
    }

    /// Starts a server. Its sockets are open from its first line about a certificate on.
    fn start(&self, domains: &[&str]) -> Server {
        Server::starting(self.command(domains), self.address, self.tls_address)
    }
}

/// A connection over TLS, before its handshake.
fn connect(server: &Server) -> StreamOwned<ClientConnection, TcpStream> {
    let name = ServerName::try_from(DOMAIN).unwrap();
    let client = ClientConnection::new(Arc::new(unverified_config().unwrap()), name).unwrap();
    StreamOwned::new(client, Connection::open(server.tls_address).stream)
}

/// The certificate that a client gets. `None` if the handshake is rejected.
fn presented(server: &Server) -> Option<CertificateDer<'static>> {
    let mut stream = connect(server);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock).ok()?;
    }
    Some(stream.conn.peer_certificates()?.first()?.clone().into_owned())
}

#[test]
fn a_certificate_for_all_domains_is_obtained_presented_and_stored_for_this_user_only() {
    let behaviour = Behaviour { needs_external_account: true, ..Behaviour::default() };
    let pebble = Pebble::start(free_port(), behaviour);
    let mut site = Site::of(&pebble);
    let (id, key) = EXTERNAL_ACCOUNT;
    let key_file = site.folder.path().join("key");
    fs::write(&key_file, format!("{key}\n")).unwrap();
    let key_file = key_file.to_str().unwrap();
    let account = ["--acme-eab-kid", id, "--acme-eab-key", key_file];
    let email = ["--acme-email", "webmaster@recipelog.example", "--acme-profile", "shortlived"];
    site.options.extend([account, email].concat().into_iter().map(str::to_owned));

    let domains = [DOMAIN, "www.recipelog.example"];
    let server = site.start(&domains);
    server.line_with("certificate for recipelog.example, www.recipelog.example: valid until ");

    let certificate = presented(&server).expect("a handshake");
    let parsed = rustls::server::ParsedCertificate::try_from(&certificate).unwrap();
    for domain in domains {
        rustls::client::verify_server_name(&parsed, &domain.try_into().unwrap()).unwrap();
    }
    let contact = &pebble.payload(ACCOUNTS)["contact"];
    assert_eq!(*contact, json!(["mailto:webmaster@recipelog.example"]));
    assert_eq!(pebble.payload(ORDERS)["profile"], "shortlived");
    let entries = [vec![site.state()], entries(&site.state())].concat();
    for name in ["lock", "account.json", "certificate.pem", "failures.json"] {
        assert!(entries.iter().any(|path| path.ends_with(name)), "{name} in {entries:?}");
    }
    for path in entries {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[test]
fn a_restart_uses_account_and_certificate_again() {
    let pebble = Pebble::start(free_port(), Behaviour::default());
    let site = Site::of(&pebble);
    let server = site.start(&[DOMAIN, "www.recipelog.example"]);
    server.line_with("certificate for recipelog.example, www.recipelog.example: valid until ");
    let first = presented(&server).unwrap();
    drop(server);

    // The order of the domains does not matter, nor that one is repeated or left out.
    for domains in [&["www.recipelog.example", DOMAIN, DOMAIN][..], &[DOMAIN]] {
        let server = site.start(domains);
        server.line_with("certificate for ");
        assert_eq!(presented(&server).as_ref(), Some(&first));
    }
    assert_eq!(pebble.count(ORDERS), 1);

    // A further domain needs a new order, but no new account.
    let server = site.start(&[DOMAIN, "blog.recipelog.example"]);
    server.line_with("certificate for blog.recipelog.example, recipelog.example: valid until ");
    assert_ne!(presented(&server), Some(first));
    assert_eq!(pebble.count(ACCOUNTS), 1);
}

#[test]
fn a_certificate_is_renewed_with_a_new_key_before_it_expires() {
    let pebble = Pebble::start(free_port(), Behaviour::default());
    let site = Site::of(&pebble);
    // Less than a third of the lifetime is left.
    let day = Duration::from_secs(24 * 60 * 60);
    let old = site.store_certificate(DOMAIN, SystemTime::now() + 365 * day);
    let old_file = fs::read_to_string(site.file("certificate.pem")).unwrap();
    let server = site.start(&[DOMAIN]);
    for _ in 0..2 {
        server.line_with("certificate for recipelog.example: valid until ");
    }
    assert_ne!(presented(&server).expect("a handshake"), old);
    let file = fs::read_to_string(site.file("certificate.pem")).unwrap();
    let key = |file: &str| rustls::pki_types::PrivateKeyDer::from_pem_slice(file.as_bytes());
    assert_ne!(key(&file).unwrap(), key(&old_file).unwrap());
}

#[test]
fn a_certificate_is_renewed_when_the_authority_suggests_it() {
    let behaviour = Behaviour { renews_first: true, ..Behaviour::default() };
    let pebble = Pebble::start(free_port(), behaviour);
    let site = Site::of(&pebble);
    let server = site.start(&[DOMAIN]);
    for _ in 0..2 {
        server.line_with("certificate for recipelog.example: valid until ");
    }
    // Pebble ignores that the second order replaces a certificate, so the server places a
    // third one that replaces none.
    assert_eq!(pebble.count(ORDERS), 3);
}

#[test]
fn an_authority_that_has_forgotten_the_account_gets_a_new_one() {
    let mut pebble = Pebble::start(free_port(), Behaviour::default());
    let site = Site::of(&pebble);
    site.start(&[DOMAIN]).line_with("certificate for recipelog.example: valid until ");
    pebble.reset();
    let server = site.start(&["www.recipelog.example"]);
    server.line_with("certificate for www.recipelog.example: valid until ");
    assert_eq!(pebble.count(ACCOUNTS), 2);
}

#[test]
fn a_stored_certificate_stays_in_use_until_there_is_a_new_one() {
    let closed = ClosedPort::new();
    let year = |year| date_time_ymd(year, 1, 1).into();
    let soon = SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    for (name, not_after, problem, consequence) in [
        (DOMAIN, year(2001), "cannot renew", "it expired on 01 Jan 2001"),
        (DOMAIN, soon, "cannot renew", "it is valid until "),
        (
            "a.example",
            year(4000),
            "cannot obtain a",
            "the one for a.example is valid until 01 Jan 4000",
        ),
    ] {
        let site = Site::without_answer(closed.address());
        let stored = site.store_certificate(name, not_after);
        let server = site.start(&[DOMAIN]);
        let line = server.line_with("; next try in 1m");
        assert!(line.contains(problem) && line.contains(consequence), "{line}");
        assert_eq!(presented(&server), Some(stored));
    }
}

#[test]
fn failures_in_a_row_delay_the_next_try_over_restarts_too() {
    let closed = ClosedPort::new();
    let site = Site::without_answer(closed.address());
    let line = site.start(&[DOMAIN]).line_with("cannot obtain");
    let expected = format!(
        "cannot obtain a certificate for recipelog.example: {}: cannot connect: Connection \
         refused (os error 111); HTTPS connections fail until there is one; next try in 1m",
        closed.address()
    );
    assert!(line.ends_with(&expected), "{line}");
    site.start(&[DOMAIN]).line_with("the last try before this start failed");

    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let paused = "the last try before this start failed; HTTPS connections fail until there is one";
    for (failures, seconds_ago, reason, delay) in [
        (1, 0, paused, "1m"),
        // A restart shortens a long pause.
        (8, 0, paused, "15m"),
        (8, 15 * 60, "refused", "6h"),
        (3, 15 * 60, "refused", "30m"),
        (4, 15 * 60, "refused", "1h"),
        (5, 15 * 60, "refused", "2h"),
        (6, 15 * 60, "refused", "4h"),
        (7, 15 * 60, "refused", "6h"),
        // The clock was set back since then.
        (2, -24 * 60 * 60, "refused", "15m"),
        // The pause ends five seconds after the start.
        (1, 55, "refused", "5m"),
    ] {
        let last = now.saturating_add_signed(-seconds_ago);
        fs::write(site.file("failures.json"), json!([failures, last]).to_string()).unwrap();
        let line = site.start(&[DOMAIN]).line_with(reason);
        assert!(line.ends_with(&format!("; next try in {delay}")), "{failures}: {line}");
    }
}

#[test]
fn requests_for_other_domains_are_redirected_to_the_origin_over_https_too() {
    let closed = ClosedPort::new();
    let site = Site::without_answer(closed.address());
    let other = "www.recipelog.example";
    site.store_certificate(other, SystemTime::now() + Duration::from_secs(1_000_000));
    let get = |server: &Server, target: &str, host: &str| {
        let mut client = connect(server);
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        client.write_all(head.as_bytes()).unwrap();
        let mut response = String::new();
        client.read_to_string(&mut response).unwrap();
        response
    };
    let server = site.start(&[DOMAIN, other]);
    server.line_with("ready on ");
    let origin = format!("https://{DOMAIN}:{}", server.tls_address.port());
    for (target, host) in [
        ("/x?a=%20b", other),
        ("/x?a=%20b", "WWW.RecipeLog.example.:8443"),
        ("https://www.recipelog.example/x?a=%20b", other),
    ] {
        let response = get(&server, target, host);
        assert!(response.starts_with("HTTP/1.1 308 "), "{target} {host}: {response}");
        assert!(response.contains(&format!("\r\nlocation: {origin}/x?a=%20b\r\n")), "{response}");
        assert!(response.contains("\r\nstrict-transport-security: "), "{response}");
    }
    let robots = "/robots.txt";
    for (target, host) in [("/healthz", other), (robots, "a"), (robots, DOMAIN)] {
        let response = get(&server, target, host);
        assert!(response.starts_with("HTTP/1.1 200 "), "{target} {host}: {response}");
    }
    drop(server);
    // Another server answers at such an origin, and may send the requests to a domain.
    let mut command = site.command(&[DOMAIN, other]);
    command.args(["--origin", "https://cdn.example"]);
    let server = Server::starting(command, site.address, site.tls_address);
    server.line_with("ready on ");
    assert!(get(&server, "/robots.txt", other).starts_with("HTTP/1.1 200 "));
}

#[test]
fn the_reason_of_a_failed_validation_is_reported() {
    let pebble = Pebble::start(free_port(), Behaviour::default());
    let unknown = format!("{UNKNOWN}recipelog.example");
    let site = Site::of(&pebble);
    let server = site.start(&[DOMAIN, &unknown]);
    let line = server.line_with("cannot obtain a certificate for ");
    assert!(line.contains(&format!("recipelog.example, {unknown}: {unknown}: ")), "{line}");
    assert!(line.contains("urn:ietf:params:acme:error:"), "{line}");
    assert!(line.ends_with("; next try in 1m"), "{line}");
    assert_eq!(presented(&server), None);
}

#[test]
fn a_panic_is_a_failure_with_a_next_try() {
    let behaviour = Behaviour { has_bad_directory: true, ..Behaviour::default() };
    let pebble = Pebble::start(free_port(), behaviour);
    let site = Site::of(&pebble);
    let server = site.start(&[DOMAIN]);
    let line = server.line_with("cannot obtain a certificate for recipelog.example: a panic");
    assert!(line.ends_with("; next try in 1m"), "{line}");
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
}

#[test]
fn an_authority_that_never_answers_delays_neither_requests_nor_the_shutdown() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = Site::without_answer(silent.local_addr().unwrap());
    let mut server = site.start(&[DOMAIN]);
    let _connection = silent.accept().unwrap();
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    server.line_with("ready on ");
    let begun = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(0));
    // A request to the authority takes up to 30 s.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_try_that_a_crash_interrupts_counts() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = Site::without_answer(silent.local_addr().unwrap());
    let server = site.start(&[DOMAIN]);
    let _connection = silent.accept().unwrap();
    // Kills the process.
    drop(server);
    let line = site.start(&[DOMAIN]).line_with("cannot obtain");
    let paused = "the last try before this start failed; HTTPS connections fail until there is one";
    assert!(line.contains(paused) && line.ends_with("; next try in 1m"), "{line}");
}

#[test]
fn a_state_folder_has_one_user() {
    let closed = ClosedPort::new();
    let mut site = Site::without_answer(closed.address());
    let server = site.start(&[DOMAIN]);
    server.line_with("cannot obtain");
    site.address = ([127, 0, 0, 1], free_port()).into();
    site.tls_address = ([127, 0, 0, 1], free_port()).into();
    assert_rejected(site.command(&[DOMAIN]), 1, &["another process uses", "choose another folder"]);
    drop(server);
    site.start(&[DOMAIN]).line_with("ready on ");
}

#[test]
fn state_that_cannot_be_read_or_written_does_not_prevent_a_certificate() {
    let pebble = Pebble::start(free_port(), Behaviour::default());
    let site = Site::of(&pebble);
    fs::write(site.file("certificate.pem"), "nothing").unwrap();
    fs::write(site.file("account.json"), "nothing").unwrap();
    fs::write(site.file("failures.json"), "nothing").unwrap();
    for name in ["account.json", "certificate.pem", "failures.json"] {
        fs::create_dir(site.file(&format!("{name}.new"))).unwrap();
    }
    let server = site.start(&[DOMAIN]);
    let line = server.line_with("cannot use the stored certificate: ");
    assert!(line.ends_with("no certificate in PEM; a new one is ordered"), "{line}");
    let line = server.line_with("certificate.pem: ");
    assert!(line.contains("; the new certificate is in use"), "{line}");
    assert!(presented(&server).is_some());
}

#[test]
fn bad_acme_options_are_rejected_in_one_line_and_no_state_folder_is_created() {
    let closed = ClosedPort::new();
    let site = Site::without_answer(closed.address());
    for (option, content, expected) in [
        ("--acme-root", "", "no certificate in PEM; write the authority's root"),
        ("--acme-root", NOT_X509, "one of the certificates is not valid X.509; write"),
        ("--acme-eab-key", "a+b/", "no base64url text; write the key"),
        ("--acme-eab-key", "\n", "no base64url text; write the key"),
    ] {
        let file = site.folder.path().join("file");
        fs::write(&file, content).unwrap();
        let mut command = site.command(&[DOMAIN]);
        command.arg(option).arg(&file);
        if option == "--acme-eab-key" {
            command.args(["--acme-eab-kid", "id"]);
        }
        assert_rejected(command, 1, &[expected]);
        assert!(!site.state().exists(), "{expected}");
    }
}
