//! WIRE-30, and WIRE-25, WIRE-26 and WIRE-28 for connections over TLS: handshakes, and the protocol
//! that they agree on.

use std::sync::Arc;

use rustix::process::Signal;
use rustls::HandshakeKind;
use rustls::version::{TLS12, TLS13};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

use crate::access_log::object;
use crate::certified_key::{TlsServer, connect};
use crate::child_process::{DEADLINE, Lines};
use crate::http2_client::Event::{Closed, GoAway, Response};
use crate::http2_client::{Client, INITIAL_WINDOW_SIZE, get, reset, setting, window_update};
use crate::wire::Connection;

const H1: &[u8] = b"http/1.1";
const H2: &[u8] = b"h2";

const HEAD: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/// Sends `request`. Returns everything that is received until the connection ends.
pub async fn exchange(
    stream: &mut (impl AsyncReadExt + AsyncWriteExt + Unpin),
    request: &[u8],
) -> String {
    stream.write_all(request).await.expect("the server reads");
    stream.flush().await.expect("the server reads");
    let mut response = Vec::new();
    let read = timeout(DEADLINE, stream.read_to_end(&mut response)).await;
    read.expect("the end of the connection").expect("an orderly end");
    String::from_utf8_lossy(&response).into_owned()
}

/// A connection with HTTP/2, after its preface with `settings`.
pub async fn http2(site: &TlsServer, settings: &[u8]) -> Client<TlsStream<TcpStream>> {
    let mut client = Client { stream: site.connect(H2).await };
    client.begin(settings).await;
    client
}

#[tokio::test]
async fn sessions_of_tls_1_2_and_1_3_are_resumed() {
    let site = TlsServer::start(&[]);
    for version in [&TLS12, &TLS13] {
        let config = Arc::new(site.certified.client(&[H1], &[version]));
        for expected in [HandshakeKind::Full, HandshakeKind::Resumed] {
            let mut stream = connect(site.server.tls_address, Arc::clone(&config)).await.unwrap();
            let connection = stream.get_ref().1;
            assert_eq!(connection.protocol_version(), Some(version.version));
            assert_eq!(connection.handshake_kind(), Some(expected), "{version:?}");
            // Tickets of TLS 1.3 arrive with the response.
            assert!(exchange(&mut stream, HEAD).await.starts_with("HTTP/1.1 200 OK\r\n"));
        }
    }
}

#[tokio::test]
async fn a_handshake_without_h2_agrees_on_http_1_1_if_the_client_may_know_it() {
    let site = TlsServer::start(&[]);
    // Without ALPN, the protocol is HTTP/1.1. With an unknown protocol, the handshake fails.
    let http10 = &[&b"http/1.0"[..]];
    for (protocols, is_accepted) in
        [(&[][..], true), (&[H1], true), (http10, true), (&[b"h3"], false)]
    {
        let config = site.certified.client(protocols, rustls::DEFAULT_VERSIONS);
        let stream = connect(site.server.tls_address, Arc::new(config)).await;
        assert_eq!(stream.is_ok(), is_accepted, "{protocols:?}");
        if let Ok(mut stream) = stream {
            assert!(exchange(&mut stream, HEAD).await.ends_with("\r\n\r\nok\n"));
        }
    }
}

#[tokio::test]
async fn silent_clients_at_the_cap_do_not_keep_others_out() {
    let limits = ["--max-connections", "64", "--header-timeout", "5m", "--idle-timeout", "5m"];
    let site = TlsServer::start(&limits);
    let mut attackers: Vec<Connection> = (0..80)
        .map(|_| Connection::open_from([127, 0, 0, 2], site.server.tls_address, None))
        .collect();
    for _ in 0..5 {
        let mut stream = site.connect(H1).await;
        let response = exchange(&mut stream, HEAD).await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    // A connection counts during its handshake, too.
    assert!(attackers.iter_mut().map(Connection::is_open).filter(|&open| open).count() < 64);
}

#[tokio::test]
async fn idle_connections_with_http_2_give_way_at_the_cap() {
    let site = TlsServer::start(&["--max-connections", "4", "--threads", "1"]);
    let mut idle = Vec::new();
    for _ in 0..4 {
        let mut client = http2(&site, &[]).await;
        client.send(get(1, "/healthz")).await;
        assert_eq!(client.event().await, Response(1, 200));
        idle.push(client);
    }
    let mut visitor = http2(&site, &[]).await;
    visitor.send(get(1, "/")).await;
    assert_eq!(visitor.event().await, Response(1, 200));
    let event = timeout(DEADLINE, idle[0].event()).await.expect("the longest idle one ends");
    assert_eq!(event, Closed);
}

#[tokio::test]
async fn the_drain_announces_the_end_and_finishes_responses() {
    // Longer than `wait` waits.
    let mut site = TlsServer::start(&["--drain-timeout", "70s"]);
    let mut idle = http2(&site, &[]).await;
    idle.send(get(1, "/healthz")).await;
    assert_eq!(idle.event().await, Response(1, 200));
    let mut busy = http2(&site, &setting(INITIAL_WINDOW_SIZE, 10)).await;
    busy.send(get(1, "/og.png")).await;
    assert_eq!(busy.event().await, Response(1, 200));
    // Clients that have not sent a request delay the end by at most a tenth of the limit.
    let _silent = Connection::open(site.server.tls_address);
    let _without_preface = site.connect(H2).await;

    site.server.signal(Signal::TERM);
    // RFC 9113 §6.8: the announcement, and the end once the client has answered its PING.
    assert_eq!(timeout(DEADLINE, idle.event()).await.expect("an event"), GoAway(0));
    // A stream that was opened before the announcement arrived is completed.
    idle.send(get(3, "/healthz")).await;
    let mut events = Vec::new();
    while events.last() != Some(&Closed) {
        events.push(timeout(DEADLINE, idle.event()).await.expect("an event"));
    }
    assert!(events.contains(&Response(3, 200)) && events.contains(&GoAway(0)), "{events:?}");
    assert_eq!(busy.event().await, GoAway(0));
    busy.send([window_update(1, 1 << 24), window_update(0, 1 << 24)].concat()).await;
    let length = timeout(DEADLINE, busy.content_length()).await.expect("the rest");
    assert!(length.is_some_and(|length| length > 1000), "{length:?}");
    drop((busy, idle));
    assert_eq!(site.server.wait().0.code(), Some(0));
}

#[tokio::test]
async fn requests_with_http_2_are_logged_with_the_bytes_that_were_sent() {
    let mut site = TlsServer::start(&["--access-log", "json"]);
    let lines = Lines::of(site.server.output());
    let mut client = http2(&site, &setting(INITIAL_WINDOW_SIZE, 100)).await;
    // A request that breaks the rules of HTTP/2 has no line (WIRE-19).
    client.send([get(1, "/?\""), get(3, "/none")].concat()).await;
    assert_eq!(client.content_length().await, Some(14));
    let line = object(&lines);
    assert_eq!(line["request"], "GET /none HTTP/2.0", "{line}");
    assert_eq!(line["host"], "a.example", "{line}");
    assert_eq!((&line["status"], &line["bytes"]), (&404.into(), &14.into()), "{line}");

    client.send(get(9, "/og.png")).await;
    assert_eq!(client.event().await, Response(9, 200));
    while client.frame().await.expect("content").payload.len() < 100 {}
    client.send(reset(9)).await;
    let line = object(&lines);
    assert_eq!((&line["status"], &line["bytes"]), (&200.into(), &100.into()), "{line}");
    assert!(line["duration"].as_f64().is_some(), "{line}");
}
