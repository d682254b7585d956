//! HTTP-19, HTTP-20 and RFC 9113: frames that are valid, invalid, or come at the
//! wrong time. The sections are those of the RFC.

use std::sync::Arc;

use recipelog_site::server::Limits;

use crate::fixture::site;
use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{
    ACK, CONTINUATION, Client, DATA, END_HEADERS, END_STREAM, Event, GOAWAY, HEADERS,
    INITIAL_WINDOW_SIZE, PING, PREFACE, PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS, WHOLE,
    WINDOW_UPDATE, fields, frame, get, post, request, reset, setting, window_update,
};

const NO_ERROR: u32 = 0;
const PROTOCOL_ERROR: u32 = 1;
const FLOW_CONTROL_ERROR: u32 = 3;
const STREAM_CLOSED: u32 = 5;
const FRAME_SIZE_ERROR: u32 = 6;
const REFUSED_STREAM: u32 = 7;
const COMPRESSION_ERROR: u32 = 9;

/// Name, bytes after the preface, and the first events.
type Case<'a> = (&'a str, Vec<u8>, &'a [Event]);

async fn assert_cases(cases: Vec<Case<'_>>) {
    let site = Arc::new(site());
    let mut failures = Vec::new();
    for (name, sent, expected) in cases {
        let mut client = Client::of(&site, Limits::default()).await;
        client.send(sent).await;
        let mut events = Vec::new();
        for _ in expected {
            events.push(client.event().await);
        }
        if events != expected {
            failures.push(format!("{name}: {events:?} instead of {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A head with `more` fields after the pseudo-header fields.
fn head(more: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, WHOLE, 1, &fields(&[&request("GET", "/")[..], more].concat()))
}

/// A head with these fields alone.
fn bare(all: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, WHOLE, 1, &fields(all))
}

fn block() -> Vec<u8> {
    fields(&request("GET", "/"))
}

#[tokio::test(start_paused = true)]
async fn frames_are_checked() {
    let conn = |code| GoAway(code);
    let protocol = [conn(PROTOCOL_ERROR), Closed];
    let size = [conn(FRAME_SIZE_ERROR), Closed];
    assert_cases(vec![
        (
            "4.1 unknown type",
            [frame(0x16, 0xff, 0, b"x"), get(1, "/")].concat(),
            &[Response(1, 200)],
        ),
        (
            "4.1 undefined flags",
            [frame(PING, 0xfe, 0, &[0; 8]), get(1, "/")].concat(),
            &[Response(1, 200)],
        ),
        ("4.2 larger than 16 KiB", frame(HEADERS, WHOLE, 1, &[0; 16_385]), &size),
        (
            "4.2 DATA larger than 16 KiB",
            [post(1, &[]), frame(DATA, 1, 1, &[0; 16_385])].concat(),
            &size,
        ),
        (
            "4.3 invalid block",
            frame(HEADERS, WHOLE, 1, &[0x40]),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "RFC 7541 6.1 index 0",
            frame(HEADERS, WHOLE, 1, &[0x80]),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "RFC 7541 2.3.3 unknown index",
            frame(HEADERS, WHOLE, 1, &[0xff, 0x20]),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "RFC 7541 6.3 table too large",
            frame(HEADERS, WHOLE, 1, &[[0x3f, 0xe2, 0x1f].as_slice(), &block()].concat()),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "RFC 7541 4.2 size update at the end",
            frame(HEADERS, WHOLE, 1, &[block(), vec![0x20]].concat()),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "RFC 7541 5.2 end of string in Huffman",
            frame(
                HEADERS,
                WHOLE,
                1,
                &[block(), vec![0, 0x84, 0xff, 0xff, 0xff, 0xff, 1, b'a']].concat(),
            ),
            &[conn(COMPRESSION_ERROR), Closed],
        ),
        (
            "4.3 another frame within a head",
            [frame(HEADERS, END_STREAM, 1, &block()), frame(PING, 0, 0, &[0; 8])].concat(),
            &protocol,
        ),
        (
            "4.3 another stream within a head",
            [frame(HEADERS, END_STREAM, 1, &block()), get(3, "/")].concat(),
            &protocol,
        ),
        ("5.1.1 even stream", get(2, "/"), &protocol),
        (
            "5.1.1 lower stream",
            [get(5, "/"), get(3, "/")].concat(),
            &[Response(5, 200), Reset(3, STREAM_CLOSED)],
        ),
        ("6.1 DATA on stream 0", frame(DATA, 1, 0, b"x"), &protocol),
        (
            "6.1 DATA with too much padding",
            [post(1, &[]), frame(DATA, 8, 1, &[6, 0, 0])].concat(),
            &protocol,
        ),
        ("6.2 HEADERS on stream 0", frame(HEADERS, WHOLE, 0, &block()), &protocol),
        (
            "6.2 HEADERS with too much padding",
            frame(HEADERS, WHOLE | 8, 1, &[&[255], &block()[..9]].concat()),
            &protocol,
        ),
        (
            "6.2 padding and priority",
            frame(HEADERS, WHOLE | 0x28, 1, &[&[2, 0, 0, 0, 0, 9][..], &block(), &[0, 0]].concat()),
            &[Response(1, 200)],
        ),
        ("6.3 PRIORITY on stream 0", frame(PRIORITY, 0, 0, &[0; 5]), &protocol),
        ("6.4 RST_STREAM on stream 0", reset(0), &protocol),
        ("6.4 RST_STREAM of an idle stream", reset(1), &protocol),
        (
            "6.4 RST_STREAM of another length",
            [post(1, &[]), frame(RST_STREAM, 0, 1, &[0; 3])].concat(),
            &size,
        ),
        ("6.5 SETTINGS on a stream", frame(SETTINGS, 0, 1, &[]), &protocol),
        ("6.5 SETTINGS of another length", frame(SETTINGS, 0, 0, &[0; 3]), &size),
        ("6.5 ACK with content", frame(SETTINGS, ACK, 0, &setting(3, 1)), &size),
        ("6.5.2 ENABLE_PUSH 2", frame(SETTINGS, 0, 0, &setting(2, 2)), &protocol),
        (
            "6.5.2 window above the maximum",
            frame(SETTINGS, 0, 0, &setting(4, 1 << 31)),
            &[conn(FLOW_CONTROL_ERROR), Closed],
        ),
        (
            "6.5.2 frame size below the minimum",
            frame(SETTINGS, 0, 0, &setting(5, 16_383)),
            &protocol,
        ),
        (
            "6.5.2 frame size above the maximum",
            frame(SETTINGS, 0, 0, &setting(5, 1 << 24)),
            &protocol,
        ),
        (
            "6.5.2 unknown setting",
            [frame(SETTINGS, 0, 0, &setting(0xff, 1)), get(1, "/")].concat(),
            &[Response(1, 200)],
        ),
        (
            "6.6 PUSH_PROMISE",
            frame(PUSH_PROMISE, END_HEADERS, 1, &[&[0, 0, 0, 2], &block()[..]].concat()),
            &protocol,
        ),
        ("6.7 PING on a stream", frame(PING, 0, 1, &[0; 8]), &protocol),
        ("6.7 PING of another length", frame(PING, 0, 0, &[0; 6]), &size),
        ("6.8 GOAWAY on a stream", frame(GOAWAY, 0, 1, &[0; 8]), &protocol),
        ("6.9 WINDOW_UPDATE of 0", window_update(0, 0), &protocol),
        ("6.9 WINDOW_UPDATE of another length", frame(WINDOW_UPDATE, 0, 0, &[0; 3]), &size),
        (
            "6.9.1 window above the maximum",
            window_update(0, 0x7fff_ffff),
            &[conn(FLOW_CONTROL_ERROR), Closed],
        ),
        ("6.10 CONTINUATION without a head", frame(CONTINUATION, END_HEADERS, 1, &[]), &protocol),
        (
            "6.10 CONTINUATION on stream 0",
            [frame(HEADERS, END_STREAM, 1, &block()), frame(CONTINUATION, END_HEADERS, 0, &[])]
                .concat(),
            &protocol,
        ),
        (
            "6.10 CONTINUATION after the end",
            [post(1, &[]), frame(CONTINUATION, END_HEADERS, 1, &[])].concat(),
            &protocol,
        ),
        (
            "6.10 CONTINUATION after DATA",
            [post(1, &[]), frame(DATA, 0, 1, b"x"), frame(CONTINUATION, END_HEADERS, 1, &[])]
                .concat(),
            &protocol,
        ),
        (
            "6.10 head in pieces",
            [
                frame(HEADERS, END_STREAM, 1, &block()[..5]),
                frame(CONTINUATION, 0, 1, &block()[5..9]),
                frame(CONTINUATION, END_HEADERS, 1, &block()[9..]),
            ]
            .concat(),
            &[Response(1, 200)],
        ),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn streams_have_states() {
    let trailers = |flags, trailers: &[(&str, &str)]| {
        [post(1, &[]), frame(HEADERS, flags, 1, &fields(trailers))].concat()
    };
    let is_error = &[Reset(1, PROTOCOL_ERROR)][..];
    assert_cases(vec![
        ("5.1 idle: DATA", frame(DATA, 1, 1, b"x"), &[GoAway(PROTOCOL_ERROR), Closed]),
        ("5.1 idle: WINDOW_UPDATE", window_update(1, 9), &[GoAway(PROTOCOL_ERROR), Closed]),
        (
            "5.1 half-closed: DATA",
            [get(1, "/"), frame(DATA, 1, 1, b"x")].concat(),
            &[Response(1, 200), Reset(1, STREAM_CLOSED)],
        ),
        (
            "5.1 half-closed: HEADERS",
            [get(1, "/"), get(1, "/")].concat(),
            &[Response(1, 200), Reset(1, STREAM_CLOSED)],
        ),
        (
            "5.1 reset: DATA",
            [post(1, &[]), reset(1), frame(DATA, 1, 1, b"x")].concat(),
            &[Reset(1, STREAM_CLOSED)],
        ),
        (
            "5.1 reset: HEADERS",
            [post(1, &[]), reset(1), get(1, "/")].concat(),
            &[Reset(1, STREAM_CLOSED)],
        ),
        (
            "5.1 reset: PRIORITY",
            [post(1, &[]), reset(1), frame(PRIORITY, 0, 1, &[0; 5]), get(3, "/")].concat(),
            &[Response(3, 200)],
        ),
        (
            "5.1 reset: WINDOW_UPDATE",
            [post(1, &[]), reset(1), window_update(1, 9), get(3, "/")].concat(),
            &[Response(3, 200)],
        ),
        (
            "6.3 PRIORITY of an idle stream",
            [frame(PRIORITY, 0, 7, &[0, 0, 0, 0, 1]), get(9, "/")].concat(),
            &[Response(9, 200)],
        ),
        ("6.9 WINDOW_UPDATE of 0", [post(1, &[]), window_update(1, 0)].concat(), is_error),
        (
            "6.9.1 window above the maximum",
            [post(1, &[]), window_update(1, 0x7fff_ffff)].concat(),
            &[Reset(1, FLOW_CONTROL_ERROR)],
        ),
        ("8.1 trailers without END_STREAM", trailers(END_HEADERS, &[("x", "y")]), is_error),
        (
            "8.1 trailers with a pseudo-header field",
            trailers(WHOLE, &[(":method", "GET")]),
            is_error,
        ),
        ("8.1 trailers", trailers(WHOLE, &[("x", "y")]), &[Response(1, 405)]),
        (
            "8.1.1 less content than stated",
            [post(1, &[("content-length", "2")]), frame(DATA, 1, 1, b"x")].concat(),
            is_error,
        ),
        (
            "8.1.1 more content than stated",
            [post(1, &[("content-length", "2")]), frame(DATA, 1, 1, b"xyz")].concat(),
            is_error,
        ),
        (
            "8.1.1 less content over several frames",
            [post(1, &[("content-length", "3")]), frame(DATA, 0, 1, b"x"), frame(DATA, 1, 1, b"y")]
                .concat(),
            is_error,
        ),
        (
            "8.1.1 no content, but stated",
            frame(
                HEADERS,
                WHOLE,
                1,
                &fields(&[&request("POST", "/")[..], &[("content-length", "1")]].concat()),
            ),
            is_error,
        ),
        (
            "8.1.1 as stated",
            [post(1, &[("content-length", "2")]), frame(DATA, 1, 1, b"xy")].concat(),
            &[Response(1, 405)],
        ),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn malformed_requests_are_errors_of_their_stream() {
    let malformed = &[Reset(1, PROTOCOL_ERROR)][..];
    let all = request("GET", "/");
    let without = |name: &str| {
        bare(&all.iter().filter(|(other, _)| *other != name).copied().collect::<Vec<_>>())
    };
    let cases: Vec<Case<'_>> = vec![
        ("8.2.1 upper case", head(&[("X-Test", "ok")]), malformed),
        ("8.2.1 space in a name", head(&[("x y", "ok")]), malformed),
        ("8.2.1 line break in a value", head(&[("x", "a\r\nb: c")]), malformed),
        ("8.2.2 Connection", head(&[("connection", "keep-alive")]), malformed),
        ("8.2.2 Keep-Alive", head(&[("keep-alive", "1")]), malformed),
        ("8.2.2 Transfer-Encoding", head(&[("transfer-encoding", "chunked")]), malformed),
        ("8.2.2 Upgrade", head(&[("upgrade", "h2c")]), malformed),
        ("8.2.2 TE: gzip", head(&[("te", "gzip")]), malformed),
        ("8.2.2 TE: trailers", head(&[("te", "trailers")]), &[Response(1, 200)]),
        ("8.3 unknown pseudo-header field", head(&[(":test", "ok")]), malformed),
        ("8.3 that of a response", head(&[(":status", "200")]), malformed),
        ("8.3 after another field", bare(&[&[("x", "y")], &all[..]].concat()), malformed),
        ("8.3.1 no method", without(":method"), malformed),
        ("8.3.1 no scheme", without(":scheme"), malformed),
        ("8.3.1 no path", without(":path"), malformed),
        ("8.3.1 empty path", frame(HEADERS, WHOLE, 1, &fields(&request("GET", ""))), malformed),
        (
            "8.3.1 path without a slash",
            frame(HEADERS, WHOLE, 1, &fields(&request("GET", "a"))),
            malformed,
        ),
        ("8.3.1 two methods", bare(&[&[(":method", "GET")], &all[..]].concat()), malformed),
        ("8.3.1 two schemes", bare(&[&[(":scheme", "https")], &all[..]].concat()), malformed),
        ("8.3.1 two authorities", bare(&[&[(":authority", "a")], &all[..]].concat()), malformed),
        ("8.3.1 two paths", bare(&[&[(":path", "/")], &all[..]].concat()), malformed),
        (
            "RFC 8441 4 extended CONNECT",
            bare(&[
                (":method", "CONNECT"),
                (":protocol", "websocket"),
                (":scheme", "https"),
                (":path", "/"),
                (":authority", "a"),
            ]),
            malformed,
        ),
    ];
    // The connection goes on: another request is answered.
    let expected: Vec<Vec<Event>> =
        cases.iter().map(|(.., first)| [first, &[Response(3, 200)][..]].concat()).collect();
    let cases = cases.into_iter().zip(&expected).map(|((name, sent, _), expected)| {
        (name, [sent, get(3, "/privacy")].concat(), &expected[..])
    });
    assert_cases(cases.collect()).await;
}

#[tokio::test(start_paused = true)]
async fn host_rules_apply_to_the_authority() {
    let with = |authority: &'static [(&'static str, &'static str)]| {
        bare(&[&[(":method", "GET"), (":scheme", "https"), (":path", "/")], authority].concat())
    };
    assert_cases(vec![
        ("authority", with(&[(":authority", "a.example")]), &[Response(1, 200)]),
        ("authority with a port", with(&[(":authority", "[::1]:8443")]), &[Response(1, 200)]),
        ("Host alone", with(&[("host", "a.example")]), &[Response(1, 200)]),
        (
            "both, equal",
            with(&[(":authority", "a.example"), ("host", "A.example")]),
            &[Response(1, 200)],
        ),
        ("neither", with(&[]), &[Response(1, 400)]),
        ("two hosts", with(&[("host", "a"), ("host", "a")]), &[Response(1, 400)]),
        (
            "authority and two hosts",
            with(&[(":authority", "a"), ("host", "a"), ("host", "a")]),
            &[Response(1, 400)],
        ),
        ("both, different", with(&[(":authority", "a"), ("host", "b")]), &[Response(1, 400)]),
        ("user information", with(&[(":authority", "user@a")]), &[Response(1, 400)]),
        ("invalid Host", with(&[("host", "a/b")]), &[Response(1, 400)]),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn sizes_are_limited() {
    let many = |count: usize| head(&vec![("x", "y"); count]);
    let target = |length: usize| get(1, &format!("/{}", "a".repeat(length - 1)));
    let long = "a".repeat(16 * 1024);
    assert_cases(vec![
        ("100 fields", many(100), &[Response(1, 200)]),
        ("101 fields", many(101), &[Response(1, 431)]),
        // The authority counts, as it does in an absolute-form target.
        ("target of 8192 bytes", target(8192 - 9), &[Response(1, 404)]),
        ("longer target", target(8193), &[Response(1, 414)]),
        (
            "head above 16 KiB",
            [
                frame(HEADERS, END_STREAM, 1, &block()),
                frame(CONTINUATION, END_HEADERS, 1, &fields(&[("x", &long[..16_300])])),
            ]
            .concat(),
            &[Response(1, 431)],
        ),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_101st_stream_is_refused() {
    let streams: Vec<u8> = (0..101).flat_map(|index| post(index * 2 + 1, &[])).collect();
    assert_cases(vec![("101 streams", streams, &[Reset(201, REFUSED_STREAM)])]).await;
}

#[tokio::test(start_paused = true)]
async fn another_preface_ends_the_connection() {
    for preface in [
        &b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"[..],
        &PREFACE[..20],
        b"INVALID CONNECTION PREFACE\r\n\r\n",
    ] {
        let mut client = Client::silent(&Arc::new(site()), Limits::default());
        client.send(preface).await;
        let events = client.events().await;
        assert!(
            events.iter().all(|event| matches!(event, GoAway(PROTOCOL_ERROR) | Closed)),
            "{events:?}"
        );
    }
    // The first frame has to be SETTINGS (§3.4).
    let mut client = Client::silent(&Arc::new(site()), Limits::default());
    client.send([PREFACE, &get(1, "/")].concat()).await;
    let events = client.events().await;
    assert!(
        events.contains(&GoAway(PROTOCOL_ERROR)) || events.contains(&Response(1, 200)),
        "{events:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn pings_are_answered_and_acknowledgements_are_not() {
    let mut client = Client::of(&Arc::new(site()), Limits::default()).await;
    client.send(frame(PING, ACK, 0, b"unasked.")).await;
    client.send(frame(PING, 0, 0, b"question")).await;
    let answer = client.frame_of(PING).await.expect("an answer");
    assert_eq!((answer.flags, &answer.payload[..]), (ACK, &b"question"[..]));
}

/// §6.9.2: a window can become negative.
#[tokio::test(start_paused = true)]
async fn a_change_of_the_window_applies_to_open_streams() {
    let mut client = Client::of(&Arc::new(site()), Limits::default()).await;
    client.send(frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, 3))).await;
    client.send(get(1, "/")).await;
    let first = client.frame_of(DATA).await.expect("three bytes");
    assert_eq!(first.payload.len(), 3);
    client.send(frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, 2))).await;
    // From -1 to 1.
    client.send(window_update(1, 2)).await;
    let second = client.frame_of(DATA).await.expect("one byte");
    assert_eq!(second.payload.len(), 1);
    client.send(frame(GOAWAY, 0, 0, &[0; 8])).await;
    client.send(window_update(1, 1000)).await;
    let rest = client.content_length().await.expect("the rest, also after GOAWAY");
    assert_eq!(rest + 4, crate::fixture::INDEX.len());
    assert_eq!(client.event().await, GoAway(NO_ERROR));
}
