//! HTTP-3 and HTTP-26: correct responses and constant memory under load.

use std::io::Read;
use std::ops::Range;
use std::thread;

use memchr::memmem;

use crate::executable::Server;
use crate::wire::Connection;

const CONNECTIONS: usize = 64;
const REQUESTS: usize = 100_000;

/// Number of requests that are sent before their responses are read.
const PIPELINED: usize = 10;

/// Requests for each kind of response: pages, variants, 206, 304, 308 and errors.
const HEADS: [&str; 7] = [
    "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
    "GET /privacy HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n",
    "GET /terms HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
    "GET /icon.svg HTTP/1.1\r\nHost: a\r\nRange: bytes=10-99\r\n\r\n",
    "GET /none HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
    "GET /PRIVACY/?a=b HTTP/1.1\r\nHost: a\r\n\r\n",
    "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n",
];

#[test]
fn a_hundred_thousand_requests_get_the_correct_responses_and_memory_does_not_grow() {
    let server = Server::start(&[]);
    let expected = HEADS.map(|head| ExpectedReply::receive(&server, head));
    let round = |requests: usize| {
        thread::scope(|scope| {
            for client in 0..CONNECTIONS {
                let (address, expected) = (server.address, &expected);
                scope.spawn(move || {
                    let mut connection = Connection::open(address);
                    for batch in 0..requests / CONNECTIONS / PIPELINED {
                        let kinds: Vec<usize> =
                            (0..PIPELINED).map(|n| (client + batch + n) % HEADS.len()).collect();
                        connection.send(kinds.iter().map(|&kind| HEADS[kind]).collect::<String>());
                        for kind in kinds {
                            expected[kind].check(&mut connection, HEADS[kind]);
                        }
                    }
                });
            }
        });
    };
    round(REQUESTS / 10);
    let before = server.resident_kilobytes();
    round(REQUESTS);
    let after = server.resident_kilobytes();
    assert!(after <= before + 2048, "{before} kB before, {after} kB after");
    server.assert_reported_nothing();
}

/// The bytes of a response. Only the value of Date depends on the time.
struct ExpectedReply {
    bytes: Vec<u8>,
    date: Range<usize>,
}

/// Precedes the value of Date.
const DATE: &[u8] = b"\r\ndate: ";

impl ExpectedReply {
    fn receive(server: &Server, head: &str) -> Self {
        let mut connection = Connection::open(server.address);
        connection.send(head);
        connection.half_close();
        let bytes = connection.rest().expect("a response");
        let start = memmem::find(&bytes, DATE).expect("Date") + DATE.len();
        let length = memmem::find(&bytes[start..], b"\r\n").expect("a line");
        Self { bytes, date: start..start + length }
    }

    /// Asserts that the next response has these bytes, apart from the value of Date.
    fn check(&self, connection: &mut Connection, head: &str) {
        // If the response is too short, the message shows the part that arrived.
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut response = (&connection.stream).take(self.bytes.len() as u64);
        let outcome = response.read_to_end(&mut bytes);
        if let Some(date) = bytes.get_mut(self.date.clone()) {
            date.copy_from_slice(&self.bytes[self.date.clone()]);
        }
        assert!(bytes == self.bytes, "{head}: {outcome:?} {}", String::from_utf8_lossy(&bytes));
    }
}
