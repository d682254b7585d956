//! HTTP-25, HTTP-26 and HTTP-28: the end of connections: at the cap, in the drain, and after an error.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::time::Duration;

use recipelog_site::server::Limits;
use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

use crate::certified_key::TlsServer;
use crate::child_process::DEADLINE;
use crate::fixture::site;
use crate::http2::{LARGE, large_site};
use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{
    ACK, Client, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, PING, SETTINGS, frame, get, post, reset,
    setting, window_update,
};
use crate::http2_conversation::{FRAME_SIZE_ERROR, NO_ERROR};

const H2: &[u8] = b"h2";

/// A tenth of it is longer than each wait of a test.
const LONG_DRAIN: [&str; 2] = ["--drain-timeout", "20m"];

/// A client that has got the response to its first request.
async fn client(
    site: &TlsServer,
) -> Client<tokio_rustls::client::TlsStream<tokio::net::TcpStream>> {
    let mut client = Client { stream: site.connect(H2).await };
    client.begin(&[]).await;
    client.send(get(1, "/healthz")).await;
    assert_eq!(client.event().await, Response(1, 200));
    client
}

/// Clients that ignore GOAWAY, or have lost their network, lose their connection at once, also if
/// they were idle for a short time only. If each was waited for, each visitor would need 2 s.
#[tokio::test]
async fn idle_clients_that_do_not_close_delay_no_visitor_at_the_cap() {
    let site = TlsServer::start(&["--max-connections", "4", "--threads", "1"]);
    let mut clients = Vec::new();
    for _ in 0..4 {
        clients.push(client(&site).await);
    }
    let mut fastest = DEADLINE;
    for _ in 0..6 {
        let begun = Instant::now();
        clients.push(timeout(DEADLINE, client(&site)).await.expect("a response"));
        fastest = fastest.min(begun.elapsed());
    }
    assert!(fastest < Duration::from_secs(1), "{fastest:?}");
}

#[tokio::test]
async fn requests_that_a_client_sends_before_it_knows_of_the_drain_are_answered() {
    let mut site = TlsServer::start(&LONG_DRAIN);
    let mut client = client(&site).await;
    site.server.signal(Signal::TERM);
    site.server.line_with("draining");
    client.send(get(3, "/healthz")).await;
    // The last frame of the announcement.
    let ping = timeout(DEADLINE, client.frame_of(PING)).await.expect("a PING").expect("a frame");
    client.send(get(5, "/healthz")).await;
    loop {
        let next = timeout(DEADLINE, client.frame_of(HEADERS)).await.expect("a response");
        if next.expect("a frame").stream == 5 {
            break;
        }
    }
    client.send(frame(PING, ACK, 0, &ping.payload)).await;
    let last = timeout(DEADLINE, client.frame_of(GOAWAY)).await.expect("GOAWAY").expect("a frame");
    assert_eq!(last.payload, [[0, 0, 0, 5], [0; 4]].concat());
    assert_eq!(timeout(DEADLINE, client.events()).await.expect("the end"), [Closed]);
    drop(client);
    assert_eq!(site.server.wait().0.code(), Some(0));
}

/// Also a client that does not answer the PING of the announcement.
#[tokio::test]
async fn a_client_that_does_not_react_delays_the_drain_by_a_tenth_of_its_limit() {
    let mut site = TlsServer::start(&["--drain-timeout", "20s"]);
    let _client = client(&site).await;
    site.server.signal(Signal::TERM);
    let (status, duration) = site.server.wait();
    assert_eq!(status.code(), Some(0));
    assert!(duration < Duration::from_secs(15), "{duration:?}");
}

/// The drain ends before the lingering close does.
#[tokio::test]
async fn a_client_that_does_not_close_is_no_failure_if_it_has_all_its_responses() {
    let mut site = TlsServer::start(&["--drain-timeout", "700ms"]);
    let mut client = client(&site).await;
    site.server.signal(Signal::TERM);
    let ping = timeout(DEADLINE, client.frame_of(PING)).await.expect("a PING").expect("a frame");
    client.send(frame(PING, ACK, 0, &ping.payload)).await;
    assert_eq!(site.server.wait().0.code(), Some(0));
}

#[tokio::test]
async fn the_drain_does_not_wait_for_the_content_of_a_request() {
    let mut site = TlsServer::start(&["--drain-timeout", "60s", "--header-timeout", "5m"]);
    let mut client = client(&site).await;
    client.send(post(3, &[])).await;
    // This response shows that the server has read the request before the signal.
    client.send(get(5, "/healthz")).await;
    assert_eq!(client.event().await, Response(5, 200));
    site.server.signal(Signal::TERM);
    let mut events = timeout(DEADLINE, client.events()).await.expect("the end");
    events.retain(|event| *event != GoAway(NO_ERROR));
    assert_eq!(events, [Response(3, 405), Reset(3, NO_ERROR), Closed]);
    drop(client);
    assert_eq!(site.server.wait().0.code(), Some(0));
}

#[tokio::test]
async fn the_first_request_after_a_handshake_may_arrive_late_in_the_drain() {
    let site = TlsServer::start(&LONG_DRAIN);
    let (mut http1, http2) = (site.connect(b"http/1.1").await, site.connect(H2).await);
    site.server.signal(Signal::TERM);
    site.server.line_with("draining");
    // Longer than the grace period, shorter than a tenth of the limit.
    sleep(Duration::from_secs(1)).await;
    http1.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let mut response = String::new();
    let _ = timeout(DEADLINE, http1.read_to_string(&mut response)).await.expect("the end");
    assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    let mut http2 = Client { stream: http2 };
    http2.begin(&[]).await;
    http2.send(get(1, "/healthz")).await;
    let mut events = timeout(DEADLINE, http2.events()).await.expect("the end");
    events.retain(|event| *event != GoAway(NO_ERROR));
    assert_eq!(events, [Response(1, 200), Closed]);
}

/// While the process was stopped, the drain limit ran out and the client opened the windows of a
/// response. A busy machine may stop the process too late, or need more time at the end.
#[tokio::test]
async fn a_client_that_takes_a_response_while_the_draining_process_is_stopped_gets_all_of_it() {
    for _ in 0..5 {
        let drain = ["--drain-timeout", "1s", "--write-timeout", "5m"];
        let mut site = TlsServer::start(&[&drain[..], &["--threads", "1"]].concat());
        let mut client = Client { stream: site.connect(H2).await };
        client.begin(&setting(INITIAL_WINDOW_SIZE, 10)).await;
        client.send(get(1, "/og.png")).await;
        assert_eq!(client.event().await, Response(1, 200));
        site.server.signal(Signal::TERM);
        site.server.line_with("draining");
        site.server.signal(Signal::STOP);
        client.send([window_update(0, 1 << 30), window_update(1, 1 << 30)].concat()).await;
        sleep(Duration::from_millis(1500)).await;
        site.server.signal(Signal::CONT);
        let length = timeout(DEADLINE, client.content_length()).await.expect("the end");
        drop(client);
        let code = site.server.wait().0.code();
        if length.is_some() && code == Some(0) {
            return;
        }
        assert_eq!(code, Some(1), "{length:?} bytes");
    }
    panic!("no response is whole");
}

/// Otherwise a reset can overtake GOAWAY.
#[tokio::test(start_paused = true)]
async fn after_an_error_the_input_is_read_until_the_client_closes() {
    let mut client = Client::of(&Arc::new(site()), Limits::default()).await;
    client.send(frame(PING, 0, 0, &[0; 6])).await;
    assert_eq!(client.events().await, [GoAway(FRAME_SIZE_ERROR), Closed]);
    client.stream.write_all(&[0; 200_000]).await.expect("the server reads");
}

/// RFC 9113 §6.8: otherwise the client could take a request for processed that was ignored.
#[tokio::test(start_paused = true)]
async fn the_last_stream_of_goaway_never_increases() {
    let mut client = Client::of(&large_site(), Limits::default()).await;
    let window = frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, 10));
    client.send([window, get(1, "/large.txt")].concat()).await;
    assert_eq!(client.event().await, Response(1, 200));
    // After so many resets, the server announces the end.
    for stream in (3..).step_by(2).take(100) {
        client.send(get(stream, "/large.txt")).await;
        assert_eq!(client.event().await, Response(stream, 200));
        client.send(reset(stream)).await;
    }
    let mut last = Vec::new();
    let ping = loop {
        let frame = client.frame().await.expect("a frame");
        match frame.kind {
            GOAWAY => last.push(frame.payload[..4].to_vec()),
            PING => break frame,
            _ => {}
        }
    };
    let error = frame(PING, 0, 0, &[0; 6]);
    client.send([frame(PING, ACK, 0, &ping.payload), get(999, "/"), error].concat()).await;
    while let Some(frame) = client.frame_of(GOAWAY).await {
        last.push(frame.payload[..4].to_vec());
    }
    let announced = i32::MAX.to_be_bytes().to_vec();
    assert_eq!(last, [announced, vec![0, 0, 0, 201], vec![0, 0, 0, 201]]);
}

/// RFC 8446 §6.1: otherwise the client cannot tell the end from an attack that cuts data off.
#[tokio::test]
async fn a_client_that_closes_first_gets_the_end_of_tls() {
    let site = TlsServer::start(&[]);
    let mut client = client(&site).await;
    client.stream.shutdown().await.unwrap();
    let end = timeout(DEADLINE, client.stream.read_to_end(&mut Vec::new())).await;
    end.expect("the end").expect("close_notify");
}

/// The client closes its side before the socket is full.
#[tokio::test(start_paused = true)]
async fn a_client_that_sends_nothing_more_gets_what_its_windows_allow() {
    let mut client = Client::of(&large_site(), Limits::default()).await;
    let windows =
        [frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, 1 << 24)), window_update(0, 1 << 24)]
            .concat();
    client.send([windows, get(1, "/large.txt")].concat()).await;
    client.stream.shutdown().await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(client.content_length().await, Some(LARGE));
    assert_eq!(client.events().await, [Closed]);
}
