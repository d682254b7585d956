//! WIRE-3 and WIRE-26: correct responses and constant memory under load.

use std::thread;

use crate::executable::Server;
use crate::wire::{Connection, Reply};

const CONNECTIONS: usize = 32;
const REQUESTS: usize = 40_000;

/// Requests for each kind of response: pages, variants, 206, 304, 308 and errors. Each batch is sent
/// before its responses are read.
const BATCH: [&str; 7] = [
    "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
    "GET /privacy HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n",
    "GET /terms HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
    "GET /icon.svg HTTP/1.1\r\nHost: a\r\nRange: bytes=10-99\r\n\r\n",
    "GET /none HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
    "GET /PRIVACY/?a=b HTTP/1.1\r\nHost: a\r\n\r\n",
    "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n",
];

/// The responses to a batch, without Date.
fn replies(connection: &mut Connection) -> [Reply; 7] {
    connection.send(BATCH.concat());
    BATCH.map(|head| {
        let mut reply = connection.reply().unwrap_or_else(|error| panic!("{head}: {error}"));
        reply.fields.retain(|(name, _)| name != "date");
        reply
    })
}

#[test]
fn thousands_of_pipelined_requests_get_the_correct_responses_and_memory_does_not_grow() {
    let server = Server::start(&[]);
    let expected = replies(&mut Connection::open(server.address));
    assert_eq!(expected.each_ref().map(|reply| reply.status), [200, 200, 304, 206, 404, 308, 405]);
    let round = |requests: usize| {
        thread::scope(|scope| {
            for _ in 0..CONNECTIONS {
                scope.spawn(|| {
                    let mut connection = Connection::open(server.address);
                    for _ in 0..requests / CONNECTIONS / BATCH.len() {
                        assert!(replies(&mut connection) == expected, "another response");
                    }
                });
            }
        });
    };
    let resident_kilobytes = || -> u64 {
        let status = server.threads("status").next().expect("a thread");
        let rest = status.split_once("VmRSS:").expect("proc(5)").1;
        rest.split_whitespace().next().expect("a number").parse().expect("digits")
    };
    round(REQUESTS / 10);
    let before = resident_kilobytes();
    round(REQUESTS);
    let after = resident_kilobytes();
    assert!(after <= before + 2048, "{before} kB before, {after} kB after");
    server.assert_reported_nothing();
}
