//! Tables of cases: bytes to send, expected statuses, and whether the connection
//! is closed afterwards.

use crate::cache;
use crate::executable::Server;
use crate::wire::{Connection, Reply};

/// State of the connection after the responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It accepts another request.
    Open,
    /// The server has closed it, as the last response announced.
    Closed,
}
use Then::{Closed, Open};

/// Name, bytes to send, expected statuses, and the state of the connection after
/// the responses.
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
            assert!(reply.field("date").is_some(), "{name}: {reply:?}");
            // WIRE-21 and WIRE-23 do not apply to responses that hyper sends itself.
            if matches!(*status, 400 | 431) && *then == Closed {
                last = Some(reply);
                continue;
            }
            let policy = reply.field("cross-origin-resource-policy");
            assert_eq!(policy, Some("same-origin"), "{name}: {reply:?}");
            assert_eq!(reply.field("x-content-type-options"), Some("nosniff"), "{name}: {reply:?}");
            let may_be_stored = reply.field("cache-control") != Some(cache::ERROR);
            assert!(*status < 400 || !may_be_stored, "{name}: {reply:?}");
            last = Some(reply);
        }
        let announces_close = last.is_some_and(|reply| reply.field("connection") == Some("close"));
        match then {
            Open => {
                assert!(!announces_close, "{name}: `Connection: close`");
                assert_eq!(connection.get("/healthz").content, b"ok\n", "{name}");
            }
            Closed => {
                let is_announced = announces_close || statuses.is_empty();
                assert!(is_announced, "{name}: no `Connection: close`");
                assert!(connection.ends_here(), "{name}: bytes after the last response");
            }
        }
    }
}
