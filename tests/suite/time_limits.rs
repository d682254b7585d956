//! WIRE-25: progress in writing, and what is read behind the last response. `options` has the limits.

use std::sync::Arc;
use std::time::Duration;

use http::Version;
use recipelog_site::server::{ByteStream, Limits};
use rustls::DEFAULT_VERSIONS;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::support::http2_client::{
    Client, INITIAL_WINDOW_SIZE, PING, SETTINGS, begin, frame, get, setting, window_update,
};
use crate::support::process::FREE_PORT;
use crate::support::site::{connect_in_memory, serve_in_memory};
use crate::support::tls::{TlsServer, handshake};

const LIMITS: Limits = Limits::DEFAULT;

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
        let mut client = Client { stream: serve_in_memory(LIMITS, Version::HTTP_2).0 };
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
    let (mut client, _) = connect_in_memory();
    let head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n";
    client.write_all(head).await.unwrap();
    let begun = Instant::now();
    while client.write_all(&[b'a'; 1000]).await.is_ok() {
        sleep(Duration::from_millis(10)).await;
        assert!(begun.elapsed() < LIMITS.header_timeout, "the input is still read");
    }
    let late = begun.elapsed().abs_diff(Duration::from_secs(2));
    assert!(late < Duration::from_millis(50), "{late:?}");
}
