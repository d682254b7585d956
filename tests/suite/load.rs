//! WIRE-26: bounded memory.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::client::Connection;
use crate::support::heap::allocated;
use crate::support::process::{Server, skip};
use crate::support::site::connect_in_memory;

fn resident_kilobytes(server: &Server) -> u64 {
    let status = server.threads("status").next().expect("a thread");
    let rest = status.split_once("VmRSS:").expect("proc(5)").1;
    rest.split_whitespace().next().expect("a number").parse().expect("digits")
}

/// Requests for each kind of response: pages, variants, 206, 304, 308 and errors.
#[tokio::test(flavor = "local", start_paused = true)]
async fn memory_does_not_grow_with_the_requests_of_a_connection() {
    let requests = [
        "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
        "GET /icon.svg HTTP/1.1\r\nHost: a\r\nRange: bytes=10-19\r\n\r\n",
        "GET /none HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
        "GET /PRIVACY/?a=b HTTP/1.1\r\nHost: a\r\n\r\n",
        "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    .concat();
    let (mut client, _) = connect_in_memory();
    let mut used = [0; 100];
    for used in &mut used {
        client.write_all(requests.as_bytes()).await.unwrap();
        let mut received = Vec::new();
        while !received.ends_with(b"\r\n\r\nok\n") {
            client.read_buf(&mut received).await.unwrap();
        }
        drop(received);
        *used = allocated();
    }
    assert_eq!(used[99], used[9], "{used:?}");
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
