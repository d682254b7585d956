//! WIRE-32: certificates in files of the operator: what the server says about them, and how they are read again when
//! they change, in the sandbox too.

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ED25519, SanType, date_time_ymd,
};
use recipelog_site::tls::{Certificate, day};
use tempfile::tempdir;

use crate::support::files::{make_fifo, make_large};
use crate::support::process::{Running, Server, assert_rejected, wait_until};
use crate::support::texts::{assert_outcomes, command_of};
use crate::support::tls::{
    CertifiedKey, NAMES, NOT_X509, TlsServer, command_with, connect_unverified, presented_for,
};

/// True if a new handshake gets the certificate of `certified`.
fn presents(server: &Server, certified: &CertifiedKey) -> bool {
    presented_for(server, NAMES[0]) == Some(certified.der())
}

#[test]
fn a_certificate_that_is_replaced_is_presented_by_new_handshakes() {
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
    assert!(presents(&server, &first));
    let mut old = connect_unverified(&server, NAMES[0]);
    old.flush().unwrap();

    write(&second, "..2");
    // As some editors and shells of Windows write it.
    fs::write(below("..2/key.pem"), format!("\u{feff}{}", second.key)).unwrap();
    let marked = format!("\u{feff}{}", second.certificate);
    fs::write(below("..2/certificate.pem"), marked).unwrap();
    symlink("..2", below("new")).unwrap();
    fs::rename(below("new"), below("..data")).unwrap();
    fs::remove_dir_all(below("..1")).unwrap();
    // It is reported shortly before it is in use.
    wait_until("the new certificate", || presents(&server, &second));
    server.line_with("certificate for a.example, localhost: valid until ");

    // Connections that were open before still work.
    old.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut start = [0; 12];
    old.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
}

#[test]
fn unusable_files_are_reported_and_the_old_certificate_stays_in_use() {
    let folder = tempdir().unwrap();
    let (first, second) = (CertifiedKey::new(), CertifiedKey::new());
    let paths = first.write(folder.path());
    let server = Server::of(command_with(&paths, &[]));
    // Between two checks of the files, one of which follows the start.
    thread::sleep(Duration::from_millis(500));
    for (key, problem) in [(&*first.key, "does not belong to the first"), ("a", "no private key")] {
        let begun = Instant::now();
        fs::write(&paths[0], &second.certificate).unwrap();
        fs::write(&paths[1], key).unwrap();
        let line = server.line_with("old certificate stays in use");
        assert!(line.contains(problem), "{line}");
        // The key may follow within a second.
        assert!(begun.elapsed() >= Duration::from_secs(1), "too early: {begun:?}");
        assert!(presents(&server, &first), "{problem}");
    }
    fs::remove_file(&paths[1]).unwrap();
    let line = server.line_with("old certificate stays in use");
    assert!(line.contains("cannot read") && line.contains("key.pem"), "{line}");
    second.write(folder.path());
    wait_until("the new certificate", || presents(&server, &second));
}

#[test]
fn files_that_cannot_be_read_are_reported_once_and_read_again_without_a_change() {
    let site = TlsServer::start(&[]);
    // All workers have started.
    site.server.wait_until_idle();
    let limit = site.server.set_open_files(Some(0));
    site.certified.write(site.folder.path());
    let line = site.server.console.next().expect("a line");
    assert!(line.contains("Too many open files; raise the limit on open files"), "{line}");
    // They are read once a second.
    thread::sleep(Duration::from_secs(3));
    site.server.set_open_files(limit);
    let line = site.server.console.next().expect("a line");
    assert!(line.contains("certificate for a.example, localhost: valid until"), "{line}");
    site.server.assert_reported_nothing();
}

/// At least one second without a change, and at most three.
#[test]
fn files_are_read_again_within_three_seconds_even_if_only_their_mode_changes() {
    let site = TlsServer::start(&[]);
    let key = site.folder.path().join("key.pem");
    let mut times = [0o640, 0o600].into_iter().cycle().take(20).map(|mode| {
        let begun = Instant::now();
        fs::set_permissions(&key, Permissions::from_mode(mode)).unwrap();
        site.server.line_with("certificate for a.example, localhost: valid until");
        begun.elapsed()
    });
    let is_soon = |time: Duration| {
        assert!(time >= Duration::from_secs(1), "too early: {time:?}");
        time <= Duration::from_secs(3)
    };
    assert!(times.any(is_soon), "too late");
}

/// What differs in a certificate.
type Change = fn(&mut CertificateParams);

/// Authorities by their names, with the name of their own issuer.
const AUTHORITIES: [(&str, &str, Change); 10] = [
    ("root", "", |_| {}),
    ("ca", "root", |_| {}),
    ("namesake", "root", |it| it.distinguished_name.push(DnType::CommonName, "ca")),
    ("short", "root", |it| it.is_ca = IsCa::Ca(BasicConstraints::Constrained(0))),
    ("last", "short", |_| {}),
    ("old", "root", |it| it.not_after = date_time_ymd(2020, 1, 1)),
    ("young", "root", |it| it.not_before = date_time_ymd(3000, 1, 1)),
    ("no-ca", "root", |it| it.is_ca = IsCa::ExplicitNoCa),
    ("lists", "root", |it| it.key_usages = vec![KeyUsagePurpose::CrlSign]),
    ("clients", "root", |it| it.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth]),
];

/// Certificates that no authority signed, by their names.
const OWN: [(&str, Change); 6] = [
    ("own", |_| {}),
    ("expired", |own| own.not_after = date_time_ymd(2020, 1, 1)),
    ("future", |own| own.not_before = date_time_ymd(3000, 1, 1)),
    ("may-sign", |own| own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)),
    ("may-not-sign", |own| own.key_usages = vec![KeyUsagePurpose::KeyEncipherment]),
    ("no-names", |own| own.subject_alt_names.clear()),
];

/// A line is an origin and the certificates of a chain. `of-ca` is the certificate of a server that `ca` issued.
#[test]
fn the_start_reports_the_last_day_of_a_certificate_and_why_clients_reject_it() {
    let key = KeyPair::generate().unwrap();
    let (mut certificates, mut issuers) = (HashMap::new(), HashMap::new());
    for (name, parent, change) in AUTHORITIES {
        let (mut params, own_key) = (CertificateParams::default(), KeyPair::generate().unwrap());
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        change(&mut params);
        let own = match issuers.get(parent) {
            Some(parent) => params.signed_by(&own_key, parent),
            None => params.self_signed(&own_key),
        };
        let issuer = Issuer::new(params, own_key);
        let server = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
        let certificate = server.signed_by(&key, &issuer).unwrap().pem();
        let issued = CertifiedKey { certificate, key: key.serialize_pem() };
        let own = CertifiedKey { certificate: own.unwrap().pem(), key: String::new() };
        certificates.extend([(name.to_owned(), own), (format!("of-{name}"), issued)]);
        issuers.insert(name, issuer);
    }
    certificates.extend(OWN.map(|(name, change)| (name.to_owned(), CertifiedKey::with(change))));
    let (ed25519, mut params) =
        (KeyPair::generate_for(&PKCS_ED25519).unwrap(), CertificateParams::default());
    params.subject_alt_names = vec![SanType::DnsName("localhost".try_into().unwrap())];
    let certificate = params.self_signed(&ed25519).unwrap().pem();
    let ed25519 = CertifiedKey { certificate, key: ed25519.serialize_pem() };
    // rcgen makes neither SHA-1 nor short keys, so openssl made these files, which are valid for a hundred years.
    let [certificate, key] =
        [include_str!("texts/old_algorithms.pem"), include_str!("texts/old_algorithms_key.pem")];
    let old = CertifiedKey { certificate: certificate.to_owned(), key: key.to_owned() };
    certificates.extend([("ed25519".to_owned(), ed25519), ("old-algorithms".to_owned(), old)]);
    assert_outcomes("certificates", |line| {
        let [origin, chain @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let certificate = chain.iter().map(|name| &*certificates[*name].certificate).collect();
        let certified = CertifiedKey { certificate, key: certificates[chain[0]].key.clone() };
        let folder = tempdir().unwrap();
        let options = ["--listen", "127.0.0.1:0", "--origin", origin];
        let mut command = command_with(&certified.write(folder.path()), &options);
        let mut process = Running(command.stderr(Stdio::piped()).spawn().unwrap());
        let console = process.console();
        let line = || console.next().filter(|line| line.starts_with("recipelog-site: certificate"));
        std::iter::from_fn(line).collect::<Vec<_>>().join("\n")
    });
}

/// rustls skips what does not begin with BEGIN, so a certificate would be left out.
#[test]
fn a_begin_or_end_that_is_not_on_a_line_of_its_own_makes_a_chain_unusable() {
    let CertifiedKey { certificate, key } = CertifiedKey::new();
    let pem = certificate.trim_end().replace("\r\n", "\n");
    for mark in ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"] {
        let (first, rest) = pem.split_once(mark).unwrap();
        let read = |form: &str| {
            let chain = format!("{pem}\n{first}{}{rest}\n", form.replace("MARK", mark));
            Certificate::from_pem(chain.as_bytes(), key.as_bytes())
        };
        for form in ["MARK", "MARK ", "MARK\r"] {
            assert_eq!(read(form).unwrap().key.cert.len(), 2, "{form:?} of {mark}");
        }
        for form in ["#MARK", " MARK", "\tMARK", "MARK#", "MARK MARK", "MARK-"] {
            let problem = read(form).expect_err(form).to_string();
            assert!(problem.contains("damaged PEM; write the file again"), "{form:?} of {mark}");
        }
    }
}

/// Nothing is written before. Reading some of these files could never end, or take all memory.
#[test]
fn files_that_cannot_be_used_end_the_start_with_the_reason_and_a_remedy() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (own, other) = (CertifiedKey::new(), CertifiedKey::new());
    let clients = CertifiedKey::with(|params| {
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    });
    let key = |kind| format!("-----BEGIN {kind}-----\nAAAA\n-----END {kind}-----\n");
    let pem = own.certificate.clone();
    let utf_16 = pem.encode_utf16().flat_map(u16::to_le_bytes);
    own.write(folder.path());
    fs::write(path("utf-16"), [0xff, 0xfe].into_iter().chain(utf_16).collect::<Vec<_>>()).unwrap();
    make_fifo(&path("fifo"));
    make_large(&path("large"));
    symlink("none/fullchain.pem", path("link")).unwrap();
    for (name, content) in [
        ("empty", "\n".to_owned()),
        ("not-base64url", "a+b/".to_owned()),
        ("not-x509", NOT_X509.to_owned()),
        ("then-not-x509", pem.clone() + NOT_X509),
        ("second", other.certificate + &pem),
        ("long", pem.repeat(300)),
        ("clients", clients.certificate + &clients.key),
        ("other-key", key("PRIVATE KEY")),
        ("encrypted-key", key("ENCRYPTED PRIVATE KEY")),
        ("old-encrypted-key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED".to_owned()),
    ] {
        fs::write(path(name), content).unwrap();
    }
    assert_outcomes("file-errors", |line| {
        let mut command = command_of(line);
        command.args(["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0"]);
        command.current_dir(folder.path());
        let error = assert_rejected(command, 1, &[]);
        assert!(!path("state").exists() && !path("index.html").exists(), "{line}");
        error
    });
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
