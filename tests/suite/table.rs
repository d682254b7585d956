//! WIRE-20: the files of a site and the paths under which they are served.

use std::collections::HashSet;

use crate::fixture::{files, send, site};

#[test]
fn every_file_of_a_site_is_served() {
    let site = site();
    let mut unsent: HashSet<_> = files().into_iter().map(|file| file.content.bytes()).collect();
    for (path, _) in site.iter() {
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
