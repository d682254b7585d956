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

/// Name, bytes to send with `|` for CRLF, expected statuses, and the state of the connection after the
/// responses.
pub type Case<'a> = (&'a str, &'a str, &'a [u16], Then);

pub fn assert_cases(cases: &[Case<'_>]) {
    let server = Server::start(&[]);
    for (name, sent, statuses, then) in cases {
        let mut connection = Connection::open(server.address);
        connection.send(sent.replace('|', "\r\n"));
        let replies: Vec<Reply> =
            statuses.iter().map(|_| connection.reply().expect(name)).collect();
        let given: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert_eq!(given, *statuses, "{name}");
        for reply in &replies {
            assert!(reply.field("date").is_some(), "{name}: {reply:?}");
            // WIRE-21 and WIRE-23 do not apply to responses that hyper sends itself.
            let is_of_site = !matches!(reply.status, 400 | 431) || *then == Open;
            let policies = ["cross-origin-resource-policy", "x-content-type-options"];
            let expected = ["same-origin", "nosniff"].map(|value| is_of_site.then_some(value));
            assert_eq!(policies.map(|name| reply.field(name)), expected, "{name}");
            let may_be_stored = reply.field("cache-control") != Some(cache::ERROR);
            assert!(!is_of_site || reply.status < 400 || !may_be_stored, "{name}: {reply:?}");
        }
        let announces_close = replies.last().map(|it| it.field("connection") == Some("close"));
        match then {
            Open => {
                assert_eq!(announces_close, Some(false), "{name}: `Connection: close`");
                assert_eq!(connection.get("/healthz").content, b"ok\n", "{name}");
            }
            Closed => {
                assert_ne!(announces_close, Some(false), "{name}: no `Connection: close`");
                assert!(connection.ends_here(), "{name}: bytes after the last response");
            }
        }
    }
}
