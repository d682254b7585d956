//! WIRE-25, and WIRE-30 for the end of a handshake, in memory. The tests run on Tokio's paused clock.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Version;
use memchr::memmem;
use recipelog_site::server::{ByteStream, Limits, serve_connection};
use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, Join, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::certified_key::{CertifiedKey, handshake};
use crate::fixture::PEER;
use crate::http2::{LARGE, large_site, large_site_with};
use crate::http2_client::{
    Client, INITIAL_WINDOW_SIZE, PING, SETTINGS, frame, get, setting, window_update,
};

const LIMITS: Limits = Limits::DEFAULT;

/// Maximum error of the server's timers.
const TOLERANCE: Duration = Duration::from_millis(5);

/// Bytes that the stream takes before the other end reads.
pub const STREAM_BYTES: usize = 4096;

const REQUEST: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

/// A connection to a server in this process, and the task that serves it.
pub fn connect() -> (DuplexStream, JoinHandle<()>) {
    let (client, server) = tokio::io::duplex(STREAM_BYTES);
    (
        client,
        tokio::task::spawn_local(serve_connection(
            server,
            PEER,
            large_site(),
            LIMITS,
            Version::HTTP_11,
        )),
    )
}

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
        let (mut client, _server) = connect();
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
    let (mut client, _server) = connect();
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

#[tokio::test(flavor = "local", start_paused = true)]
async fn a_client_that_does_not_read_is_closed_after_the_write_limit() {
    let (mut client, server) = connect();
    let begun = Instant::now();
    client.write_all(b"GET /large.txt HTTP/1.1\r\nHost: a.example\r\n\r\n").await.unwrap();
    timeout(LIMITS.write_timeout * 2, server).await.expect("the end").unwrap();
    let elapsed = begun.elapsed();
    assert!(elapsed.abs_diff(LIMITS.write_timeout) <= TOLERANCE, "{elapsed:?}");
    // What the stream had taken arrives before the end of the connection.
    let mut received = Vec::new();
    client.read_to_end(&mut received).await.unwrap();
    assert_eq!(received.len(), STREAM_BYTES);
}

/// The sending half of a TCP socket of Linux whose client reads slowly: it takes a whole write if it holds
/// fewer than `MAX` unsent bytes, and wakes the writer once it holds fewer than half.
struct SlowSocket {
    stream: WriteHalf<DuplexStream>,
    /// Unsent bytes, and when they were counted.
    unsent: (u64, Instant),
    is_full: bool,
    timer: Pin<Box<tokio::time::Sleep>>,
}

impl SlowSocket {
    const MAX: u64 = 14 * 1024;

    /// Bytes that the client reads in a second.
    const RATE: u64 = 2048;

    fn open() -> (DuplexStream, Join<ReadHalf<DuplexStream>, Self>) {
        let (client, stream) = tokio::io::duplex(2 * LARGE);
        let (reader, stream) = tokio::io::split(stream);
        let timer = Box::pin(sleep(Duration::ZERO));
        let unsent = (0, Instant::now());
        (client, tokio::io::join(reader, Self { stream, unsent, is_full: false, timer }))
    }
}

impl AsyncWrite for SlowSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let (unsent, since) = self.unsent;
        let read = since.elapsed().as_millis() as u64 * Self::RATE / 1000;
        let unsent = unsent.saturating_sub(read);
        self.is_full = unsent >= if self.is_full { Self::MAX / 2 } else { Self::MAX };
        if self.is_full {
            let wait = Duration::from_millis((unsent - Self::MAX / 2) * 1000 / Self::RATE + 1);
            self.timer.as_mut().reset(Instant::now() + wait);
            let _ = self.timer.as_mut().poll(context);
            return Poll::Pending;
        }
        self.unsent = (unsent + content.len() as u64, Instant::now());
        Pin::new(&mut self.stream).poll_write(context, content)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write(context, &contents.iter().flat_map(|it| it.to_vec()).collect::<Vec<u8>>())
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// What counts is what the socket takes, in whichever parts it does.
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_client_that_reads_two_kibibytes_a_second_gets_a_large_file_whole() {
    let certified = CertifiedKey::new();
    for (is_http2, is_tls) in [(false, false), (true, false), (false, true), (true, true)] {
        let (client, server) = SlowSocket::open();
        let service = if is_tls { large_site_with(Some(certified.tls())) } else { large_site() };
        if is_http2 && !is_tls {
            tokio::task::spawn_local(serve_connection(
                server,
                PEER,
                large_site(),
                LIMITS,
                Version::HTTP_2,
            ));
        } else {
            tokio::task::spawn_local(serve_connection(
                server,
                PEER,
                service,
                LIMITS,
                Version::HTTP_11,
            ));
        }
        let mut stream: Box<dyn ByteStream> = Box::new(client);
        if is_tls {
            let protocol = if is_http2 { &b"h2"[..] } else { b"http/1.1" };
            let config = certified.client(&[protocol], rustls::DEFAULT_VERSIONS);
            stream = Box::new(handshake(stream, Arc::new(config)).await.unwrap());
        }
        let begun = Instant::now();
        let received = if is_http2 {
            let mut client = Client { stream };
            client.begin(&setting(INITIAL_WINDOW_SIZE, 1 << 24)).await;
            client.send([window_update(0, 1 << 24), get(1, "/large.txt")].concat()).await;
            client.content_length().await
        } else {
            let head = b"GET /large.txt HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
            stream.write_all(head).await.unwrap();
            let mut received = Vec::new();
            stream.read_to_end(&mut received).await.unwrap();
            memmem::find(&received, b"\r\n\r\n").map(|end| received.len() - end - 4)
        };
        assert_eq!(received, Some(LARGE), "{is_http2} {is_tls} {:?}", begun.elapsed());
        assert!(begun.elapsed() > LIMITS.write_timeout * 15, "read too fast");
    }
}

/// The answers fill the socket, which takes more of them once a second.
#[tokio::test(flavor = "local", start_paused = true)]
async fn answers_that_are_read_slowly_do_not_prolong_the_write_limit() {
    for sent in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &[])] {
        let (stream, server) = SlowSocket::open();
        let served = tokio::task::spawn_local(serve_connection(
            server,
            PEER,
            large_site(),
            LIMITS,
            Version::HTTP_2,
        ));
        let mut client = Client { stream };
        client.begin(&setting(INITIAL_WINDOW_SIZE, 70_000)).await;
        client.send(get(1, "/large.txt")).await;
        let begun = Instant::now();
        while !served.is_finished() {
            client.send(sent.repeat(1000)).await;
            sleep(Duration::from_secs(1)).await;
            assert!(begun.elapsed() < LIMITS.write_timeout * 6, "the connection is still open");
        }
        assert!(begun.elapsed() > LIMITS.write_timeout, "{:?}", begun.elapsed());
    }
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn input_behind_the_last_response_is_read_for_two_seconds() {
    let (mut client, _server) = connect();
    let head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n";
    client.write_all(head).await.unwrap();
    let begun = Instant::now();
    while client.write_all(&[b'a'; 1000]).await.is_ok() {
        sleep(Duration::from_millis(10)).await;
        assert!(begun.elapsed() < LIMITS.header_timeout, "the input is still read");
    }
    assert!(begun.elapsed().abs_diff(Duration::from_secs(2)) < 10 * TOLERANCE, "{begun:?}");
}
