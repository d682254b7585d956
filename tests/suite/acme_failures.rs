//! Authorities that fail: the server goes on, and tries again (HTTP-34).

use std::fs;
use std::time::{Duration, SystemTime};

use recipelog_site::tls::Certificate;
use serde_json::Value;

use crate::acme_front::{
    ACCOUNTS, CERTIFICATES, EXPLANATION, FINALIZATIONS, Front, ORDERS, RENEWAL_INFO,
};
use crate::acme_pebble::{Behaviour, Pebble, UNKNOWN};
use crate::acme_site::{Site, authority_folder, until};
use crate::acme_state::{DIRECTORY, Process, ROOT};

const DOMAIN: &[&str] = &["recipelog.example"];

/// Asserts that five orders are followed by no other, although the pause after a failure is
/// over.
async fn assert_no_further_order(pebble: &Pebble) {
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(pebble.front.count(ORDERS), 5);
}

#[tokio::test]
async fn rejected_nonces_do_not_stop_an_order() {
    let site = Site::bind().await;
    let behaviour = Behaviour { rejected_nonces: 60, ..Behaviour::default() };
    let pebble = Pebble::start(site.port(), behaviour).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    server.certificate("a certificate is there", |_| true).await;
}

#[tokio::test]
async fn without_the_authority_the_certificate_stays_in_use() {
    let site = Site::bind().await;
    let behaviour = Behaviour { lifetime: 9, ..Behaviour::default() };
    let pebble = Pebble::start(site.port(), behaviour).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    pebble.front.close(true);
    until("it has expired", async || first.not_after < SystemTime::now()).await;
    assert_eq!(server.presented().await.as_ref(), first.key.cert.first());

    pebble.front.close(false);
    server.certificate("it is renewed", |next| next.serial != first.serial).await;
}

#[tokio::test]
async fn a_domain_that_cannot_be_validated_is_tried_again() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let unknown = format!("{UNKNOWN}recipelog.example");
    let server = site.start(site.options(&pebble, &["recipelog.example", &unknown]));
    // The limit of tries in an hour.
    until("five tries failed", async || pebble.front.count(ORDERS) == 5).await;
    assert_no_further_order(&pebble).await;
    assert_eq!(server.presented().await, None);
}

#[tokio::test]
async fn an_authority_that_has_forgotten_the_account_gets_a_new_one() {
    let site = Site::bind().await;
    let mut pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.stop().await;

    pebble.reset().await;
    let server = site.start(site.options(&pebble, &["www.recipelog.example"]));
    let is_new = |next: &Certificate| next.serial != first.serial;
    server.certificate("a certificate for another domain is there", is_new).await;
    assert_eq!(pebble.front.count(ACCOUNTS), 2);
}

#[tokio::test]
async fn a_domain_that_is_added_and_cannot_be_validated_leaves_the_certificate_in_use() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.stop().await;

    let unknown = format!("{UNKNOWN}recipelog.example");
    let server = site.start(site.options(&pebble, &["recipelog.example", &unknown]));
    assert_eq!(server.presented().await.as_ref(), first.key.cert.first());
    until("two tries failed", async || pebble.front.count(ORDERS) >= 3).await;
    assert_eq!(server.presented().await.as_ref(), first.key.cert.first());
}

#[tokio::test]
async fn a_rejection_that_is_not_about_the_replaced_certificate_is_retried_later() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    pebble.front.renew_first();
    pebble.front.reject_order(2, "rateLimited");
    let server = site.start(site.options(&pebble, DOMAIN));
    let first = server.certificate("a certificate is there", |_| true).await;
    server.certificate("it is renewed", |next| next.serial != first.serial).await;
    // The second and the third order replace a certificate. Pebble ignores this in the
    // third one, so the server places a fourth one that replaces none.
    assert_eq!(pebble.front.count(ORDERS), 4);
}

#[tokio::test]
async fn an_order_counts_as_a_certificate_unless_the_authority_is_known_to_have_issued_none() {
    for (break_answers, are_certificates) in [
        ((|front| front.lose_answers(CERTIFICATES)) as fn(&Front), true),
        (|front| front.lose_answers(FINALIZATIONS), true),
        // The order is still ready afterwards.
        (|front| front.reject(FINALIZATIONS, "serverInternal"), false),
        (|front| front.reject(FINALIZATIONS, "badCSR"), false),
    ] {
        let site = Site::bind().await;
        let pebble = Pebble::start(site.port(), Behaviour::default()).await;
        break_answers(&pebble.front);
        let options = site.options(&pebble, DOMAIN);
        let history = authority_folder(&options).join("history.json");
        let server = site.start(options);
        // The limit of certificates in a week, and of failures in an hour.
        until("five tries failed", async || pebble.front.count(ORDERS) == 5).await;
        until("the last one has ended", async || {
            let history: Value = serde_json::from_slice(&fs::read(&history).unwrap()).unwrap();
            let orders = history.as_array().unwrap();
            orders.len() == 5 && orders.iter().all(|order| order["issued"] == are_certificates)
        })
        .await;
        assert_no_further_order(&pebble).await;
        assert_eq!(server.presented().await, None);
    }
}

#[tokio::test]
async fn a_certificate_that_could_not_be_written_is_written_as_soon_as_possible() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let options = site.options(&pebble, DOMAIN);
    let folder = authority_folder(&options);
    let obstacle = folder.join("certificate.pem.new");
    fs::create_dir_all(&obstacle).unwrap();
    let server = site.start(options.clone());
    let first = server.certificate("a certificate is there", |_| true).await;
    assert!(!folder.join("certificate.pem").exists());

    fs::remove_dir(obstacle).unwrap();
    until("it is written", async || folder.join("certificate.pem").exists()).await;
    server.stop().await;
    let server = site.start(options);
    assert_eq!(server.current().map(|current| current.serial.clone()), Some(first.serial.clone()));
    assert_eq!(pebble.front.count(ORDERS), 1);
}

#[tokio::test]
async fn the_explanation_of_a_suggested_renewal_or_why_there_is_no_suggestion_is_reported() {
    let site = Site::bind().await;
    let pebble = Pebble::start(site.port(), Behaviour::default()).await;
    let options = site.options(&pebble, DOMAIN);
    let server = site.start(options.clone());
    server.certificate("a certificate is there", |_| true).await;
    server.stop().await;

    let first_line_after_a_restart = async || {
        let (folder, directory) = (options.folder.clone(), pebble.front.directory());
        let root = pebble.root_file.to_str().unwrap().to_owned();
        let read = move || {
            let environment = [(DIRECTORY, directory.as_str()), (ROOT, root.as_str())];
            Process::start_with(&folder, &environment).line_with("recipelog-site: ")
        };
        tokio::task::spawn_blocking(read).await.unwrap()
    };
    let line = first_line_after_a_restart().await;
    assert!(line.contains("certificate for recipelog.example: valid until "), "{line}");
    assert!(line.ends_with(&format!(", explained at {EXPLANATION}")), "{line}");

    pebble.front.reject(RENEWAL_INFO, "serverInternal");
    let line = first_line_after_a_restart().await;
    let problem = "cannot request when to renew the certificate for recipelog.example: no; ";
    assert!(line.contains(problem), "{line}");
}
