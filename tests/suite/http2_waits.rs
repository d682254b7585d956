//! HTTP-25 on connections with HTTP/2 with several waits at a time. The tests run on
//! Tokio's paused clock.

use std::time::Duration;

use recipelog_site::server::Limits;
use tokio::time::{Instant, sleep, timeout};

use crate::http2::large_site;
use crate::http2_client::Event::{Reset, Response};
use crate::http2_client::{
    Client, DATA, INITIAL_WINDOW_SIZE, PING, SETTINGS, frame, get, post, setting, window_update,
};
use crate::http2_conversation::NO_ERROR;

const LIMITS: Limits = Limits::DEFAULT;

/// Bytes of a DATA frame of the slow upload.
const PIECE: usize = 2_000;

#[tokio::test(start_paused = true)]
async fn a_response_that_is_pending_does_not_prolong_the_time_for_the_content_of_a_request() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    client.send([get(1, "/large.txt"), post(3, &[])].concat()).await;
    assert_eq!(client.event().await, Response(1, 200));
    let begun = Instant::now();
    let response = loop {
        client.send([window_update(0, 1000), window_update(1, 1000)].concat()).await;
        if let Ok(event) = timeout(Duration::from_secs(1), client.event()).await {
            break event;
        }
        assert!(begun.elapsed() < LIMITS.header_timeout * 2, "no response");
    };
    assert_eq!(response, Response(3, 405));
}

#[tokio::test(start_paused = true)]
async fn a_response_that_is_pending_does_not_prolong_the_time_for_an_incomplete_frame() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    client.send([&get(1, "/large.txt")[..], &frame(PING, 0, 0, &[0; 8])[..12]].concat()).await;
    assert_eq!(client.event().await, Response(1, 200));
    let ended = async { while client.frame().await.is_some() {} };
    let limit = LIMITS.write_timeout - Duration::from_secs(5);
    timeout(limit, ended).await.expect("the end of the connection");
}

/// The client sends each frame in two halves, so that one is incomplete most of the time.
#[tokio::test(start_paused = true)]
async fn the_time_for_a_frame_begins_with_the_frame() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    client.send(post(1, &[])).await;
    let begun = Instant::now();
    let piece = frame(DATA, 0, 1, &[0; PIECE]);
    while begun.elapsed() < LIMITS.header_timeout * 2 {
        client.send(&piece[..PIECE / 2]).await;
        sleep(Duration::from_secs(4)).await;
        client.send(&piece[PIECE / 2..]).await;
    }
    assert_eq!(client.event().await, Response(1, 405));
    assert_eq!(client.event().await, Reset(1, NO_ERROR));
    client.send(get(3, "/")).await;
    assert_eq!(client.event().await, Response(3, 200));
}

/// The client sends the end of a frame together with the beginning of the next one.
#[tokio::test(start_paused = true)]
async fn incomplete_frames_do_not_prolong_the_idle_limit() {
    let mut client = Client::of(&large_site(), LIMITS).await;
    client.send(get(1, "/")).await;
    assert_eq!(client.event().await, Response(1, 200));
    let begun = Instant::now();
    let ping = frame(PING, 0, 0, &[0; 8]);
    let (first, rest) = ping.split_at(12);
    client.send(first).await;
    let ended = async {
        loop {
            match timeout(Duration::from_secs(5), client.frame()).await {
                Ok(None) => break,
                Ok(Some(_)) => {}
                Err(_) => client.send([rest, first].concat()).await,
            }
        }
    };
    timeout(LIMITS.idle_timeout * 2, ended).await.expect("the end of the connection");
    assert!(begun.elapsed() + Duration::from_secs(1) > LIMITS.idle_timeout);
}

/// The bytes before the first wait for the client count, too.
#[tokio::test(start_paused = true)]
async fn a_client_that_takes_enough_at_once_has_the_write_limit_again() {
    let enough = 240 * LIMITS.write_timeout.as_secs() as u32;
    let mut client = Client::of(&large_site(), LIMITS).await;
    let window = frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, enough));
    client.send([window, get(1, "/large.txt")].concat()).await;
    sleep(LIMITS.write_timeout + Duration::from_secs(5)).await;
    client.send(window_update(1, 1_000)).await;
    for length in [enough, 1_000] {
        let data = client.frame_of(DATA).await.expect("content");
        assert_eq!(data.payload.len(), length as usize);
    }
}
