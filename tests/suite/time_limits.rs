//! WIRE-25, and WIRE-30 for the end of a handshake. Most tests run in memory, on Tokio's paused clock.

use std::sync::Arc;
use std::time::Duration;

use http::Version;
use recipelog_site::server::{ByteStream, Limits};
use rustls::DEFAULT_VERSIONS;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::support::http2_client::{
    Client, INITIAL_WINDOW_SIZE, PING, SETTINGS, begin, frame, get, setting, window_update,
};
use crate::support::process::FREE_PORT;
use crate::support::site::{connect_in_memory, large_site, large_site_with};
use crate::support::tls::{CertifiedKey, TlsServer, handshake};

const LIMITS: Limits = Limits::DEFAULT;

/// Maximum error of the server's timers.
const TOLERANCE: Duration = Duration::from_millis(5);

const REQUEST: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/// A connection to a server in this process, with HTTPS if there is a certificate, before its handshake.
fn connect(certified: Option<&CertifiedKey>) -> DuplexStream {
    let service = large_site_with(certified.map(CertifiedKey::tls));
    connect_in_memory(service, LIMITS, Version::HTTP_11)
}

async fn shake_hands(certified: &CertifiedKey, client: DuplexStream) -> impl ByteStream + use<> {
    let config = certified.client(&[b"http/1.1"], DEFAULT_VERSIONS);
    handshake(client, Arc::new(config)).await.unwrap()
}

/// Sends [`REQUEST`] and reads the response.
async fn exchange(client: &mut (impl AsyncRead + AsyncWrite + Unpin)) {
    client.write_all(REQUEST.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while !received.ends_with(b"\r\n\r\nok\n") {
        assert_ne!(client.read_buf(&mut received).await.unwrap(), 0, "{received:?}");
    }
    assert!(received.starts_with(b"HTTP/1.1 200 "), "{received:?}");
}

/// Asserts that the server closes the connection after `limit`, and sends nothing before. False if TLS lacks a
/// close_notify.
async fn ends_after(
    limit: Duration,
    begun: Instant,
    client: &mut (impl AsyncRead + Unpin),
) -> bool {
    let mut rest = Vec::new();
    let ended = timeout(limit * 2, client.read_to_end(&mut rest)).await;
    let elapsed = begun.elapsed();
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    assert!(elapsed.abs_diff(limit) <= TOLERANCE, "{elapsed:?} instead of {limit:?}");
    ended.expect("the end of the connection").is_ok()
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn the_head_limit_applies_to_a_handshake_and_a_head_that_arrive_byte_by_byte() {
    let limit = LIMITS.header_timeout;
    let certified = CertifiedKey::new();
    let endless = "a".repeat(200);
    let head = format!("GET / HTTP/1.1\r\nHost: a.example\r\nX-Slow: {endless}");
    let empty_line = format!("\r\n{endless}");
    for (certified, is_second, sent) in [
        (None, false, &b""[..]),
        (None, false, head.as_bytes()),
        (None, true, head.as_bytes()),
        (None, true, empty_line.as_bytes()),
        (Some(&certified), false, b""),
        (Some(&certified), false, b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"),
    ] {
        let (mut begun, mut client) = (Instant::now(), connect(certified));
        if is_second {
            exchange(&mut client).await;
            sleep(limit * 2).await;
            begun = Instant::now();
        }
        let (mut reader, mut slow) = tokio::io::split(client);
        let writer = async {
            for byte in sent {
                if slow.write_all(&[*byte]).await.is_err() {
                    return;
                }
                sleep(limit / 20).await;
            }
        };
        tokio::join!(ends_after(limit, begun, &mut reader), writer);
    }
    // The handshake and the head have the limit together.
    let (begun, client) = (Instant::now(), connect(Some(&certified)));
    sleep(limit / 2).await;
    let mut client = shake_hands(&certified, client).await;
    client.write_all(b"GET / HTT").await.unwrap();
    ends_after(limit, begun, &mut client).await;
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn an_idle_connection_is_closed_after_the_idle_limit() {
    let certified = CertifiedKey::new();
    for is_tls in [false, true] {
        let client = connect(is_tls.then_some(&certified));
        let mut client: Box<dyn ByteStream> =
            if is_tls { Box::new(shake_hands(&certified, client).await) } else { Box::new(client) };
        exchange(&mut client).await;
        // Longer than the head limit, which does not apply between requests.
        sleep(LIMITS.idle_timeout - TOLERANCE).await;
        let begun = Instant::now();
        exchange(&mut client).await;
        let is_orderly = ends_after(LIMITS.idle_timeout, begun, &mut client).await;
        assert!(is_orderly, "no close_notify (RFC 9112 §9.8)");
    }
}

/// 60 KiB within a limit, as 2 KiB a second within the default one, from sockets of Linux. Segments of the loopback
/// device have up to 64 KiB, and a large receive buffer would take as many before it has space again; those of a network
/// are small, and so are those that fit into a small buffer.
#[tokio::test]
async fn a_client_that_reads_60_kib_within_each_write_limit_stays_connected() {
    const LIMIT: Duration = Duration::from_secs(4);
    const READS: u32 = 120;
    let site = TlsServer::start(&[&FREE_PORT[..], &["--write-timeout", "4s"]].concat());
    let requests = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(400).into_bytes();
    let settings = begin(&setting(INITIAL_WINDOW_SIZE, 1 << 24));
    let heads: Vec<u8> = (0..90).flat_map(|number| get(number * 2 + 1, "/og.png")).collect();
    let frames = [settings, window_update(0, 1 << 24), heads].concat();
    let mut clients = JoinSet::new();
    for (protocol, sent) in [("", &requests), ("http/1.1", &requests), ("h2", &frames)] {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream: Box<dyn ByteStream + Send> = if protocol.is_empty() {
            Box::new(socket.connect(site.server.address).await.unwrap())
        } else {
            let stream = socket.connect(site.server.tls_address).await.unwrap();
            let config = site.certified.client(&[protocol.as_bytes()], DEFAULT_VERSIONS);
            Box::new(handshake(stream, Arc::new(config)).await.unwrap())
        };
        stream.write_all(sent).await.unwrap();
        stream.flush().await.unwrap();
        clients.spawn(async move {
            let begun = Instant::now();
            for number in 1..=3 * READS {
                let read = stream.read_exact(&mut [0; 60 * 1024 / READS as usize]).await;
                read.unwrap_or_else(|error| panic!("{protocol}: {error}"));
                sleep_until(begun + LIMIT / READS * number).await;
            }
        });
    }
    clients.join_all().await;
}

/// The answers fill the socket, which takes more of them once a second.
#[tokio::test(flavor = "local", start_paused = true)]
async fn answers_that_are_read_slowly_do_not_prolong_the_write_limit() {
    for sent in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let mut client =
            Client { stream: connect_in_memory(large_site(), LIMITS, Version::HTTP_2) };
        client.begin(&setting(INITIAL_WINDOW_SIZE, 70_000)).await;
        client.send(get(1, "/large.txt")).await;
        let begun = Instant::now();
        let (mut reader, mut writer) = tokio::io::split(client.stream);
        tokio::task::spawn_local(async move { while writer.write_all(&sent).await.is_ok() {} });
        while reader.read(&mut [0; 2048]).await.is_ok_and(|count| count > 0) {
            sleep(Duration::from_secs(1)).await;
            assert!(begun.elapsed() < LIMITS.write_timeout * 6, "the connection is still open");
        }
        assert!(begun.elapsed() > LIMITS.write_timeout, "{:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn input_behind_the_last_response_is_read_for_two_seconds() {
    let mut client = connect(None);
    let head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n";
    client.write_all(head).await.unwrap();
    let begun = Instant::now();
    while client.write_all(&[b'a'; 1000]).await.is_ok() {
        sleep(Duration::from_millis(10)).await;
        assert!(begun.elapsed() < LIMITS.header_timeout, "the input is still read");
    }
    assert!(begun.elapsed().abs_diff(Duration::from_secs(2)) < 10 * TOLERANCE, "{begun:?}");
}
