//! Certificates that an authority issues: obtained, used again, renewed (HTTP-33).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use recipelog_site::acme::{Authority, ExternalAccount, Options};
use recipelog_site::tls::Certificate;
use serde_json::json;

use crate::acme_front::{ACCOUNTS, Front, ORDERS};
use crate::acme_pebble::{Behaviour, EXTERNAL_ACCOUNT, Pebble};
use crate::acme_site::{Site, authority_folder, until};

const DOMAIN: &[&str] = &["recipelog.example"];
const DOMAINS: &[&str] = &["recipelog.example", "www.recipelog.example"];

/// Certificates that are renewed after six seconds.
const SHORT_LIVED: Behaviour = Behaviour {
    lifetime: 9,
    rejected_nonces: 0,
    reused_authorizations: 0,
    needs_external_account: false,
};

/// All files and folders below `folder`.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let children = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = children.flat_map(|path| {
        let below = if path.is_dir() { entries(&path) } else { Vec::new() };
        [vec![path], below].concat()
    });
    all.collect()
}

#[tokio::test]
async fn a_certificate_for_all_domains_is_obtained_and_presented() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    pebble.front.close(true);
    let server = site.start(site.options(&pebble, DOMAINS));
    assert_eq!(server.presented().await, None, "without a certificate");

    pebble.front.close(false);
    let certificate = server.certificate("a certificate is there", |_| true).await;

    let presented = server.presented().await.expect("a handshake");
    assert_eq!(certificate.key.cert.first(), Some(&presented));
    let presented = rustls::server::ParsedCertificate::try_from(&presented).unwrap();
    for &domain in DOMAINS {
        let name = domain.try_into().unwrap();
        rustls::client::verify_server_name(&presented, &name).unwrap();
    }
}

#[tokio::test]
async fn keys_are_readable_by_the_user_of_the_server_only() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let options = site.options(&pebble, DOMAIN);
    let folder = options.folder.clone();
    let server = site.start(options);
    server.certificate("a certificate is there", |_| true).await;

    let entries = [vec![folder.clone()], entries(&folder)].concat();
    for name in ["state", "lock", "account.json", "certificate.pem", "history.json"] {
        assert!(entries.iter().any(|path| path.ends_with(name)), "{name} in {entries:?}");
    }
    for path in entries {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[tokio::test]
async fn a_restart_uses_account_authorizations_and_certificate_again() {
    let site = Site::bind().await;
    let behaviour = Behaviour { reused_authorizations: 100, ..Behaviour::default() };
    let pebble = Pebble::start(site.port(), behaviour).await;
    let server = site.start(site.options(&pebble, DOMAINS));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.stop().await;

    // The order of the domains does not matter, nor that one is repeated.
    let reversed: Vec<&str> = DOMAINS.iter().rev().chain(DOMAINS).copied().collect();
    let server = site.start(site.options(&pebble, &reversed));
    let second = server.current().expect("the stored certificate, at once");
    assert_eq!(second.serial, first.serial);
    server.stop().await;

    // A change of the domains needs a new order, but no new account, and no validation.
    let server = site.start(site.options(&pebble, DOMAIN));
    assert_eq!(server.current().map(|current| current.serial.clone()), Some(first.serial.clone()));
    let is_new = |next: &Certificate| next.serial != first.serial;
    server.certificate("a certificate for other domains is there", is_new).await;
    assert_eq!((pebble.front.count(ACCOUNTS), pebble.front.count(ORDERS)), (1, 2));
}

#[tokio::test]
async fn a_certificate_is_renewed_with_a_new_key_before_it_expires() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), SHORT_LIVED).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    let mut current = server.certificate("a certificate is there", |_| true).await;
    // On a busy machine, an order can take longer than the three seconds that remain.
    for _ in 0..5 {
        let is_next = |next: &Certificate| next.serial != current.serial;
        let next = server.certificate("it is renewed", is_next).await;
        assert_ne!(next.key.key.public_key(), current.key.key.public_key());
        assert_eq!(pebble.front.count(ACCOUNTS), 1);
        if next.not_before < current.not_after {
            return;
        }
        current = next;
    }
    panic!("renewed after it had expired");
}

#[tokio::test]
async fn a_certificate_is_renewed_when_the_authority_suggests_it() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    pebble.front.renew_first();
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.certificate("it is renewed", |next| next.serial != first.serial).await;
    // Pebble ignores that the second order replaces a certificate, so the server places a
    // third one that replaces none.
    assert_eq!(pebble.front.count(ORDERS), 3);
}

#[tokio::test]
async fn after_a_restart_an_expired_certificate_stays_in_use_until_there_is_a_new_one() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), SHORT_LIVED).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.stop().await;
    until("it has expired", async || first.not_after < SystemTime::now()).await;

    pebble.front.close(true);
    let server = site.start(site.options(&pebble, DOMAIN));
    assert_eq!(server.presented().await.as_ref(), first.key.cert.first());
    pebble.front.close(false);
    server.certificate("a new one is there", |next| next.serial != first.serial).await;
}

#[tokio::test]
async fn the_authority_gets_the_external_account_the_email_address_and_the_profile() {
    let site = Site::bind().await;
    let behaviour = Behaviour { needs_external_account: true, ..Behaviour::default() };
    let pebble = Pebble::start(site.port(), behaviour).await;
    let (id, key) = EXTERNAL_ACCOUNT;
    let key_file = site.folder.path().join("key");
    fs::write(&key_file, format!("{key}\n")).unwrap();
    let external_account = Some(ExternalAccount { key_id: id.to_owned(), key_file });
    let email = Some("webmaster@recipelog.example".to_owned());
    let profile = Some("shortlived".to_owned());
    let options = site.options(&pebble, DOMAIN);
    let server = site.start(Options { external_account, email, profile, ..options });
    server.certificate("a certificate is there", |_| true).await;
    let contact = &pebble.front.payload(ACCOUNTS)["contact"];
    assert_eq!(*contact, json!(["mailto:webmaster@recipelog.example"]));
    assert_eq!(pebble.front.payload(ORDERS)["profile"], "shortlived");
}

#[tokio::test]
async fn a_try_after_a_failure_goes_to_the_staging_directory_first() {
    let site = Site::bind().await;
    let staging = Pebble::start(site.port(), Behaviour::default()).await;
    let pebble = staging.start_beside().await;
    pebble.front.reject_order(1, "rateLimited");
    let authority = Authority { staging: Some(staging.front.directory()), ..pebble.authority() };
    let server = site.start(Options { authority, ..site.options(&pebble, DOMAIN) });
    server.certificate("a certificate is there", |_| true).await;
    assert_eq!((staging.front.count(ORDERS), pebble.front.count(ORDERS)), (1, 2));
}

#[tokio::test]
async fn a_first_try_after_a_restart_goes_to_the_staging_directory_if_the_last_one_failed() {
    let site = Site::bind().await;
    let staging = Pebble::start(site.port(), Behaviour::default()).await;
    let pebble = staging.start_beside().await;
    let authority = Authority { staging: Some(staging.front.directory()), ..pebble.authority() };
    let options = Options { authority, ..site.options(&pebble, DOMAIN) };
    let folder = authority_folder(&options);
    fs::create_dir_all(&folder).unwrap();
    let an_hour_ago = SystemTime::now() - Duration::from_secs(60 * 60);
    let time = an_hour_ago.duration_since(UNIX_EPOCH).unwrap().as_secs();
    let history = json!([{ "time": time, "names": DOMAIN, "issued": false }]);
    fs::write(folder.join("history.json"), history.to_string()).unwrap();

    let server = site.start(options);
    server.certificate("a certificate is there", |_| true).await;
    assert_eq!((staging.front.count(ORDERS), pebble.front.count(ORDERS)), (1, 1));
}

#[tokio::test]
async fn after_three_failures_at_the_staging_directory_a_try_skips_it() {
    for fail in [
        (|staging| staging.close(true)) as fn(&Front),
        // As CAA records do that name only the account at the other directory (RFC 8657).
        |staging| (1..=1000).for_each(|number| staging.reject_order(number, "caa")),
    ] {
        let site = Site::bind().await;
        let staging = Pebble::start(site.port(), Behaviour::default()).await;
        let pebble = staging.start_beside().await;
        fail(&staging.front);
        pebble.front.reject_order(1, "serverInternal");
        let directory = Some(staging.front.directory());
        let authority = Authority { staging: directory, ..pebble.authority() };
        let server = site.start(Options { authority, ..site.options(&pebble, DOMAIN) });
        server.certificate("a certificate is there", |_| true).await;
        assert_eq!(pebble.front.count(ORDERS), 2);
    }
}
