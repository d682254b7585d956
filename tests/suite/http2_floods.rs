//! HTTP-25 and HTTP-35: what makes the server close an HTTP/2 connection or stop reading
//! from it. The tests run on Tokio's paused clock.

use std::sync::Arc;
use std::time::Duration;

use recipelog_site::server::Limits;
use tokio::time::timeout;

use crate::fixture::site;
use crate::http2::large_site;
use crate::http2_client::Event::{Closed, GoAway, Response};
use crate::http2_client::{
    CONTINUATION, Client, DATA, END_STREAM, HEADERS, PING, PRIORITY, SETTINGS, WHOLE, fields,
    frame, get, post, request, reset, setting, window_update,
};
use crate::http2_conversation::{ENHANCE_YOUR_CALM, NO_ERROR, PROTOCOL_ERROR, STREAM_CLOSED};

/// A name, the error that ends the connection, the number of streams up to that, and the
/// frames for each new stream.
type Attack = (&'static str, u32, u32, fn(u32) -> Vec<u8>);

/// Sends `first`, then the frames that `next` makes for 0, 1, 2 and so on, until the server
/// ends the connection. Returns the error code of the server's GOAWAY, if it sent one.
async fn flood(first: Vec<u8>, mut next: impl FnMut(u32) -> Vec<u8>) -> Option<u32> {
    let mut client = Client::of(&large_site(), Limits::DEFAULT).await;
    client.send(first).await;
    let mut error = None;
    for number in 0..20_000 {
        client.send(next(number)).await;
        // The paused clock advances only when the server waits, too.
        while let Ok(event) = timeout(Duration::from_millis(1), client.event()).await {
            match event {
                GoAway(code) => error = Some(code),
                Closed => return error,
                _ => {}
            }
        }
        if error.is_some() {
            return error;
        }
    }
    panic!("the connection is still open");
}

#[tokio::test(start_paused = true)]
async fn known_attacks_on_http_2_end_the_connection() {
    let id = |number: u32| number * 2 + 1;
    let calm = Some(ENHANCE_YOUR_CALM);
    // CVE-2023-44487.
    let rapid = |number| {
        (0..10)
            .flat_map(|index| {
                [get(id(number * 10 + index), "/large.txt"), reset(id(number * 10 + index))]
                    .concat()
            })
            .collect()
    };
    assert_eq!(flood(Vec::new(), rapid).await, calm, "rapid reset");
    // CVE-2025-8671: stream errors, which the server has to answer with RST_STREAM,
    // at most eight times. Two of these are errors of the connection here.
    let made: [Attack; 4] = [
        ("WINDOW_UPDATE of 0", PROTOCOL_ERROR, 1, |stream| {
            [get(stream, "/large.txt"), window_update(stream, 0)].concat()
        }),
        ("too large a window", ENHANCE_YOUR_CALM, 9, |stream| {
            [get(stream, "/large.txt"), window_update(stream, 0x7fff_ffff)].concat()
        }),
        ("DATA after the end", STREAM_CLOSED, 1, |stream| {
            [get(stream, "/large.txt"), frame(DATA, 0, stream, b"x")].concat()
        }),
        ("malformed head", ENHANCE_YOUR_CALM, 9, |stream| {
            frame(
                HEADERS,
                WHOLE,
                stream,
                &fields(&[&request("GET", "/")[..], &[("te", "gzip")]].concat()),
            )
        }),
    ];
    for (name, expected, last, attack) in made {
        let mut streams = 0;
        let count = |number| {
            streams = number + 1;
            attack(id(number))
        };
        let error = flood(Vec::new(), count).await;
        assert_eq!((error, streams), (Some(expected), last), "{name}");
    }
    // CVE-2019-9518.
    let empty = |_| frame(DATA, 0, 1, &[]).repeat(100);
    assert_eq!(flood(post(1, &[]), empty).await, calm, "empty DATA");
    let tiny = |_| frame(DATA, 8, 1, &[0]).repeat(10);
    assert!(flood(post(1, &[]), tiny).await.is_some(), "DATA of padding");
    // CVE-2024-27316.
    let begin = frame(HEADERS, END_STREAM, 1, &fields(&request("GET", "/")));
    let field = fields(&[("x", "y")]);
    for piece in [&[][..], &field] {
        let pieces = frame(CONTINUATION, 0, 1, piece).repeat(10);
        assert_eq!(flood(begin.clone(), |_| pieces.clone()).await, calm, "CONTINUATION");
    }
}

/// The server does not collect answers for a client that does not read them.
#[tokio::test(start_paused = true)]
async fn pings_and_settings_are_not_read_from_a_client_that_does_not_read_the_answers() {
    for sent in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &setting(4, 1))] {
        let mut client = Client::of(&Arc::new(site()), Limits::DEFAULT).await;
        let pings = sent.repeat(50_000);
        let sending = timeout(Duration::from_secs(1), client.send(&pings)).await;
        assert!(sending.is_err(), "all of it was read");
    }
}

/// CVE-2023-44487 in small batches: the server has answered each request before the client
/// resets it. `tests/connection_memory.rs` tests how much memory this takes.
#[tokio::test(start_paused = true)]
async fn resets_end_the_connection_also_if_few_come_at_a_time() {
    for batch in [1, 8, 50] {
        for open in [&[][..], &get(1, "/large.txt")] {
            let mut client = Client::of(&large_site(), Limits::DEFAULT).await;
            client.send([&frame(SETTINGS, 0, 0, &setting(4, 10)), open].concat()).await;
            let mut ends = Vec::new();
            let mut resets = 0;
            while ends.last() != Some(&Closed) {
                assert!(resets <= 300, "{batch}: the connection is still open");
                let streams = || (resets..resets + batch).map(|number| number * 2 + 3);
                for frames in [
                    streams().flat_map(|stream| get(stream, "/large.txt")).collect::<Vec<u8>>(),
                    streams().flat_map(reset).collect(),
                ] {
                    client.send(frames).await;
                    while let Ok(event) = timeout(Duration::from_millis(1), client.event()).await {
                        if matches!(event, GoAway(_) | Closed) {
                            ends.push(event);
                        }
                        if event == Closed {
                            break;
                        }
                    }
                }
                resets += batch;
            }
            // The first GOAWAY only asks the client to use another connection. The server
            // then closes this one, unless a response is still open.
            assert_eq!(ends[0], GoAway(NO_ERROR), "{batch}: {ends:?}");
            assert!(resets >= 100, "{batch}: after {resets}");
            let is_attack = ends.contains(&GoAway(ENHANCE_YOUR_CALM));
            assert_eq!(is_attack, !open.is_empty(), "{batch}: {ends:?}");
        }
    }
}

/// Streams that are reset in the segment that opens them: the server has accepted none.
#[tokio::test(start_paused = true)]
async fn at_most_eight_streams_may_be_reset_before_they_are_accepted() {
    for (count, error) in [(8, None), (9, Some(ENHANCE_YOUR_CALM))] {
        let mut client = Client::of(&large_site(), Limits::DEFAULT).await;
        let streams = (0..count).map(|number| number * 2 + 1);
        let frames = streams.flat_map(|stream| [get(stream, "/large.txt"), reset(stream)].concat());
        client.send(frames.collect::<Vec<u8>>()).await;
        let event = timeout(Duration::from_millis(1), client.event()).await;
        assert_eq!(event.ok(), error.map(GoAway), "{count}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_answered_after_64_kib_of_content_without_the_rest() {
    let mut client = Client::of(&Arc::new(site()), Limits::DEFAULT).await;
    client.send(post(1, &[])).await;
    let kibibyte = frame(DATA, 0, 1, &[0; 1024]);
    for sent in 1..=65 {
        client.send(&kibibyte).await;
        let event = timeout(Duration::from_millis(1), client.event()).await;
        assert_eq!(event.ok(), (sent == 65).then_some(Response(1, 405)), "{sent} KiB");
    }
}

/// The server reads no frames of a client that does not read, so that nothing is collected.
#[tokio::test(start_paused = true)]
async fn nothing_is_read_from_a_client_that_does_not_read_responses() {
    let windows = [frame(SETTINGS, 0, 0, &setting(4, 1 << 24)), window_update(0, 1 << 24)].concat();
    let mut client = Client::of(&large_site(), Limits::DEFAULT).await;
    client.send([&windows[..], &get(1, "/large.txt")].concat()).await;
    let frames = frame(PRIORITY, 0, 3, &[0, 0, 0, 0, 1]).repeat(50_000);
    let sending = timeout(Duration::from_secs(1), client.send(&frames)).await;
    assert!(sending.is_err(), "all of it was read");

    let mut client = Client::of(&large_site(), Limits::DEFAULT).await;
    client.send([&windows[..], &get(1, "/large.txt")].concat()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    client.send(get(3, "/")).await;
    assert_eq!(client.event().await, Response(1, 200));
    assert_eq!(client.event().await, Response(3, 200), "reading goes on");
}
