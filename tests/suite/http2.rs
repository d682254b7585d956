//! WIRE-3, WIRE-18, WIRE-19, WIRE-25 and WIRE-35 on connections with HTTP/2. The tests run on Tokio's
//! paused clock.

use std::num::NonZeroUsize;
use std::time::Duration;

use http::Version;
use recipelog_site::server::Limits;
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::support::heap::allocated;
use crate::support::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::support::http2_client::{
    ACK, CONTINUATION, Client, DATA, END_HEADERS, END_STREAM, Frame, GOAWAY, HEADERS,
    INITIAL_WINDOW_SIZE, PING, PREFACE, PRIORITY, RST_STREAM, SETTINGS, WHOLE, WINDOW_UPDATE,
    begin, fields, frame, get, post, request, reset, setting, status, window_update,
};
use crate::support::process::DEADLINE;
use crate::support::site::serve_in_memory;
use crate::support::tls::{TlsServer, http2};

const LIMITS: Limits = Limits::DEFAULT;

/// Longer than each timer's resolution.
const TOLERANCE: Duration = Duration::from_secs(1);

/// Any time is long enough: the clock is paused, and advances only when all tasks wait.
const PAUSE: Duration = Duration::from_millis(1);

/// Streams that a client may have open at once.
const STREAMS: usize = 100;

const NO_ERROR: u32 = 0;
const PROTOCOL_ERROR: u32 = 1;
const REFUSED_STREAM: u32 = 7;

/// A connection to a server in this process, before the preface.
fn served(limits: Limits) -> Client<DuplexStream> {
    Client { stream: serve_in_memory(limits, Version::HTTP_2).0 }
}

async fn connect() -> Client<DuplexStream> {
    let mut client = served(LIMITS);
    client.begin(&[]).await;
    client
}

/// The rest of the content is read behind the response, for at most 2 s: an early reset would make
/// some clients lose the response.
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_request_with_content_gets_its_whole_response_at_once_and_no_reset() {
    let kibibytes = |count: usize| frame(DATA, 0, 1, &[b'a'; 1024]).repeat(count);
    let end = frame(DATA, END_STREAM, 1, b"a=b");
    for (name, head, content, is_whole) in [
        ("small", post(1, &[]), end.clone(), true),
        // More than the windows, which the server opens again.
        ("100 KiB", post(1, &[]), [kibibytes(100), end.clone()].concat(), true),
        ("sent with Expect", post(1, &[("expect", "100-continue")]), end, true),
        ("only expected", post(1, &[("expect", "100-continue")]), Vec::new(), false),
        ("without end", post(1, &[]), kibibytes(1), false),
    ] {
        let mut client = connect().await;
        let begun = Instant::now();
        client.send(head).await;
        assert_eq!(client.event().await, Response(1, 405), "{name}");
        assert_eq!(client.content_length().await, Some(23), "{name}");
        client.send(content).await;
        // The connection can still be used.
        client.send(get(3, "/")).await;
        assert_eq!(client.event().await, Response(3, 200), "{name}");
        assert!(begun.elapsed() < PAUSE, "{name}: {:?}", begun.elapsed());
        let reset = timeout(TOLERANCE * 3, client.event()).await;
        assert_eq!(reset.ok(), (!is_whole).then_some(Reset(1, NO_ERROR)), "{name}");
        assert!(is_whole || begun.elapsed().as_secs() == 2, "{name}: {:?}", begun.elapsed());
    }
}

/// The windows for content, as the server announces them (RFC 9113 §6.9.2).
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_client_may_send_1_kib_on_a_stream_and_64_kib_on_a_connection_at_once() {
    let mut client = connect().await;
    let (mut stream, mut connection) = (65_535, 65_535);
    while let Ok(Some(Frame { kind, payload, .. })) = timeout(PAUSE, client.frame()).await {
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        match kind {
            SETTINGS => {
                let setting = payload.chunks(6).find(|setting| setting[..2] == [0, 4]);
                stream = setting.map_or(stream, |setting| number(&setting[2..]));
            }
            WINDOW_UPDATE => connection += number(&payload),
            _ => {}
        }
    }
    // h2 does not extend a window by a single byte.
    assert_eq!((stream, connection.next_multiple_of(1024)), (1024, 64 * 1024));
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn rules_for_host_and_sizes_apply_to_http_2() {
    let with = |authority: &[(&str, &str)]| {
        let head = [(":method", "GET"), (":scheme", "https"), (":path", "/")];
        frame(HEADERS, WHOLE, 1, &fields(&[&head, authority].concat()))
    };
    let target = |length: usize| get(1, &format!("/{}", "a".repeat(length - 1)));
    // RFC 9113 §6.5.2: 16 KiB with the names, the other fields, and 32 bytes for each field.
    let long = "a".repeat(16 * 1024 - 200);
    let connect_head = [(":method", "CONNECT"), (":authority", "a.example:443")];
    let connect_head = frame(HEADERS, WHOLE, 1, &fields(&connect_head));
    let options = frame(HEADERS, WHOLE, 1, &fields(&request("OPTIONS", "*")));
    // HTTP/1.1 has a limit of 100.
    let fields_101 = [("x", "y"); 101];
    for (name, sent, expected) in [
        ("authority", with(&[(":authority", "[::1]:8443")]), Response(1, 200)),
        ("Host alone", with(&[("host", "a.example")]), Response(1, 200)),
        ("neither", with(&[]), Response(1, 400)),
        ("two hosts", with(&[("host", "a"), ("host", "a")]), Response(1, 400)),
        ("different", with(&[(":authority", "a"), ("host", "b")]), Response(1, 400)),
        ("user information", with(&[(":authority", "user@a")]), Response(1, 400)),
        ("space in an authority", with(&[(":authority", "a b")]), Reset(1, PROTOCOL_ERROR)),
        // Scheme and authority count, as they do in an absolute-form target.
        ("target of 8192 bytes", target(8192 - "https://a.example".len()), Response(1, 404)),
        ("longer target", target(8193 - "https://a.example".len()), Response(1, 414)),
        ("101 fields", with(&[&[(":authority", "a")], &fields_101[..]].concat()), Response(1, 200)),
        ("CONNECT", connect_head, Response(1, 405)),
        ("OPTIONS *", options, Response(1, 204)),
        ("shorter head", with(&[(":authority", "a"), ("x", &long[1..])]), Response(1, 200)),
        ("head of 16 KiB", with(&[(":authority", "a"), ("x", &long)]), Response(1, 431)),
    ] {
        let mut client = connect().await;
        client.send(sent).await;
        assert_eq!(client.event().await, expected, "{name}");
    }
    let mut client = connect().await;
    let streams = STREAMS as u32 + 1;
    client.send((0..streams).flat_map(|index| post(index * 2 + 1, &[])).collect::<Vec<u8>>()).await;
    let mut events = Vec::new();
    for _ in 0..streams {
        events.push(client.event().await);
    }
    events.retain(|event| !matches!(event, Response(_, 405)));
    assert_eq!(events, [Reset(streams * 2 - 1, REFUSED_STREAM)]);
}

/// What a client sends for each number, such as that of a second.
type Numbered = fn(u32) -> Vec<u8>;

/// Frames other than requests prolong no limit, and requests prolong no write limit.
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_connection_that_exceeds_a_limit_gets_goaway_although_its_client_sends_frames() {
    let begun = begin(&setting(INITIAL_WINDOW_SIZE, 70_000));
    let idle = [&begun[..], &get(1, "/")].concat();
    let head = frame(HEADERS, END_STREAM, 1, &fields(&request("GET", "/")));
    let none: Numbered = |_| Vec::new();
    let ping: Numbered = |_| frame(PING, 0, 0, &[0; 8]);
    let half_way: Numbered = |second| if second == 15 { get(3, "/large.txt") } else { Vec::new() };
    let opening: Numbered = |second| window_update(1, 1).repeat(usize::from(second < 100));
    let begin_late: Numbered = |second| if second == 5 { begin(&[]) } else { Vec::new() };
    let no_window = [begin(&setting(INITIAL_WINDOW_SIZE, 0)), get(1, "/large.txt")].concat();
    for (sent, each_second, limit) in [
        (Vec::new(), none, LIMITS.header_timeout),
        (PREFACE[..9].to_vec(), none, LIMITS.header_timeout),
        (begun.clone(), none, LIMITS.idle_timeout),
        (Vec::new(), begin_late, Duration::from_secs(5) + LIMITS.idle_timeout),
        ([&begun[..], &head[..12]].concat(), none, LIMITS.idle_timeout),
        ([&begun[..], &head].concat(), none, LIMITS.idle_timeout),
        (idle.clone(), none, LIMITS.idle_timeout),
        (idle.clone(), ping, LIMITS.idle_timeout),
        (idle.clone(), |_| frame(SETTINGS, 0, 0, &[]), LIMITS.idle_timeout),
        (idle.clone(), |_| frame(PRIORITY, 0, 9, &[0, 0, 0, 0, 1]), LIMITS.idle_timeout),
        (idle, |_| window_update(0, 1), LIMITS.idle_timeout),
        // A client that opens no window.
        (no_window.clone(), ping, LIMITS.write_timeout),
        (no_window.clone(), half_way, LIMITS.write_timeout),
        // Each byte that a window admits is progress.
        (no_window, opening, Duration::from_secs(99) + LIMITS.write_timeout),
        ([begun, get(1, "/large.txt")].concat(), ping, LIMITS.write_timeout),
    ] {
        let mut client = served(LIMITS);
        client.send(&sent).await;
        let (begun, mut last) = (Instant::now(), None);
        let mut seconds = 0..;
        let elapsed = loop {
            client.send(each_second(seconds.next().unwrap())).await;
            match timeout(Duration::from_secs(1), client.event()).await {
                Ok(Closed) => break begun.elapsed(),
                Ok(GoAway(error)) => last = last.or(Some(error)),
                Ok(_) => {}
                Err(_) => assert!(begun.elapsed() < limit * 2, "the connection is still open"),
            }
        };
        let shown = format!("{sent:?} {:?}: {last:?} {elapsed:?}", each_second(0));
        assert!(elapsed.abs_diff(limit) <= 2 * TOLERANCE, "{shown}");
        // There is no GOAWAY before the whole preface.
        assert!(last == Some(NO_ERROR) || sent.len() < PREFACE.len(), "{shown}");
    }
}

/// Otherwise a reset could overtake GOAWAY.
#[tokio::test(flavor = "local", start_paused = true)]
async fn input_behind_goaway_is_read() {
    let mut client = connect().await;
    client.send(frame(PING, 0, 0, &[0; 6])).await;
    assert_eq!(client.event().await, GoAway(PROTOCOL_ERROR));
    assert_eq!(client.event().await, Closed);
    client.stream.write_all(&[0; 200_000]).await.expect("the server reads");
}

/// The server ends the connection, or stops reading while the client reads no answers.
#[tokio::test(flavor = "local", start_paused = true)]
async fn known_attacks_on_http_2_end_the_connection() {
    fn id(number: u32) -> u32 {
        number * 2 + 1
    }
    let head = frame(HEADERS, END_STREAM, 1, &fields(&request("GET", "/")));
    let attacks: [(&str, Vec<u8>, Numbered); 6] = [
        // CVE-2025-8671: stream errors, which the server has to answer with RST_STREAM.
        ("MadeYouReset, WINDOW_UPDATE of 0", Vec::new(), |number| {
            [get(id(number), "/large.txt"), window_update(id(number), 0)].concat()
        }),
        ("MadeYouReset, too large a window", Vec::new(), |number| {
            [get(id(number), "/large.txt"), window_update(id(number), 0x7fff_ffff)].concat()
        }),
        ("MadeYouReset, DATA after the end", Vec::new(), |number| {
            [get(id(number), "/large.txt"), frame(DATA, 0, id(number), b"x")].concat()
        }),
        // CVE-2024-27316.
        ("CONTINUATION", head.clone(), |_| {
            frame(CONTINUATION, 0, 1, &fields(&[("x", "y")])).repeat(10)
        }),
        ("CONTINUATION without fields", head, |_| frame(CONTINUATION, 0, 1, &[]).repeat(10)),
        // CVE-2019-9518.
        ("DATA without content", post(1, &[]), |_| frame(DATA, 0, 1, &[]).repeat(1000)),
    ];
    for (name, first, next) in attacks {
        let mut client = connect().await;
        client.send(first).await;
        let mut is_open = true;
        for number in 0..5_000 {
            client.send(next(number)).await;
            while is_open && let Ok(event) = timeout(PAUSE, client.event()).await {
                is_open = event != Closed;
            }
            if !is_open {
                break;
            }
        }
        assert!(!is_open, "{name}: the connection is still open");
    }
}

/// Rapid reset (CVE-2023-44487) and MadeYouReset: streams that arrive in one message are reset before they are accepted,
/// and malformed heads one after the other.
#[tokio::test(flavor = "local", start_paused = true)]
async fn as_many_resets_and_malformed_heads_as_the_limits_allow_do_not_end_the_connection() {
    let aborted: Numbered = |number| [get(number * 2 + 1, "/"), reset(number * 2 + 1)].concat();
    let malformed: Numbered = |number| get(number * 2 + 1, "/?\"");
    for (next, batch, count, is_kept) in [
        (aborted, 20, 20, true),
        (aborted, 21, 21, false),
        (malformed, 1, 128, true),
        (malformed, 1, 129, false),
    ] {
        let mut client = connect().await;
        let frames: Vec<_> = (0..count).map(next).collect();
        for frames in frames.chunks(batch) {
            client.send(frames.concat()).await;
            while let Ok(Reset(..) | GoAway(_)) = timeout(PAUSE, client.event()).await {}
        }
        client.send(get(9999, "/")).await;
        assert_eq!(client.event().await == Response(9999, 200), is_kept, "{count}");
    }
}

/// Of what arrives, a connection keeps five times as much, and 4 KiB for each stream that exists at once: 32 KiB
/// without the pool, which has 48 KiB for one connection. At three quarters of the pool, GOAWAY follows, and beyond it, nothing is read.
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_connection_may_keep_32_kib_and_what_the_pool_has() {
    const KIB: usize = 1024;
    // Bytes that the client has sent up to its first head, and those of its setting.
    let before = 39 + 6;
    for streams in [1, 8] {
        // Bytes of all heads that keep so much. No window is open, so no stream ends.
        let heads_of = |kept: usize| (kept - streams * 4 * KIB) / 5 - before;
        let (short, full) = (heads_of((32 + 36) * KIB), heads_of((32 + 48) * KIB));
        // The head of a frame counts up to some byte.
        for (length, is_short, is_answered) in [
            (short - 20, false, true),
            (short + 20, true, true),
            (full - 20, true, true),
            (full + 20, true, false),
        ] {
            let limits = Limits { max_connections: NonZeroUsize::MIN, ..LIMITS };
            let mut client = served(limits);
            client.begin(&setting(INITIAL_WINDOW_SIZE, 0)).await;
            let last = streams as u32 * 2 - 1;
            let others = (1..last).step_by(2).flat_map(|stream| get(stream, "/"));
            let others: Vec<u8> = others.collect();
            let block_of = |length: usize| {
                let value = "a".repeat(length);
                fields(&[&request("GET", "/")[..], &[("x", &value)]].concat())
            };
            let fixed = others.len() + block_of(200).len();
            client.send(others).await;
            client.send(frame(HEADERS, WHOLE, last, &block_of(length + 200 - fixed))).await;
            let mut events = Vec::new();
            while let Ok(event) = timeout(PAUSE, client.event()).await
                && event != Closed
            {
                events.push(event);
            }
            let found = [GoAway(NO_ERROR), Response(last, 200)].map(|it| events.contains(&it));
            assert_eq!(found, [is_short, is_answered], "{streams} {length}: {events:?}");
        }
    }
}

/// A request whose head has `length` bytes, as RFC 9113 §6.5.2 counts them. Two of its fields become
/// entries of the table.
fn get_with_head(stream: u32, length: usize) -> Vec<u8> {
    let head = request("GET", "/");
    let counted: usize = head.iter().map(|(name, value)| name.len() + value.len() + 32).sum();
    let field = "a".repeat(length - counted - "xy".len() - 32 * 2);
    let mut block = fields(&[&head[..], &[("x", &field), ("y", "")]].concat());
    // The path and the last field (RFC 7541 §6.2.1).
    let path = block.windows(5).position(|name| name == b":path").unwrap() - 2;
    for entry in [path, block.len() - 4] {
        block[entry] = 0x40;
    }
    frame(HEADERS, WHOLE, stream, &block)
}

/// Before a client has read the server's SETTINGS, it may open 100 streams. With long heads, they are
/// more than a connection may keep: the client repeats those after the last stream of GOAWAY.
#[tokio::test(flavor = "local", start_paused = true)]
async fn each_request_of_a_flight_is_answered_or_can_be_repeated() {
    for (length, content, least) in
        [(1000, 0, 100), (4000, 600, 100), (8000, 600, 100), (16_000, 0, 90), (16_383, 600, 90)]
    {
        let mut client = served(LIMITS);
        let streams: Vec<u32> = (0..STREAMS as u32).map(|number| number * 2 + 1).collect();
        let mut flight = begin(&setting(INITIAL_WINDOW_SIZE, 70_000));
        for &id in &streams {
            let mut head = get_with_head(id, length);
            if content > 0 {
                // Its flags: content follows.
                head[4] = END_HEADERS;
                head.extend(frame(DATA, END_STREAM, id, &vec![b'a'; content]));
            }
            flight.extend(head);
        }
        client.send(flight).await;
        // The streams that were answered, and the last one that the server has read, as its last GOAWAY says.
        let (mut answered, mut last) = (Vec::new(), u32::MAX);
        while answered.len() < STREAMS
            && let Ok(Some(received)) = timeout(LIMITS.idle_timeout, client.frame()).await
        {
            match received.kind {
                GOAWAY => last = u32::from_be_bytes(received.payload[..4].try_into().unwrap()),
                PING if received.flags & ACK == 0 => {
                    client.send(frame(PING, ACK, 0, &received.payload)).await;
                }
                HEADERS => assert_eq!(status(&received.payload), 200),
                DATA if received.flags & END_STREAM > 0 => answered.push(received.stream),
                kind => assert_ne!(kind, RST_STREAM, "stream {}", received.stream),
            }
        }
        let lost = streams.iter().filter(|id| **id <= last && !answered.contains(id));
        assert_eq!(lost.collect::<Vec<_>>(), Vec::<&u32>::new(), "{length}: {last} {answered:?}");
        assert!(answered.len() >= least, "{length}: {} answered", answered.len());
    }
}

/// A client that keeps no table may send any number of requests. Another one, which does not answer GOAWAY, gets it once
/// five times what it has sent is 4 MiB, and no response beyond 8 MiB.
#[tokio::test(flavor = "local", start_paused = true)]
async fn only_clients_with_a_table_are_charged_for_their_requests() {
    const MIB: usize = 1024 * 1024;
    for (block_start, is_charged) in [(&[0x20][..], false), (&[], true)] {
        let mut client = connect().await;
        client.send(window_update(0, 1 << 24)).await;
        let (mut sent, mut goaway, mut is_answered) = (0, None, true);
        for stream in (0..4000).map(|number| number * 2 + 1) {
            let head = [block_start, &get_with_head(stream, 1000)[9..]].concat();
            client.send(frame(HEADERS, WHOLE, stream, &head)).await;
            is_answered = false;
            while !is_answered && let Ok(Some(received)) = timeout(PAUSE, client.frame()).await {
                is_answered = received.kind == HEADERS && status(&received.payload) == 200;
                goaway = goaway.or((received.kind == GOAWAY).then_some(sent));
            }
            if !is_answered {
                break;
            }
            sent += 9 + head.len();
        }
        assert_eq!((goaway.is_some(), is_answered), (is_charged, !is_charged), "{sent}");
        for (found, kept) in goaway.into_iter().flat_map(|it| [(it, 4 * MIB), (sent, 8 * MIB)]) {
            assert!(found.abs_diff(kept / 5) < kept / 5 / 40, "{found} bytes for {kept}");
        }
    }
}

/// A field in the code of Huffman (RFC 7541 §5.2), in which `length` bytes stand for 8/5 as many.
fn huffman(length: usize) -> Vec<u8> {
    let size = [(length - 127) as u8 | 128, ((length - 127) / 128) as u8];
    [&[0, 1, b'x', 255], &size[..], &vec![0; length]].concat()
}

/// The client fills h2's table with small entries between large fields, which stay in memory with
/// them. In whole pages, that may be twice as much. An update of h2, bytes or tokio-util that keeps more fails here.
#[tokio::test(flavor = "local", start_paused = true)]
async fn h2_keeps_at_most_five_times_what_it_has_received() {
    for (indexed, large) in [
        (":authority", fields(&[("x", &"a".repeat(12_000))])),
        (":path", fields(&[("x", &"a".repeat(4150))])),
        (":scheme", huffman(1300)),
        (":path", huffman(4100)),
        (":path", [huffman(1300), fields(&[("x", &"a".repeat(2800))])].concat()),
    ] {
        let mut client = connect().await;
        client.send(get(1, "/")).await;
        assert_eq!(client.event().await, Response(1, 200));
        let (before, mut sent) = (allocated(), 0);
        for number in 1..=60 {
            let mut others = request("GET", "/healthz");
            others.retain(|field| field.0 != indexed);
            let mut stored = fields(&[(indexed, &format!("/{number}"))]);
            // RFC 7541 §6.2.1.
            stored[0] = 0x40;
            let head = [fields(&others), large.clone(), stored].concat();
            sent += head.len();
            client.send(frame(HEADERS, WHOLE, number * 2 + 1, &head)).await;
            client.event().await;
        }
        let kept = allocated() - before;
        assert!((sent..5 * sent / 2).contains(&kept), "{indexed}: {kept} B kept of {sent}");
    }
}

/// With a cap of 8 connections, the pool has 384 KiB. Three clients use it, and do not answer GOAWAY:
/// they take one byte of a response now and then, or go on with requests.
#[tokio::test]
async fn a_client_that_holds_the_pool_is_ended_and_delays_no_other() {
    let slow: Numbered = |_| window_update(1, 1);
    let busy: Numbered = |number| get(101 + 2 * number, "/healthz");
    for (window, next) in [(0, slow), (70_000, busy)] {
        let site = TlsServer::start(&["--max-connections", "8", "--write-timeout", "2s"]);
        let mut greedy = JoinSet::new();
        for number in 0..3 {
            let mut client = http2(&site, &setting(INITIAL_WINDOW_SIZE, window)).await;
            let streams = (0..20).map(|number| number * 2 + 1);
            let heads: Vec<u8> = streams.flat_map(|id| get_with_head(id, 1000 + number)).collect();
            client.send(heads).await;
            assert_eq!(client.event().await, Response(1, 200));
            greedy.spawn(async move {
                let mut numbers = 0..;
                let closed = async |client: &mut Client<_>| while client.frame().await.is_some() {};
                while timeout(Duration::from_millis(100), closed(&mut client)).await.is_err() {
                    client.send(next(numbers.next().unwrap())).await;
                }
            });
        }
        let visit = async || {
            let mut visitor = http2(&site, &[]).await;
            visitor.send(get(1, "/healthz")).await;
            assert_eq!(visitor.event().await, Response(1, 200));
            visitor
        };
        let mut visitor = visit().await;
        // One of them fits the pool.
        for _ in 0..2 {
            timeout(DEADLINE, greedy.join_next()).await.expect("the end of a client");
        }
        visitor.send(get(3, "/")).await;
        assert_eq!(visitor.event().await, Response(3, 200));
        visit().await;
    }
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn the_server_stops_reading_from_a_client_that_leaves_its_answers_unread() {
    for sent in [frame(PING, 0, 0, &[0; 8]), frame(SETTINGS, 0, 0, &setting(4, 1))] {
        let mut client = connect().await;
        let sending = timeout(Duration::from_secs(1), client.send(sent.repeat(50_000))).await;
        assert!(sending.is_err(), "all of it was read");
    }
}
