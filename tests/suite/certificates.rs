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
    KeyUsagePurpose, PKCS_ED25519, date_time_ymd,
};
use recipelog_site::tls::{Certificate, day};
use tempfile::tempdir;

use crate::support::files::{make_fifo, make_large};
use crate::support::process::{Running, Server, assert_rejected, command, wait_until};
use crate::support::site::cases;
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

/// What the server of an origin reports about a certificate, with `&` between the lines.
fn reported(certified: &CertifiedKey, origin: &str) -> String {
    let folder = tempdir().unwrap();
    let options = ["--listen", "127.0.0.1:0", "--origin", origin];
    let mut command = command_with(&certified.write(folder.path()), &options);
    let mut process = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let console = process.console();
    let line = || {
        let line = console.next()?;
        let (_, report) = line.strip_prefix("recipelog-site: certificate")?.split_once(": ")?;
        Some(report.to_owned())
    };
    std::iter::from_fn(line).collect::<Vec<_>>().join(" & ")
}

const LOCAL: &str = "https://localhost";

/// The beginning of the reports about a certificate of [`CertifiedKey::with`].
const VALID: &str = "valid until 01 Jan 4096";

#[test]
fn the_start_reports_the_last_day_of_a_certificate_and_why_clients_reject_it() {
    let soon = SystemTime::now() + Duration::from_secs(2 * 24 * 60 * 60);
    let day = day(soon);
    let with = |change: fn(&mut CertificateParams)| CertifiedKey::with(change);
    for (certified, origin, expected) in [
        (with(|_| {}), "https://a.example:8443", VALID.to_owned()),
        (
            with(|_| {}),
            "https://b.example",
            format!("{VALID} & it does not name b.example; request one that does"),
        ),
        (CertifiedKey::between(2000, 2020), LOCAL, "expired on 01 Jan 2020; replace it".to_owned()),
        (
            CertifiedKey::between(3000, 4000),
            LOCAL,
            "not valid before 01 Jan 3000; replace it, or correct the clock".to_owned(),
        ),
        (CertifiedKey::of(&NAMES, 2000, soon), LOCAL, format!("expires on {day}; replace it")),
    ] {
        assert_eq!(reported(&certified, origin), expected);
    }
}

/// An authority by its name, the name of its own issuer, and what differs in its certificate.
type Authority = (&'static str, &'static str, fn(&mut CertificateParams));

const AUTHORITIES: [Authority; 10] = [
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

/// Chains of hands and of tools, each of which browsers or programs reject. `of-ca` is the certificate of a server that
/// `ca` issued.
#[test]
fn a_chain_that_some_clients_reject_is_served_and_a_line_for_each_reason_has_its_remedy() {
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
        let issued = server.signed_by(&key, &issuer).unwrap().pem();
        certificates
            .extend([(name.to_owned(), own.unwrap().pem()), (format!("of-{name}"), issued)]);
        issuers.insert(name, issuer);
    }
    for (expected, chain) in cases(
        "
        <- of-ca ca | of-ca ca root | of-root root
        no intermediate certificate; add its issuer's to the file, as in certbot's fullchain.pem, unless clients trust the issuer <- of-ca
        certificate 2 of its chain did not sign certificate 1; put the certificate of ca there, or get the authority's current chain <- of-ca root | of-ca namesake | of-ca root ca
        certificate 4 of its chain is superfluous; remove it <- of-ca ca root ca
        certificate 3 of its chain may not sign so long a chain; get the authority's current chain <- of-last last short
        certificate 2 of its chain is valid from 01 Jan 1975 to 01 Jan 2020 only; get the authority's current chain, or correct the clock <- of-old old
        certificate 2 of its chain is valid from 01 Jan 3000 to 01 Jan 4096 only; get the authority's current chain, or correct the clock <- of-young young
        certificate 2 of its chain may not sign others; get the authority's current chain <- of-no-ca no-ca | of-lists lists
        certificate 2 of its chain may not sign certificates of servers; get the authority's current chain <- of-clients clients
        ",
    ) {
        let certificate = chain.split(' ').map(|name| &*certificates[name]).collect();
        let certified = CertifiedKey { certificate, key: key.serialize_pem() };
        let expected = [VALID, expected].join(if expected.is_empty() { "" } else { " & " });
        assert_eq!(reported(&certified, LOCAL), expected, "{chain}");
    }
}

#[test]
fn a_certificate_that_browsers_reject_is_reported_with_the_remedy() {
    // rcgen makes neither SHA-1 nor short keys, so openssl made these files, which are valid for a hundred years.
    let [certificate, key] =
        [include_str!("texts/old_algorithms.pem"), include_str!("texts/old_algorithms_key.pem")];
    let old = CertifiedKey { certificate: certificate.to_owned(), key: key.to_owned() };
    let with = |change: fn(&mut CertificateParams)| CertifiedKey::with(change);
    let ed25519 = KeyPair::generate_for(&PKCS_ED25519).unwrap();
    let params = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
    let certificate = params.self_signed(&ed25519).unwrap().pem();
    let ed25519 = CertifiedKey { certificate, key: ed25519.serialize_pem() };
    for (certified, expected) in [
        (
            old,
            "browsers reject its kind of signature; request one with SHA-256 & certificate 2 of its chain \
             has a kind of key that some clients reject; get the authority's current chain",
        ),
        // The kind of its signature is no second reason.
        (ed25519, "no browser supports its kind of key; request one for ECDSA P-256 or P-384"),
        (
            with(|own| own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)),
            "Firefox rejects a certificate that may sign others (CA:TRUE); request one with CA:FALSE",
        ),
        (
            with(|own| own.key_usages = vec![KeyUsagePurpose::KeyEncipherment]),
            "browsers require digitalSignature in its key usage; request that",
        ),
        (
            with(|own| own.subject_alt_names.clear()),
            "it does not name localhost; request one that does & browsers require a subject alternative \
             name; request one that has it",
        ),
    ] {
        let reported = reported(&certified, LOCAL);
        assert_eq!(reported.split_once(" & ").expect("a problem").1, expected);
    }
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

#[test]
fn a_pair_that_cannot_be_used_ends_the_start_with_its_reason_and_a_remedy() {
    let folder = tempdir().unwrap();
    let (own, other, path) = (CertifiedKey::new(), CertifiedKey::new(), folder.path());
    let (pem, key) = (&own.certificate, &own.key);
    let clients = CertifiedKey::with(|params| {
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    });
    let key_of = |kind| format!("-----BEGIN {kind}-----\nAAAA\n-----END {kind}-----\n");
    let old_key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n";
    for (chain, key, problem) in [
        ("no PEM", &**key, "no certificate in PEM; give the chain to --tls-cert and its private"),
        (&format!("{pem}{NOT_X509}"), key, "one of the certificates is not valid X.509; give"),
        (&format!("{}{pem}", other.certificate), key, "the key does not belong to the first cert"),
        (&clients.certificate, &clients.key, "the certificate is not for servers; request one"),
        (key, pem, "the first file has the key, and the second one the certificate; exchange --"),
        (&pem.repeat(300), key, "the chain is too long for clients; leave out all certificates"),
        (pem, pem, "no private key in PEM; give the chain"),
        (pem, &key_of("PRIVATE KEY"), "the private key has an unsupported type; use one"),
        (pem, &key_of("ENCRYPTED PRIVATE KEY"), "the private key is encrypted; remove its passw"),
        (pem, old_key, "the private key is encrypted; remove its password: openssl pkey"),
    ] {
        let certified = CertifiedKey { certificate: chain.to_owned(), key: key.to_owned() };
        let files = format!("certificate.pem of --tls-cert with {}/key.pem of", path.display());
        let command = command_with(&certified.write(path), &[]);
        assert_rejected(command, 1, &[&files, &format!(" --tls-key: {problem}")]);
    }
}

/// Nothing is written before. Reading some of these files could never end, or take all memory.
#[test]
fn a_file_that_cannot_be_used_ends_the_start_with_its_name_and_a_remedy() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    CertifiedKey::new().write(folder.path());
    make_fifo(&path("fifo"));
    make_large(&path("large"));
    symlink("none/fullchain.pem", path("link")).unwrap();
    for (name, content) in [("not-x509", NOT_X509), ("bad-key", "a+b/"), ("empty", "\n")] {
        fs::write(path(name), content).unwrap();
    }
    let certificate = "--tls-cert FILE --tls-key key.pem";
    let key = "--tls-cert certificate.pem --tls-key FILE";
    let root = "--acme-domain a.example --acme-dir state --acme-root FILE";
    let account = "--acme-domain a.example --acme-dir state --acme-eab-kid a --acme-eab-key FILE";
    let all = [certificate, key, root, account];
    for (file, options, reason) in [
        ("fifo", &all[..], "not a regular file; name one, not a pipe, device or folder"),
        (".", &all, "not a regular file; name one, not a pipe, device or folder"),
        ("large", &all, "larger than 1 MiB; name a smaller file"),
        ("none", &all, "No such file or directory; name a file that exists"),
        ("link", &all, "a link leads nowhere; mount the folder of its target too"),
        ("empty", &[root], "no certificate in PEM; write the authority's root"),
        ("not-x509", &[root], "one of the certificates is not valid X.509; write"),
        ("bad-key", &[account], "no base64url text; write the key"),
        ("empty", &[account], "no base64url text; write the key"),
    ] {
        for options in options {
            let options = options.replace("FILE", file);
            let ports = "--listen 127.0.0.1:0 --tls-listen 127.0.0.1:0";
            let mut command = command(&[]);
            command.args(options.split(' ').chain(ports.split(' '))).current_dir(folder.path());
            assert_rejected(command, 1, &[&format!(" {file} of --"), reason]);
            assert!(!path("state").exists(), "{options}");
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
