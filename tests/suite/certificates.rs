//! WIRE-32: certificates in files of the operator: they are read again when they change, in
//! the sandbox too.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use recipelog_site::tls::{Certificate, day};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tempfile::tempdir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::files::{make_fifo, make_large};
use crate::support::process::{Running, Server, assert_rejected, command, wait_until};
use crate::support::tls::{
    CertifiedKey, NAMES, NOT_X509, TlsServer, command_with, connect, presented_for,
};

/// True if a new handshake gets the certificate of `certified`.
fn presents(server: &Server, certified: &CertifiedKey) -> bool {
    presented_for(server, NAMES[0]) == Some(certified.der())
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
    // It is reported shortly before it is in use.
    wait_until("the new certificate", || presents(&server, &second));
    server.line_with("certificate for a.example, localhost: valid until ");

    // Connections that were open before still work.
    old.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut start = [0; 12];
    old.read_exact(&mut start).await.unwrap();
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
    // Every handshake would fail with the last one, because clients parse the whole chain.
    let broken = second.certificate.clone() + NOT_X509;
    for (certificate, key, problem) in [
        (&second.certificate, &*first.key, "does not belong to the first certificate"),
        (&second.certificate, "nonsense", "key.pem of --tls-key: no private key in PEM"),
        (&broken, &second.key, "not valid X.509"),
    ] {
        let begun = Instant::now();
        fs::write(&paths[0], certificate).unwrap();
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
    assert!(line.contains("Too many open files"), "{line}");
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
    let mut modes = [0o640, 0o600].into_iter().cycle();
    let mut times = (0..20).map(|_| {
        let begun = Instant::now();
        let mode = Permissions::from_mode(modes.next().expect("a mode"));
        fs::set_permissions(&key, mode).unwrap();
        site.server.line_with("certificate for a.example, localhost: valid until");
        begun.elapsed()
    });
    let is_soon = |time: Duration| {
        assert!(time >= Duration::from_secs(1), "too early: {time:?}");
        time <= Duration::from_secs(3)
    };
    assert!(times.any(is_soon), "too late");
}

/// The lines about the certificate of a server that serves `files`.
fn reported(files: &[PathBuf; 2], origin: &str) -> Vec<String> {
    let mut command = command_with(files, &["--listen", "127.0.0.1:0", "--origin", origin]);
    let mut process = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let console = process.console();
    let line = || console.next()?.strip_prefix("recipelog-site: certificate").map(str::to_owned);
    std::iter::from_fn(line).collect()
}

#[test]
fn the_start_reports_names_and_last_day_of_a_certificate() {
    const LOCAL: &str = "https://localhost";
    let soon = SystemTime::now() + Duration::from_secs(2 * 24 * 60 * 60);
    let valid = "valid until 01 Jan 4000";
    let unnamed = "it does not name b.a.example; request one that does";
    let expiring = format!("expires on {}; replace it", day(soon));
    for (origin, certified, expected) in [
        ("https://a.example:8443", CertifiedKey::new(), &[valid][..]),
        ("https://b.a.example", CertifiedKey::new(), &[valid, unnamed]),
        (LOCAL, CertifiedKey::between(2000, 2020), &["expired on 01 Jan 2020; replace it"]),
        (
            LOCAL,
            CertifiedKey::between(3000, 4000),
            &["not valid before 01 Jan 3000; replace it, or correct the clock"],
        ),
        (LOCAL, CertifiedKey::of(&NAMES, 2000, soon), &[&expiring]),
    ] {
        let folder = tempdir().unwrap();
        let expected = expected.iter().map(|line| format!(" for a.example, localhost: {line}"));
        let lines = reported(&certified.write(folder.path()), origin);
        assert_eq!(lines, expected.collect::<Vec<_>>());
    }
}

/// An authority: its certificate, its key, and what it signs with them.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Signed by `parent`, or by itself.
    fn new(name: &str, parent: Option<&Self>, change: impl FnOnce(&mut CertificateParams)) -> Self {
        let (mut params, key) = (CertificateParams::default(), KeyPair::generate().unwrap());
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        change(&mut params);
        let certificate = match parent {
            Some(parent) => params.signed_by(&key, &parent.issuer),
            None => params.self_signed(&key),
        };
        Self { pem: certificate.unwrap().pem(), issuer: Issuer::new(params, key) }
    }

    /// A certificate for [`NAMES`], and its key.
    fn sign(&self, key: &KeyPair, change: impl FnOnce(&mut CertificateParams)) -> String {
        let mut params = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
        change(&mut params);
        params.signed_by(key, &self.issuer).unwrap().pem()
    }
}

/// Chains of hands and of tools, each of which browsers or programs reject.
#[test]
fn a_chain_that_some_clients_reject_is_served_and_a_line_for_each_reason_has_its_remedy() {
    let root = Authority::new("root", None, |_| {});
    let authority = |change: fn(&mut CertificateParams)| Authority::new("ca", Some(&root), change);
    let (ca, namesake) = (authority(|_| {}), authority(|_| {}));
    let short = authority(|ca| ca.is_ca = IsCa::Ca(BasicConstraints::Constrained(0)));
    let last = Authority::new("last", Some(&short), |_| {});
    let key = KeyPair::generate().unwrap();
    let ed25519 = KeyPair::generate_for(&rcgen::PKCS_ED25519).unwrap();
    let leaf = ca.sign(&key, |_| {});
    // Certificates that only the name of an authority distinguishes.
    let below = |change: fn(&mut CertificateParams)| {
        let ca = authority(change);
        ca.sign(&key, |_| {}) + &ca.pem
    };
    let wrong = "certificate 2 of its chain did not sign certificate 1; put the certificate of ca \
                 there, or get the authority's current chain";
    let of = |problem: &str| format!("certificate 2 of its chain {problem}");
    let dates = |dates: &str| {
        let clock = "get the authority's current chain, or correct the clock";
        of(&format!("is valid from {dates} only; {clock}"))
    };
    let may_not = |sign| of(&format!("may not sign {sign}; get the authority's current chain"));
    let lone = |key: &KeyPair, change: fn(&mut CertificateParams)| {
        let mut params = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
        change(&mut params);
        params.self_signed(key).unwrap().pem()
    };
    let chain = |certificates: &[&str]| certificates.concat();
    let none = "no intermediate certificate; add its issuer's to the file, as in certbot's fullchain.pem, \
                unless clients trust the issuer";
    let ca_true =
        "Firefox rejects a certificate that may sign others (CA:TRUE); request one with CA:FALSE";
    for (certificate, expected) in [
        (chain(&[&leaf, &ca.pem]), ""),
        (chain(&[&leaf, &ca.pem, &root.pem]), ""),
        (chain(&[&root.sign(&key, |_| {}), &root.pem]), ""),
        (chain(&[&leaf]), none),
        (chain(&[&leaf, &root.pem]), wrong),
        (chain(&[&leaf, &namesake.pem]), wrong),
        (chain(&[&leaf, &leaf, &ca.pem]), &format!("{}\n{wrong}", may_not("others"))),
        (chain(&[&leaf, &root.pem, &ca.pem]), wrong),
        (
            chain(&[&leaf, &ca.pem, &root.pem, &ca.pem]),
            "certificate 4 of its chain is superfluous; remove it",
        ),
        (
            chain(&[&last.sign(&key, |_| {}), &last.pem, &short.pem]),
            &may_not("so long a chain").replace('2', "3"),
        ),
        (
            below(|ca| ca.not_after = date_time_ymd(2020, 1, 1)),
            &dates("01 Jan 1975 to 01 Jan 2020"),
        ),
        (
            below(|ca| ca.not_before = date_time_ymd(3000, 1, 1)),
            &dates("01 Jan 3000 to 01 Jan 4096"),
        ),
        (below(|ca| ca.is_ca = IsCa::ExplicitNoCa), &may_not("others")),
        (below(|ca| ca.key_usages = vec![KeyUsagePurpose::CrlSign]), &may_not("others")),
        (
            below(|ca| ca.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth]),
            &may_not("certificates of servers"),
        ),
        (lone(&key, |own| own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)), ca_true),
        (
            lone(&key, |own| own.key_usages = vec![KeyUsagePurpose::KeyEncipherment]),
            "browsers require digitalSignature in its key usage; request that",
        ),
        (
            lone(&key, |own| own.subject_alt_names.clear()),
            "it does not name localhost; request one that does\nbrowsers require a subject alternative \
             name; request one that has it",
        ),
    ] {
        assert_problems(&CertifiedKey { certificate, key: key.serialize_pem() }, expected);
    }
    let kind = "no browser supports its kind of key; request one for ECDSA P-256 or P-384";
    // The kind of its signature is no second reason.
    for certificate in [ca.sign(&ed25519, |_| {}) + &ca.pem, lone(&ed25519, |_| {})] {
        assert_problems(&CertifiedKey { certificate, key: ed25519.serialize_pem() }, kind);
    }
}

/// Asserts that a server reports its certificate, and then `expected`.
fn assert_problems(certified: &CertifiedKey, expected: &str) {
    let folder = tempdir().unwrap();
    let lines = reported(&certified.write(folder.path()), "https://localhost");
    let (first, others) = lines.split_first().expect("a line");
    assert!(first.contains("valid until"), "{first}");
    let problem = |line: &String| line.split_once(": ").expect("a problem").1.to_owned();
    let problems: Vec<_> = others.iter().map(problem).collect();
    assert_eq!(problems.join("\n"), expected, "{}", certified.certificate);
}

/// rcgen makes neither SHA-1 nor short keys, so openssl made these files, which are valid for a hundred years.
#[test]
fn old_algorithms_in_a_chain_are_reported() {
    let [certificate, key] =
        [include_str!("texts/old_algorithms.pem"), include_str!("texts/old_algorithms_key.pem")];
    assert_problems(
        &CertifiedKey { certificate: certificate.to_owned(), key: key.to_owned() },
        "browsers reject its kind of signature; request one with SHA-256\n\
         certificate 2 of its chain has a kind of key that some clients reject; get the authority's \
         current chain",
    );
}

/// rustls skips what does not begin with BEGIN, so a certificate would be left out.
#[test]
fn a_begin_or_end_that_is_not_on_a_line_of_its_own_leaves_out_no_certificate() {
    let CertifiedKey { certificate, key } = CertifiedKey::new();
    let own = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
    let pem = certificate.trim_end().replace("\r\n", "\n");
    for mark in ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"] {
        let (first, rest) = pem.split_once(mark).unwrap();
        for form in
            "MARK|MARK |MARK\r|a\nMARK|aMARK| MARK|\tMARK|#MARK|MARKa|MARK MARK|MARK-".split('|')
        {
            let form = form.replace("MARK", mark);
            let chain = format!("{pem}\n{first}{form}{rest}\n");
            let is_damaged = match Certificate::from_pem(chain.as_bytes(), key.as_bytes()) {
                Err(problem) => problem.to_string().contains("damaged PEM; write the file again"),
                Ok(read) => {
                    assert_eq!(read.key.cert, [own.clone(), own.clone()], "{form:?}");
                    false
                }
            };
            let begins = form.starts_with(mark) || form.starts_with("a\n");
            assert!(is_damaged || begins, "{form:?}");
            assert!(!is_damaged || form.trim_end() != mark, "{form:?}");
        }
    }
}

/// As some editors and shells of Windows write them.
#[test]
fn files_with_a_byte_order_mark_are_read_and_those_in_utf_16_are_named() {
    let folder = tempdir().unwrap();
    let certified = CertifiedKey::new();
    let marked = |pem: &str| format!("\u{feff}{pem}");
    let [certificate, key] = [&certified.certificate, &certified.key].map(|pem| marked(pem));
    let files = CertifiedKey { certificate, key }.write(folder.path());
    let server = Server::of(command_with(&files, &[]));
    assert!(presents(&server, &certified));
    for file in &files {
        let content = fs::read_to_string(file).unwrap();
        fs::write(file, content.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())
            .unwrap();
        assert_rejected(command_with(&files, &[]), 1, &["it is in UTF-16; save it as UTF-8"]);
        fs::write(file, content).unwrap();
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

/// Reading such a file could never end, or take all memory.
#[test]
fn a_start_fails_if_a_file_is_irregular_or_too_large() {
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
