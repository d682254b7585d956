//! WIRE-3, WIRE-26 and WIRE-35: correct responses and bounded memory under load.

use std::thread;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::task::JoinSet;

use crate::support::client::{Connection, Reply};
use crate::support::http2_client::{HEADERS, WHOLE, fields, frame, request};
use crate::support::process::{Server, skip};
use crate::support::tls::{TlsServer, http2};

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

/// A field in the code of Huffman (RFC 7541 §5.2), in which `length` bytes stand for 8/5 as many.
fn huffman(length: usize) -> Vec<u8> {
    [&[0, 1, b'x', 255], &[(length - 127) as u8 | 128, ((length - 127) / 128) as u8][..]]
        .concat()
        .into_iter()
        .chain(vec![0; length])
        .collect()
}

/// The clients fill h2's table with small entries between large fields, which stay in memory with
/// them. An update of h2, bytes or tokio-util that keeps more fails here.
#[tokio::test]
async fn h2_keeps_at_most_five_times_what_it_has_received() {
    const OTHERS: usize = 64 * 1024;
    for (indexed, large) in [
        (":authority", fields(&[("x", &"a".repeat(12_000))])),
        (":path", fields(&[("x", &"a".repeat(4150))])),
        (":scheme", huffman(1300)),
        (":path", huffman(4100)),
        (":path", [huffman(1300), fields(&[("x", &"a".repeat(2800))])].concat()),
    ] {
        let site = TlsServer::start(&["--header-timeout", "5m", "--idle-timeout", "5m"]);
        drop(site.connect(b"h2").await);
        let before = resident_kilobytes(&site.server);
        let mut clients = JoinSet::new();
        for _ in 0..CONNECTIONS {
            let mut client = http2(&site, &[]).await;
            let large = large.clone();
            clients.spawn(async move {
                let mut sent = 0;
                for number in 0..60 {
                    let value = format!("/{number}");
                    let mut others = request("GET", "/healthz");
                    others.retain(|field| field.0 != indexed);
                    let mut stored = fields(&[(indexed, &value)]);
                    // RFC 7541 §6.2.1.
                    stored[0] = 0x40;
                    let head = [fields(&others), large.clone(), stored].concat();
                    sent += head.len();
                    client.send(frame(HEADERS, WHOLE, number * 2 + 1, &head)).await;
                    client.event().await;
                }
                (client, sent)
            });
        }
        let clients = clients.join_all().await;
        let sent: usize = clients.iter().map(|(_, sent)| sent).sum();
        let kept = resident_kilobytes(&site.server).saturating_sub(before) as usize * 1024;
        assert!(
            kept > 2 * sent / 5,
            "{indexed}: the entries of {sent} B keep {kept} B, too few to show"
        );
        assert!(kept <= 5 * sent + CONNECTIONS * OTHERS, "{indexed}: {kept} B kept of {sent}");
    }
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
