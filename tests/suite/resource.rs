//! WIRE-1 and WIRE-20: ETags, and the files of a site that are served.

use std::collections::HashSet;
use std::time::Duration;

use recipelog_site::site::{File, REDIRECTS_FILE, Settings, Site};

use crate::fixture::{files, send, site};

#[test]
fn the_etag_depends_on_content_and_header_fields_alone() {
    let etag_of = |name: &str, content: &'static str, origin: Option<&str>| {
        let is_https = origin.is_some_and(|origin| origin.starts_with("https"));
        let origin = origin.map(|origin| origin.parse().expect("an origin"));
        let hsts = is_https.then_some(Duration::from_secs(60));
        let settings = Settings { origin, hsts, ..Settings::default() };
        let site = Site::new([File::new(name, content)], &settings).into();
        let target = format!("GET /{}", name.trim_end_matches("index.html"));
        send(&site, &target, &[]).field("etag").expect("an ETag").to_owned()
    };
    let etag = |name, origin| etag_of(name, "same", origin);
    assert_ne!(etag("a.txt", None), etag_of("a.txt", "other", None));
    for (name, reason) in [
        ("a.txt", "Strict-Transport-Security"),
        ("index.html", "the connect-src of the Content-Security-Policy"),
    ] {
        assert_ne!(etag(name, None), etag(name, Some("https://a.example")), "{reason}");
    }
    assert_ne!(etag("a.txt", None), etag("a.xml", None), "Content-Type");
    assert_eq!(etag("a.txt", None), etag("a.txt", Some("http://a.example")));
}

#[test]
fn every_file_of_a_site_is_served_but_the_list_of_redirects() {
    let site = site();
    let served = files().into_iter().filter(|file| file.path != REDIRECTS_FILE);
    let mut unsent: HashSet<_> = served.map(|file| file.content.bytes()).collect();
    for (path, _) in site.site.iter() {
        for coding in ["identity", "br", "gzip"] {
            let response = send(&site, &format!("GET {path}"), &[("accept-encoding", coding)]);
            assert_eq!(response.status, 200, "{path}");
            unsent.remove(&response.content);
        }
    }
    let not_found = [("accept", "text/html"), ("accept-encoding", "gzip")];
    unsent.remove(&send(&site, "GET /none", &not_found).content);
    unsent.remove(&send(&site, "GET /none", &not_found[..1]).content);
    assert!(unsent.is_empty(), "never sent: {unsent:?}");
}
