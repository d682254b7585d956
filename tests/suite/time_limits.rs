//! WIRE-25, and WIRE-30 for the end of a handshake. Most tests run in memory, on Tokio's paused clock.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::Version;
use recipelog_site::server::{ByteStream, Limits, serve_connection};
use rustls::DEFAULT_VERSIONS;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::support::http2_client::{
    Client, INITIAL_WINDOW_SIZE, PING, SETTINGS, frame, get, setting, window_update,
};
use crate::support::process::FREE_PORT;
use crate::support::site::{PEER, STREAM_BYTES, connect_in_memory, large_site, large_site_with};
use crate::support::tls::{CertifiedKey, TlsServer, handshake};

const LIMITS: Limits = Limits::DEFAULT;

/// Maximum error of the server's timers.
const TOLERANCE: Duration = Duration::from_millis(5);

const REQUEST: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/// The same with HTTPS.
fn connect_tls(certified: &CertifiedKey) -> DuplexStream {
    let (client, server) = tokio::io::duplex(STREAM_BYTES);
    let service = large_site_with(Some(certified.tls()));
    tokio::task::spawn_local(serve_connection(server, PEER, service, LIMITS, Version::HTTP_11));
    client
}

/// Sends [`REQUEST`] and reads the response.
async fn exchange(client: &mut (impl AsyncRead + AsyncWrite + Unpin), sent: &str) {
    client.write_all(sent.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while !received.ends_with(b"\r\n\r\nok\n") {
        assert_ne!(client.read_buf(&mut received).await.unwrap(), 0, "{received:?}");
    }
    assert!(received.starts_with(b"HTTP/1.1 200 "), "{received:?}");
}

/// Asserts that the server closes the connection after `limit`, and sends nothing before.
async fn assert_ended_after(
    limit: Duration,
    begun: Instant,
    client: &mut (impl AsyncRead + Unpin),
) {
    let mut rest = Vec::new();
    let ended = timeout(limit * 2, client.read_to_end(&mut rest)).await;
    let elapsed = begun.elapsed();
    // An error over TLS, because a limit ends the connection without close_notify.
    let _ = ended.expect("the end of the connection");
    assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    assert!(elapsed.abs_diff(limit) <= TOLERANCE, "{elapsed:?} instead of {limit:?}");
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn the_head_limit_applies_to_a_silent_client_and_to_a_head_that_arrives_byte_by_byte() {
    let endless = "a".repeat(200);
    let head = format!("GET / HTTP/1.1\r\nHost: a.example\r\nX-Slow: {endless}");
    let empty_line = format!("\r\n{endless}");
    for (before, head) in [("", ""), ("", &*head), (REQUEST, &head), (REQUEST, &empty_line)] {
        let mut begun = Instant::now();
        let (mut client, _server) = connect_in_memory();
        if !before.is_empty() {
            exchange(&mut client, before).await;
            sleep(LIMITS.header_timeout * 2).await;
            begun = Instant::now();
        }
        let (mut reader, mut slow) = tokio::io::split(client);
        let writer = async {
            for byte in head.bytes() {
                if slow.write_all(&[byte]).await.is_err() {
                    return;
                }
                sleep(LIMITS.header_timeout / 20).await;
            }
        };
        let ended = assert_ended_after(LIMITS.header_timeout, begun, &mut reader);
        tokio::join!(ended, writer);
    }
}

/// Neither a client that sends no whole ClientHello, nor one whose handshake ends late, has more time.
#[tokio::test(flavor = "local", start_paused = true)]
async fn the_head_limit_applies_to_the_tls_handshake_and_the_head_together() {
    let certified = CertifiedKey::new();
    let connect = || connect_tls(&certified);
    for sent in [&[][..], &[22], &[22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]] {
        let (begun, mut client) = (Instant::now(), connect());
        client.write_all(sent).await.unwrap();
        assert_ended_after(LIMITS.header_timeout, begun, &mut client).await;
    }
    let (begun, client) = (Instant::now(), connect());
    sleep(LIMITS.header_timeout / 2).await;
    let config = certified.client(&[b"http/1.1"], rustls::DEFAULT_VERSIONS);
    let mut client = handshake(client, Arc::new(config)).await.unwrap();
    client.write_all(b"GET / HTT").await.unwrap();
    assert_ended_after(LIMITS.header_timeout, begun, &mut client).await;
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn an_idle_connection_is_closed_after_the_idle_limit() {
    let (mut client, _server) = connect_in_memory();
    for _ in 0..2 {
        exchange(&mut client, REQUEST).await;
        // Longer than the head limit, which does not apply between requests.
        sleep(LIMITS.idle_timeout - TOLERANCE).await;
    }
    let begun = Instant::now();
    exchange(&mut client, REQUEST).await;
    assert_ended_after(LIMITS.idle_timeout, begun, &mut client).await;

    let certified = CertifiedKey::new();
    let config = certified.client(&[b"http/1.1"], rustls::DEFAULT_VERSIONS);
    let mut client = handshake(connect_tls(&certified), Arc::new(config)).await.unwrap();
    exchange(&mut client, REQUEST).await;
    let ended = client.read_to_end(&mut Vec::new()).await;
    assert_eq!(ended.expect("close_notify (RFC 9112 §9.8)"), 0);
}

/// A connection whose client reads so many bytes a second, after a stall as fast as it can. Segments of the loopback
/// device have up to 64 KiB, and a large receive buffer would take as many before it has space again; those of a network
/// are small, and so are those that fit into a small buffer.
async fn read_slowly(address: SocketAddr, rate: u64) -> DuplexStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let (mut from_server, mut to_server) = socket.connect(address).await.unwrap().into_split();
    let (client, pipe) = tokio::io::duplex(512);
    let (mut from_client, mut to_client) = tokio::io::split(pipe);
    tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_server).await });
    tokio::spawn(async move {
        let (begun, mut total, mut chunk) = (Instant::now(), 0, [0; 512]);
        while let Ok(count @ 1..) = from_server.read(&mut chunk).await
            && to_client.write_all(&chunk[..count]).await.is_ok()
        {
            total += count as u64;
            sleep_until(begun + Duration::from_millis(total * 1000 / rate)).await;
        }
    });
    client
}

/// 60 KiB within a limit, as 2 KiB a second within the default one, from sockets of Linux.
#[tokio::test]
async fn a_client_that_reads_60_kib_within_each_write_limit_stays_connected() {
    const WITHIN_LIMIT: usize = 60 * 1024;
    let site = TlsServer::start(&[&FREE_PORT[..], &["--write-timeout", "4s"]].concat());
    let rate = WITHIN_LIMIT as u64 / 4;
    let requests = "GET /og.png HTTP/1.1\r\nHost: a.example\r\n\r\n".repeat(400);
    let mut clients = JoinSet::new();
    for protocol in [None, Some(&b"http/1.1"[..]), Some(b"h2")] {
        let address =
            if protocol.is_some() { site.server.tls_address } else { site.server.address };
        let stream = read_slowly(address, rate).await;
        let config = site.certified.client(&[protocol.unwrap_or_default()], DEFAULT_VERSIONS);
        let requests = requests.clone();
        clients.spawn(async move {
            let mut stream: Box<dyn ByteStream + Send> = match protocol {
                None => Box::new(stream),
                Some(_) => Box::new(handshake(stream, Arc::new(config)).await.unwrap()),
            };
            if protocol == Some(b"h2") {
                let mut client = Client { stream };
                client.begin(&setting(INITIAL_WINDOW_SIZE, 1 << 24)).await;
                let heads = (0..90).flat_map(|number| get(number * 2 + 1, "/og.png"));
                client.send([window_update(0, 1 << 24), heads.collect()].concat()).await;
                stream = client.stream;
            } else {
                stream.write_all(requests.as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
            }
            let received = stream.read_exact(&mut [0; 3 * WITHIN_LIMIT]).await;
            assert!(received.is_ok(), "{protocol:?}: {received:?}");
        });
    }
    clients.join_all().await;
}

/// The answers fill the socket, which takes more of them once a second.
#[tokio::test(flavor = "local", start_paused = true)]
async fn answers_that_are_read_slowly_do_not_prolong_the_write_limit() {
    for sent in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let (stream, server) = tokio::io::duplex(STREAM_BYTES);
        let version = Version::HTTP_2;
        let served = serve_connection(server, PEER, large_site(), LIMITS, version);
        let served = tokio::task::spawn_local(served);
        let mut client = Client { stream };
        client.begin(&setting(INITIAL_WINDOW_SIZE, 70_000)).await;
        client.send(get(1, "/large.txt")).await;
        let begun = Instant::now();
        let (mut reader, mut writer) = tokio::io::split(client.stream);
        tokio::task::spawn_local(async move { while writer.write_all(&sent).await.is_ok() {} });
        while !served.is_finished() {
            let _ = reader.read(&mut [0; 2048]).await;
            sleep(Duration::from_secs(1)).await;
            assert!(begun.elapsed() < LIMITS.write_timeout * 6, "the connection is still open");
        }
        assert!(begun.elapsed() > LIMITS.write_timeout, "{:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn input_behind_the_last_response_is_read_for_two_seconds() {
    let (mut client, _server) = connect_in_memory();
    let head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n";
    client.write_all(head).await.unwrap();
    let begun = Instant::now();
    while client.write_all(&[b'a'; 1000]).await.is_ok() {
        sleep(Duration::from_millis(10)).await;
        assert!(begun.elapsed() < LIMITS.header_timeout, "the input is still read");
    }
    assert!(begun.elapsed().abs_diff(Duration::from_secs(2)) < 10 * TOLERANCE, "{begun:?}");
}
