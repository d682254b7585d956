//! Tables of what is sent to the executable and what becomes of it.

use crate::executable::Server;
use crate::wire::{Connection, Reply};

/// What becomes of a connection after the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It takes another request.
    Open,
    /// The server closes it, and the last answer said so.
    Closed,
}
use Then::{Closed, Open};

/// What was sent, the statuses that come back for it, and what comes then.
pub type Case<'a> = (&'a str, &'a str, &'a [u16], Then);

pub fn assert_cases(cases: &[Case<'_>]) {
    let server = Server::start(&[]);
    for (name, sent, statuses, then) in cases {
        let mut connection = Connection::open(server.address);
        connection.send(sent);
        let mut last: Option<Reply> = None;
        for status in *statuses {
            let reply = connection.reply().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(reply.status, *status, "{name}");
            // Line 23: every answer, those that hyper gives by itself too.
            assert!(reply.field("date").is_some(), "{name}: {reply:?}");
            assert_eq!(reply.field("x-content-type-options"), Some("nosniff"), "{name}: {reply:?}");
            let policy = reply.field("cross-origin-resource-policy");
            assert_eq!(policy, Some("same-origin"), "{name}: {reply:?}");
            last = Some(reply);
        }
        let says_close = last.is_some_and(|reply| reply.field("connection") == Some("close"));
        match then {
            Open => {
                assert!(!says_close, "{name}: says that it closes");
                assert_eq!(connection.get("/healthz").content, b"ok\n", "{name}");
            }
            Closed => {
                assert!(says_close || statuses.is_empty(), "{name}: closes without a word");
                assert!(connection.ends_here(), "{name}: something follows the last answer");
            }
        }
    }
}
