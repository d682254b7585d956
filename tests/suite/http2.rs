//! HTTP-3, HTTP-18, HTTP-25 and HTTP-28 on connections with HTTP/2: time limits and
//! other limits on a client. The tests run on Tokio's paused clock.

use std::sync::Arc;
use std::time::Duration;

use recipelog_site::server::Limits;
use recipelog_site::site::{File, Settings, Site};
use tokio::time::{Instant, sleep, timeout};

use crate::fixture::{INDEX, files, site};
use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{
    CONTINUATION, Client, DATA, END_HEADERS, END_STREAM, HEADERS, INITIAL_WINDOW_SIZE, PING,
    PREFACE, PRIORITY, SETTINGS, fields, frame, get, post, request, setting, window_update,
};
use crate::http2_conversation::NO_ERROR;

const LIMITS: Limits = Limits::DEFAULT;

/// Longer than each timer's resolution.
const TOLERANCE: Duration = Duration::from_secs(1);

/// Length of the content of `/large.txt`: more than the initial windows.
pub const LARGE: usize = 1_000_000;

pub fn large_site() -> Arc<Site> {
    let mut files = files();
    files.push(File::new("large.txt", "a".repeat(LARGE)));
    Arc::new(Site::new(files, &Settings::default(), None))
}

async fn connect() -> Client<tokio::io::DuplexStream> {
    Client::of(&Arc::new(site()), LIMITS).await
}

/// Reads up to the end of the connection, which comes `limit` after `begun`.
async fn assert_ends_after<S>(client: &mut Client<S>, begun: Instant, limit: Duration)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let ended = async { while client.frame().await.is_some() {} };
    timeout(limit * 3, ended).await.expect("the end of the connection");
    let elapsed = begun.elapsed();
    assert!(elapsed + TOLERANCE >= limit, "too early: {elapsed:?}");
    // The server may wait up to 2 s for the client to close (lingering close).
    assert!(elapsed <= limit + Duration::from_secs(2) + TOLERANCE, "too late: {elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn the_limits_are_announced() {
    let mut client = connect().await;
    let settings = client.frame_of(SETTINGS).await.expect("settings").payload;
    for (id, value) in [(3, 100), (INITIAL_WINDOW_SIZE, 16 * 1024), (6, 32 * 1024)] {
        let expected = setting(id, value);
        assert!(settings.chunks(6).any(|setting| setting == expected), "{id}: {settings:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_has_a_date_and_a_response_to_head_has_no_content() {
    let (stream, server) = tokio::io::duplex(64 * 1024);
    let peer = recipelog_site::server::Peer::Tcp(([127, 0, 0, 1], 1).into());
    let server = crate::duplex::Duplex(server);
    let site = Arc::new(site());
    tokio::spawn(recipelog_site::server::serve_http2_connection(server, peer, site, LIMITS));
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    for method in ["GET", "HEAD"] {
        let request = http::Request::builder().method(method).uri("https://a.example/");
        let (response, _) = client.send_request(request.body(()).unwrap(), true).unwrap();
        let (head, mut content) = response.await.unwrap().into_parts();
        assert!(head.headers.contains_key("date"), "{head:?}");
        assert_eq!(head.headers["content-length"], INDEX.len().to_string(), "{head:?}");
        for name in ["connection", "transfer-encoding", "keep-alive"] {
            assert!(!head.headers.contains_key(name), "RFC 9113 §8.2.2: {head:?}");
        }
        let content = content.data().await.map(|data| data.unwrap().len());
        assert_eq!(content, (method == "GET").then_some(INDEX.len()));
    }
}

#[tokio::test(start_paused = true)]
async fn the_head_limit_applies_to_an_http_2_client_without_preface_or_request() {
    for sent in [&[][..], &PREFACE[..10], PREFACE, &[PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()]
    {
        let begun = Instant::now();
        let mut client = Client::silent(Arc::new(site()), LIMITS);
        client.send(sent).await;
        assert_ends_after(&mut client, begun, LIMITS.header_timeout).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_gets_goaway_although_its_client_sends_frames() {
    let frames = [
        frame(PING, 0, 0, &[0; 8]),
        frame(SETTINGS, 0, 0, &[]),
        frame(PRIORITY, 0, 9, &[0, 0, 0, 0, 1]),
        window_update(0, 1),
        Vec::new(),
    ];
    for sent in frames {
        let mut client = connect().await;
        client.send(get(1, "/")).await;
        assert_eq!(client.event().await, Response(1, 200));
        let begun = Instant::now();
        let event = loop {
            client.send(&sent).await;
            match timeout(Duration::from_secs(3), client.event()).await {
                Ok(event) => break event,
                Err(_) => assert!(begun.elapsed() < LIMITS.idle_timeout * 2, "{sent:?}"),
            }
        };
        assert_eq!(event, GoAway(NO_ERROR));
        assert!(
            begun.elapsed() + TOLERANCE > LIMITS.idle_timeout,
            "{sent:?}: {:?}",
            begun.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_idle_limit_begins_with_the_end_of_the_last_response() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    client.send([window_update(0, 1 << 24), get(1, "/large.txt")].concat()).await;
    assert_eq!(client.event().await, Response(1, 200));
    let begun = Instant::now();
    while begun.elapsed() < LIMITS.idle_timeout * 2 {
        client.send(window_update(1, 1000)).await;
        while timeout(Duration::from_secs(1), client.frame()).await.is_ok() {}
    }
    client.send(window_update(1, 1 << 24)).await;
    client.content_length().await.expect("the end of the response");
    sleep(LIMITS.idle_timeout - TOLERANCE).await;
    client.send(get(3, "/")).await;
    assert_eq!(client.event().await, Response(3, 200));
}

#[tokio::test(start_paused = true)]
async fn the_head_limit_applies_to_an_incomplete_frame_or_head() {
    let block = fields(&request("GET", "/"));
    let begin = frame(HEADERS, END_STREAM, 3, &block);
    let piece = frame(CONTINUATION, 0, 3, &[]);
    let long = frame(PING, 0, 0, &[0; 8]);
    for (sent, then) in [(&long[..5], &[][..]), (&begin, &[]), (&begin, &piece), (&long[..9], b"x")]
    {
        let mut client = connect().await;
        client.send(get(1, "/")).await;
        assert_eq!(client.event().await, Response(1, 200));
        let begun = Instant::now();
        client.send(sent).await;
        while begun.elapsed() < Duration::from_secs(6) {
            // The pauses are long, because a head may have only a few CONTINUATION frames.
            sleep(Duration::from_secs(2)).await;
            client.send(then).await;
        }
        assert_ends_after(&mut client, begun, LIMITS.header_timeout).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_whose_window_stays_closed_ends_after_the_write_limit() {
    for settings in [setting(INITIAL_WINDOW_SIZE, 0), setting(INITIAL_WINDOW_SIZE, 70_000)] {
        let mut client = Client::silent(large_site(), LIMITS);
        client.begin(&settings).await;
        client.send(get(1, "/large.txt")).await;
        assert_eq!(client.event().await, Response(1, 200));
        let begun = Instant::now();
        let event = loop {
            client.send(frame(PING, 0, 0, &[0; 8])).await;
            match timeout(Duration::from_secs(3), client.event()).await {
                Ok(event) => break event,
                Err(_) => assert!(begun.elapsed() < LIMITS.write_timeout * 3),
            }
        };
        assert!(matches!(event, GoAway(_) | Closed), "{event:?}");
        assert!(begun.elapsed() + TOLERANCE > LIMITS.write_timeout, "{:?}", begun.elapsed());
    }
}

/// The responses are sent in turn: each alone is slower than the minimum rate, but all
/// together are not.
#[tokio::test(start_paused = true)]
async fn many_responses_may_share_a_slow_connection() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    for stream in 0..50 {
        client
            .send(
                [get(stream * 2 + 1, "/large.txt"), window_update(stream * 2 + 1, LARGE as u32)]
                    .concat(),
            )
            .await;
    }
    let begun = Instant::now();
    while begun.elapsed() < LIMITS.write_timeout * 5 {
        sleep(Duration::from_secs(1)).await;
        client.send(window_update(0, 1000)).await;
        while let Ok(frame) = timeout(Duration::from_millis(1), client.frame()).await {
            assert!(frame.is_some_and(|frame| frame.kind != 7), "after {:?}", begun.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_is_complete_with_small_windows() {
    let mut client = Client::silent(Arc::new(site()), LIMITS);
    client.begin(&setting(INITIAL_WINDOW_SIZE, 1)).await;
    client.send(get(1, "/")).await;
    let mut length = 0;
    loop {
        let data = client.frame_of(DATA).await.expect("content");
        assert!(data.payload.len() <= 1);
        length += data.payload.len();
        if data.flags & END_STREAM != 0 {
            break;
        }
        client.send(window_update(1, 1)).await;
    }
    assert_eq!(length, INDEX.len());
}

#[tokio::test(start_paused = true)]
async fn a_request_with_content_gets_405() {
    let expect = post(1, &[("expect", "100-continue")]);
    let connect = fields(&[(":method", "CONNECT"), (":authority", "a:443")]);
    let small = frame(DATA, END_STREAM, 1, b"a=b");
    for (name, sent, earliest) in [
        ("small", [post(1, &[]), small.clone()].concat(), Duration::ZERO),
        (
            "padded",
            [post(1, &[]), frame(DATA, END_STREAM | 8, 1, &[1, b'a', 0])].concat(),
            Duration::ZERO,
        ),
        ("with Expect", expect.clone(), Duration::ZERO),
        ("sent with Expect", [expect, small].concat(), Duration::ZERO),
        ("CONNECT", frame(HEADERS, END_HEADERS, 1, &connect), Duration::ZERO),
        ("without end", [post(1, &[]), frame(DATA, 0, 1, b"a=b")].concat(), LIMITS.header_timeout),
    ] {
        let mut client = connect_and_send(&sent).await;
        let begun = Instant::now();
        assert_eq!(client.event().await, Response(1, 405), "{name}");
        let elapsed = begun.elapsed();
        assert!(
            elapsed + TOLERANCE > earliest && elapsed <= earliest + TOLERANCE,
            "{name}: {elapsed:?}"
        );
        // The connection can still be used.
        client.send(get(3, "/")).await;
        let mut events = vec![client.event().await];
        if matches!(events[..], [Reset(1, NO_ERROR)]) {
            events.push(client.event().await);
        }
        assert_eq!(events.last(), Some(&Response(3, 200)), "{name}: {events:?}");
    }
}

async fn connect_and_send(bytes: &[u8]) -> Client<tokio::io::DuplexStream> {
    let mut client = connect().await;
    client.send(bytes).await;
    client
}

/// The server reopens the flow-control window for discarded content, so that it does not
/// block the content of the next request.
#[tokio::test(start_paused = true)]
async fn discarded_content_does_not_block_the_next_http_2_requests() {
    let (stream, server) = tokio::io::duplex(64 * 1024);
    let peer = recipelog_site::server::Peer::Tcp(([127, 0, 0, 1], 1).into());
    let server = crate::duplex::Duplex(server);
    let site = Arc::new(site());
    tokio::spawn(recipelog_site::server::serve_http2_connection(server, peer, site, LIMITS));
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    for number in 0..20 {
        let request = http::Request::post("https://a.example/").body(()).unwrap();
        let (response, mut content) = client.send_request(request, false).unwrap();
        // The server may answer and reset the stream before it has received all content.
        let _ = content.send_data(vec![b'a'; 300_000].into(), true);
        let response = timeout(Duration::from_secs(5), response).await;
        assert_eq!(response.expect("a response").unwrap().status(), 405, "{number}");
    }
}
