//! WIRE-32: certificates in files of the operator: they are read again when they change, in
//! the sandbox too.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rcgen::{CertificateParams, DnType, Issuer, KeyPair};
use recipelog_site::tls::day;
use tempfile::tempdir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::certified_key::{CertifiedKey, NAMES, NOT_X509, TlsServer, command_with, connect};
use crate::child_process::{DEADLINE, Running, assert_rejected, wait_until};
use crate::executable::{Server, command};

/// Creates a FIFO without a writer: a read of it waits for ever.
pub fn make_fifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(status.success(), "mkfifo {}: {status}", path.display());
}

/// Creates a file of more than 1 MiB.
pub fn make_large(path: &Path) {
    fs::File::create(path).unwrap().set_len((1 << 20) + 1).unwrap();
}

/// True if a new handshake gets the certificate of `certified`.
async fn presents(server: &Server, certified: &CertifiedKey) -> bool {
    let config = certified.client(&[], rustls::DEFAULT_VERSIONS);
    connect(server.tls_address, Arc::new(config)).await.is_ok()
}

/// Waits for the new certificate, which is reported shortly before it is in use.
async fn assert_presents_soon(server: &Server, certified: &CertifiedKey) {
    let begun = Instant::now();
    while !presents(server, certified).await {
        assert!(begun.elapsed() < DEADLINE, "the old certificate is still presented");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_certificate_that_is_replaced_is_presented_by_new_handshakes() {
    // As in a mounted Secret of Kubernetes: name → ..data/name, ..data → ..1
    let folder = tempdir().unwrap();
    let below = |name: &str| folder.path().join(name);
    let write = |certified: &CertifiedKey, name: &str| {
        fs::create_dir(below(name)).unwrap();
        certified.write(&below(name));
    };
    let (first, second) = (CertifiedKey::new(), CertifiedKey::new());
    write(&first, "..1");
    symlink("..1", below("..data")).unwrap();
    let files = ["certificate.pem", "key.pem"].map(|name| {
        symlink(Path::new("..data").join(name), below(name)).unwrap();
        below(name)
    });
    let server = Server::of(command_with(&files, &[]));
    let config = first.client(&[], rustls::DEFAULT_VERSIONS);
    let mut old = connect(server.tls_address, Arc::new(config)).await.unwrap();

    write(&second, "..2");
    symlink("..2", below("new")).unwrap();
    fs::rename(below("new"), below("..data")).unwrap();
    fs::remove_dir_all(below("..1")).unwrap();
    assert_presents_soon(&server, &second).await;
    server.line_with("certificate for a.example, localhost: valid until ");
    assert!(!presents(&server, &first).await);

    // Connections that were open before still work.
    old.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut start = [0; 12];
    old.read_exact(&mut start).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
}

#[tokio::test]
async fn unusable_files_are_reported_and_the_old_certificate_stays_in_use() {
    let folder = tempdir().unwrap();
    let (first, second) = (CertifiedKey::new(), CertifiedKey::new());
    let paths = first.write(folder.path());
    let server = Server::of(command_with(&paths, &[]));

    // Between two checks of the files, one of which follows the start.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let begun = Instant::now();
    fs::write(&paths[0], &second.certificate).unwrap();
    let line = server.line_with("old certificate stays in use");
    assert!(line.contains("does not belong to the certificate"), "{line}");
    // The key may follow within a second.
    assert!(begun.elapsed() >= Duration::from_secs(1), "too early: {begun:?}");
    assert!(presents(&server, &first).await);

    fs::write(&paths[1], "nonsense").unwrap();
    let line = server.line_with("old certificate stays in use");
    assert!(line.contains("key.pem: no private key in PEM"), "{line}");

    fs::remove_file(&paths[1]).unwrap();
    let line = server.line_with("old certificate stays in use");
    assert!(line.contains("cannot read") && line.contains("key.pem"), "{line}");
    assert!(presents(&server, &first).await);

    // Every handshake would fail, because clients parse the whole chain.
    fs::write(&paths[0], second.certificate.clone() + NOT_X509).unwrap();
    fs::write(&paths[1], &second.key).unwrap();
    let line = server.line_with("old certificate stays in use");
    assert!(line.contains("not valid X.509"), "{line}");
    assert!(presents(&server, &first).await);

    fs::write(&paths[0], &second.certificate).unwrap();
    assert_presents_soon(&server, &second).await;
}

#[test]
fn files_that_cannot_be_read_are_reported_once_and_read_again_without_a_change() {
    let site = TlsServer::start(&[]);
    // Between two checks, the thread waits.
    let checks = || {
        let mut threads = site.server.threads("status");
        let status = threads.find(|status| status.contains("certificate\n")).expect("a thread");
        let waits = status.split_once("\nvoluntary_ctxt_switches:\t").expect("a number").1;
        waits.split_once('\n').expect("a line").0.parse::<u32>().expect("a number")
    };
    // All workers have started.
    site.server.wait_until_idle();
    let limit = site.server.set_open_files(Some(0));
    site.certified.write(site.folder.path());
    let line = site.server.console.next().expect("a line");
    assert!(line.contains("Too many open files"), "{line}");
    let seen = checks();
    wait_until("further checks", || checks() > seen + 3);
    site.server.set_open_files(limit);
    let line = site.server.console.next().expect("a line");
    assert!(line.contains("certificate for a.example, localhost: valid until"), "{line}");
    site.server.assert_reported_nothing();
}

#[tokio::test]
async fn files_are_read_again_if_their_mode_changes() {
    const LINE: &str = "certificate for a.example, localhost: valid until";
    let site = TlsServer::start(&[]);
    let key = site.folder.path().join("key.pem");
    fs::set_permissions(key, Permissions::from_mode(0o640)).unwrap();
    site.server.line_with(LINE);
}

#[test]
fn the_start_reports_names_and_last_day_of_a_certificate_and_why_clients_reject_it() {
    const VALID: &str = "valid until 01 Jan 4000";
    const LOCAL: &str = "https://localhost";
    let unnamed = format!("{VALID}; it does not name b.a.example");
    let early = "not valid before 01 Jan 3000; replace it, or correct the clock";
    let soon = SystemTime::now() + Duration::from_secs(2 * 24 * 60 * 60);
    let expiring = format!("expires on {}; replace it", day(soon));
    // Signed by another certificate, which is not part of the chain.
    let (key, mut issuer) = (KeyPair::generate().unwrap(), CertificateParams::default());
    issuer.distinguished_name.push(DnType::CommonName, "issuer");
    let issuer = Issuer::new(issuer, KeyPair::generate().unwrap());
    let names = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
    let certificate = names.signed_by(&key, &issuer).unwrap().pem();
    let unchained = CertifiedKey { certificate, key: key.serialize_pem() };
    let without_issuer = "valid until 01 Jan 4096; no intermediate certificate; use fullchain.pem, \
                          unless clients trust its issuer";
    for (origin, certified, expected) in [
        ("https://a.example:8443", CertifiedKey::new(), VALID),
        ("https://b.a.example", CertifiedKey::new(), &unnamed),
        (LOCAL, CertifiedKey::between(2000, 2020), "expired on 01 Jan 2020; replace it"),
        (LOCAL, CertifiedKey::between(3000, 4000), early),
        (LOCAL, CertifiedKey::of(&NAMES, 2000, soon), &expiring),
        (LOCAL, unchained, without_issuer),
    ] {
        let folder = tempdir().unwrap();
        let files = certified.write(folder.path());
        let listen = ["--listen", "127.0.0.1:0", "--origin", origin];
        let mut command = command_with(&files, &listen);
        let mut process = Running(command.stderr(Stdio::piped()).spawn().unwrap());
        let line = process.console().next().expect("a line");
        let prefix = "recipelog-site: certificate for a.example, localhost: ";
        assert_eq!(line.strip_prefix(prefix), Some(expected), "{line}");
    }
}

#[test]
fn a_certificate_that_expires_in_three_days_is_reported_while_the_server_runs() {
    let folder = tempdir().unwrap();
    let end = SystemTime::now() + Duration::from_secs(3 * 24 * 60 * 60 + 3);
    let files = CertifiedKey::of(&NAMES, 2000, end).write(folder.path());
    let none = ([0, 0, 0, 0], 0).into();
    // If the start takes longer, it reports this itself.
    let server = Server::starting(command_with(&files, &[]), none, none);
    server.line_with(&format!("localhost: expires on {}; replace it", day(end)));
}

/// A read of such a file could take for ever, or all memory.
#[test]
fn a_start_with_a_file_that_is_no_regular_one_or_too_large_is_an_error() {
    let folder = tempdir().unwrap();
    let [certificate, key] = CertifiedKey::new().write(folder.path());
    let [fifo, large, state] = ["fifo", "large", "state"].map(|name| folder.path().join(name));
    make_fifo(&fifo);
    make_large(&large);
    for (file, reason) in [
        (fifo, "not a regular file; name one, not a pipe, device or folder"),
        (folder.path().to_owned(), "not a regular file; name one, not a pipe, device or folder"),
        (large, "larger than 1 MiB; name a smaller file"),
    ] {
        let parts = [file.to_str().unwrap(), reason];
        assert_rejected(command_with(&[certificate.clone(), file.clone()], &[]), 1, &parts);
        assert_rejected(command_with(&[file.clone(), key.clone()], &[]), 1, &parts);
        for options in [&["--acme-root"][..], &["--acme-eab-kid", "a", "--acme-eab-key"]] {
            let mut command = command(&["--acme-domain", "a.example", "--acme-dir"]);
            command.arg(&state).args(options).arg(&file);
            command.args(["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0"]);
            assert_rejected(command, 1, &parts);
        }
    }
}
