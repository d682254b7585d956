//! HTTP-35: the memory of a connection with HTTP/2. This is a separate executable,
//! because the count includes the whole process.

#[path = "suite/duplex.rs"]
mod duplex;
#[path = "suite/http2_client.rs"]
#[expect(dead_code, reason = "tests/suite uses the rest of it")]
mod http2_client;

use std::alloc::System;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http2_client::Event::Closed;
use http2_client::{
    CONTINUATION, Client, END_HEADERS, HEADERS, INITIAL_WINDOW_SIZE, PREFACE, SETTINGS, WHOLE,
    fields, frame, get, post, reset, setting, window_update,
};
use recipelog_site::server::{AccessLog, Format, Limits, Service};
use recipelog_site::site::{Settings, Site};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tokio::io::DuplexStream;
use tokio::time::{sleep, timeout};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Maximum memory of a connection. The memory limits for HTTPS in `deploy` are enough
/// for 4,096 such connections and their TLS. Here it includes the 64 KiB of a pipe in place of
/// the socket.
const KIBIBYTES_MAX: usize = 448;

/// Any time is long enough: the clock is paused, and advances only when all tasks wait.
const PAUSE: Duration = Duration::from_millis(1);

type Connection = Client<DuplexStream>;

/// Maximum of [`allocated`] during an attack.
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the process has allocated.
fn allocated() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

fn record() {
    PEAK.fetch_max(allocated(), Ordering::Relaxed);
}

/// Reads all that there is to read. False at the end of the connection.
async fn read(client: &mut Connection) -> bool {
    loop {
        record();
        match timeout(PAUSE, client.event()).await {
            Ok(Closed) => return false,
            Ok(_) => {}
            Err(_) => return true,
        }
    }
}

/// False if the server does not read.
async fn send(client: &mut Connection, bytes: Vec<u8>) -> bool {
    let is_sent = timeout(PAUSE, client.send(bytes)).await.is_ok();
    record();
    is_sent
}

fn id(number: u32) -> u32 {
    number * 2 + 1
}

fn gets(numbers: std::ops::Range<u32>) -> Vec<u8> {
    numbers.flat_map(|number| get(id(number), "/og.png")).collect()
}

fn resets(numbers: std::ops::Range<u32>) -> Vec<u8> {
    numbers.flat_map(|number| reset(id(number))).collect()
}

async fn idle(client: &mut Connection) {
    client.begin(&[]).await;
    read(client).await;
}

async fn closed_windows(client: &mut Connection) {
    client.begin(&setting(INITIAL_WINDOW_SIZE, 0)).await;
    send(client, gets(0..100)).await;
    read(client).await;
}

async fn unread(client: &mut Connection) {
    client.begin(&[]).await;
    sleep(PAUSE).await;
    send(client, [window_update(0, 1 << 30), gets(0..100)].concat()).await;
    sleep(PAUSE).await;
}

async fn unread_and_indexed(client: &mut Connection) {
    client.send([PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()).await;
    sleep(PAUSE).await;
    send(client, gets(0..100)).await;
    sleep(PAUSE).await;
}

/// The resets of CVE-2023-44487 (Rapid Reset), sent after the server has built the
/// responses.
async fn unread_and_reset(client: &mut Connection) {
    client.begin(&setting(INITIAL_WINDOW_SIZE, 0)).await;
    for number in (0..100_000).step_by(50) {
        let batch = number..number + 50;
        if !send(client, gets(batch.clone())).await {
            break;
        }
        tokio::task::yield_now().await;
        if !send(client, resets(batch)).await {
            break;
        }
        tokio::task::yield_now().await;
    }
}

/// The window of the connection is closed, not those of the streams.
async fn read_and_reset(client: &mut Connection) {
    client.begin(&setting(INITIAL_WINDOW_SIZE, 1 << 20)).await;
    send(client, gets(0..20)).await;
    read(client).await;
    for number in 20..40_000 {
        if !send(client, gets(number..number + 1)).await || !read(client).await {
            break;
        }
        let after = [resets(number..number + 1), window_update(0, 100)].concat();
        if !send(client, after).await || !read(client).await {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// A literal that the dynamic table keeps (RFC 7541 §6.2.1).
fn indexed(name: &str, value: &str) -> Vec<u8> {
    let mut block = fields(&[(name, value)]);
    block[0] = 0x40;
    block
}

/// 100 requests with long fields. All but the first have few bytes, because they refer to the
/// dynamic table.
fn with_long_fields(flags: u8, path: &str) -> Vec<u8> {
    // Escaped, a quote takes six bytes.
    let value = "\"".repeat(200);
    let first = [indexed(":path", path), indexed("referer", &value), indexed("user-agent", &value)];
    let others = fields(&[(":method", "GET"), (":scheme", "https"), (":authority", "a.example")]);
    let block = |number| match number {
        0 => [&others[..], &first.concat()].concat(),
        _ => [&others[..], &[0xc0, 0xbf, 0xbe]].concat(),
    };
    (0..100).flat_map(|number| frame(HEADERS, flags, id(number), &block(number))).collect()
}

async fn long_fields(client: &mut Connection) {
    client.begin(&setting(INITIAL_WINDOW_SIZE, 1 << 20)).await;
    let requests = with_long_fields(WHOLE, &format!("/og.png?{}", "a".repeat(600)));
    send(client, [window_update(0, 1 << 30), requests].concat()).await;
    sleep(PAUSE).await;
}

/// Redirects with a query of `length` bytes, which wait for the end of their requests.
async fn redirects(client: &mut Connection, length: usize) {
    client.begin(&[]).await;
    let requests = with_long_fields(END_HEADERS, &format!("/privacy/?{}", "a".repeat(length)));
    send(client, requests).await;
    read(client).await;
}

async fn content(client: &mut Connection) {
    client.begin(&[]).await;
    for number in 0..100 {
        let data = frame(0, 0, id(number), &[0; 600]);
        send(client, [post(id(number), &[]), data].concat()).await;
        read(client).await;
    }
}

/// As [`redirects`], and the head of another request up to the last byte of its last frame.
async fn redirects_and_partial_head(client: &mut Connection) {
    redirects(client, 512).await;
    let mut sent = frame(HEADERS, 0, id(100), &[0; 16_001]);
    for length in [16_000, 700, 16_000, 16_384] {
        sent.extend(frame(CONTINUATION, 0, id(100), &vec![0; length]));
        let last = sent.split_off(sent.len() - 1);
        send(client, std::mem::replace(&mut sent, last)).await;
        sleep(PAUSE).await;
    }
}

/// The most memory that is allocated during an attack, in KiB.
macro_rules! measure {
    ($service:expr, $attack:expr) => {{
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let before = allocated();
            PEAK.store(before, Ordering::Relaxed);
            let mut client = Client::silent($service.clone(), Limits::DEFAULT);
            $attack(&mut client).await;
            record();
            (PEAK.load(Ordering::Relaxed) - before) / 1024
        })
    }};
}

#[test]
fn the_memory_of_a_connection_is_bounded() {
    let site = &Arc::new(Site::embedded(&Settings::default()));
    let log = Arc::new(AccessLog::start(Format::Json, 0).unwrap());
    // Its lines are made, but not written.
    log.finish();
    let logging = &Service::new(Arc::clone(site), Some(log));
    let _ = measure!(site, idle);
    let sizes = [
        ("idle", measure!(site, idle)),
        ("closed windows", measure!(site, closed_windows)),
        ("unread", measure!(site, unread)),
        ("unread and indexed", measure!(site, unread_and_indexed)),
        ("unread and reset", measure!(site, unread_and_reset)),
        ("read and reset", measure!(site, read_and_reset)),
        ("content", measure!(site, content)),
        ("long fields", measure!(logging, long_fields)),
        ("redirects with a query", measure!(logging, |client| redirects(client, 512))),
        ("redirects of a longer query", measure!(logging, |client| redirects(client, 3500))),
        ("redirects and a partial head", measure!(logging, redirects_and_partial_head)),
    ];
    for (name, size) in sizes {
        assert!(size <= KIBIBYTES_MAX, "{name}: {size} KiB");
    }
}
