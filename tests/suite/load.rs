//! WIRE-3, WIRE-26: correct responses and bounded memory under load.

use std::thread;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::support::client::{Connection, Reply};
use crate::support::process::{Server, skip};

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
        reply.headers.remove("date");
        reply
    })
}

fn resident_kilobytes(server: &Server) -> u64 {
    let status = server.threads("status").next().expect("a thread");
    let rest = status.split_once("VmRSS:").expect("proc(5)").1;
    rest.split_whitespace().next().expect("a number").parse().expect("digits")
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
    round(REQUESTS / 10);
    let before = resident_kilobytes(&server);
    round(REQUESTS);
    let after = resident_kilobytes(&server);
    assert!(after <= before + 2048, "{before} kB before, {after} kB after");
    server.assert_reported_nothing();
}

/// Pages of the kernel for TCP (proc(5)), in bytes, of both ends.
fn kernel_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/net/sockstat").expect("Linux");
    let line = text.lines().find(|line| line.starts_with("TCP: ")).expect("TCP");
    line.rsplit(' ').next().and_then(|pages| pages.parse::<u64>().ok()).expect("pages") * 4096
}

/// README: 512 MiB for 4,096 connections, whatever their clients send. Half of the clients leave their responses
/// unread, and half send no more than most of a head.
#[test]
fn as_many_clients_as_the_default_cap_need_at_most_512_mib() {
    const CLIENTS: usize = 4096;
    let limit = Rlimit { current: Some(CLIENTS as u64 + 1000), ..getrlimit(Resource::Nofile) };
    if setrlimit(Resource::Nofile, limit).is_err() {
        return skip("the limit on open files is below 5,096");
    }
    let timeouts = ["--header-timeout", "30m", "--write-timeout", "30m", "--idle-timeout", "30m"];
    let server = Server::start(&timeouts);
    let before = kernel_bytes();
    let unread = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200);
    let head = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}", "a".repeat(16_000));
    let mut clients: Vec<Connection> = (0..CLIENTS)
        .map(|number| {
            let source = [127, 0, 1, (number % 200) as u8 + 1];
            let mut client = Connection::open_from(source, server.address, Some(4096));
            client.send([&unread, &head][number % 2]);
            client
        })
        .collect();
    server.wait_until_idle();
    let user = resident_kilobytes(&server) * 1024;
    let kernel = kernel_bytes().saturating_sub(before);
    assert!(user + kernel <= 512 << 20, "{user} bytes, and {kernel} of the kernel");
    let open = clients.iter_mut().map(|client| client.stream.take_error());
    assert!(open.map(|error| error.expect("a socket")).all(|error| error.is_none()));
}
