//! RFC 9113: frames that are valid, invalid, or come at the wrong time. The sections
//! are those of the RFC.

use std::sync::Arc;

use recipelog_site::server::Limits;

use crate::fixture::{INDEX, site};
use crate::http2_client::Event::{Closed, GoAway, Response};
use crate::http2_client::{
    ACK, CONTINUATION, Client, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE,
    PING, PREFACE, PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS, WHOLE, WINDOW_UPDATE, fields,
    frame, get, post, request, reset, setting, window_update,
};
use crate::http2_conversation::{
    COMPRESSION_ERROR, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, NO_ERROR, PROTOCOL_ERROR,
    STREAM_CLOSED, assert_cases,
};

fn block() -> Vec<u8> {
    fields(&request("GET", "/"))
}

#[tokio::test(start_paused = true)]
async fn malformed_frames_end_the_connection_and_unknown_ones_are_ignored() {
    let protocol = [GoAway(PROTOCOL_ERROR), Closed];
    let size = [GoAway(FRAME_SIZE_ERROR), Closed];
    let compression = [GoAway(COMPRESSION_ERROR), Closed];
    let flow_control = [GoAway(FLOW_CONTROL_ERROR), Closed];
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
        (
            "4.1 reserved bit",
            [frame(PING, 0, 1 << 31, &[0; 8]), frame(HEADERS, WHOLE, 1 << 31 | 1, &block())]
                .concat(),
            &[Response(1, 200)],
        ),
        (
            "4.2 DATA of 16 KiB",
            [post(1, &[]), frame(DATA, 1, 1, &[0; 16_384])].concat(),
            &[Response(1, 405)],
        ),
        ("4.2 larger than 16 KiB", frame(HEADERS, WHOLE, 1, &[0; 16_385]), &size),
        (
            "4.2 DATA larger than 16 KiB",
            [post(1, &[]), frame(DATA, 1, 1, &[0; 16_385])].concat(),
            &size,
        ),
        ("4.3 invalid block", frame(HEADERS, WHOLE, 1, &[0x40]), &compression),
        ("RFC 7541 6.1 index 0", frame(HEADERS, WHOLE, 1, &[0x80]), &compression),
        ("RFC 7541 2.3.3 unknown index", frame(HEADERS, WHOLE, 1, &[0xff, 0x20]), &compression),
        (
            "RFC 7541 6.3 table too large",
            frame(HEADERS, WHOLE, 1, &[[0x3f, 0xe2, 0x1f].as_slice(), &block()].concat()),
            &compression,
        ),
        (
            "RFC 7541 4.2 size update at the end",
            frame(HEADERS, WHOLE, 1, &[block(), vec![0x20]].concat()),
            &compression,
        ),
        (
            "RFC 7541 5.2 end of string in Huffman",
            frame(
                HEADERS,
                WHOLE,
                1,
                &[block(), vec![0, 0x84, 0xff, 0xff, 0xff, 0xff, 1, b'a']].concat(),
            ),
            &compression,
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
        (
            "5.5 unknown type within a head",
            [frame(HEADERS, END_STREAM, 1, &block()), frame(0x16, 0, 1, b"x")].concat(),
            &protocol,
        ),
        ("5.1.1 even stream", get(2, "/"), &protocol),
        ("5.1.1 lower stream", [get(5, "/"), get(3, "/")].concat(), &protocol),
        ("5.1.1 first stream left out", [get(3, "/"), get(1, "/")].concat(), &protocol),
        (
            "5.1.1 DATA on a stream left out",
            [get(1, "/"), get(7, "/"), frame(DATA, 1, 5, b"x")].concat(),
            &protocol,
        ),
        (
            "5.1.1 the first of two streams left out",
            [get(5, "/"), get(11, "/"), get(3, "/")].concat(),
            &protocol,
        ),
        (
            "5.1 stream that has ended below one left out",
            [get(1, "/"), get(5, "/"), get(1, "/")].concat(),
            &[GoAway(STREAM_CLOSED), Closed],
        ),
        ("6.1 DATA on stream 0", frame(DATA, 1, 0, b"x"), &protocol),
        (
            "6.1 DATA with too much padding",
            [post(1, &[]), frame(DATA, 8, 1, &[6, 0, 0])].concat(),
            &protocol,
        ),
        (
            "6.1 DATA of padding alone",
            [post(1, &[]), frame(DATA, 9, 1, &[2, 0, 0])].concat(),
            &[Response(1, 405)],
        ),
        (
            "6.1 DATA without the length of its padding",
            [post(1, &[]), frame(DATA, 9, 1, &[])].concat(),
            &size,
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
        // This is a stream error, which may be treated as a connection error (§5.4.1).
        ("6.3 PRIORITY of another length", frame(PRIORITY, 0, 1, &[0; 4]), &size),
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
            &flow_control,
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
        ("6.8 GOAWAY of another length", frame(GOAWAY, 0, 0, &[0; 7]), &size),
        ("6.9 WINDOW_UPDATE of 0", window_update(0, 0), &protocol),
        ("6.9 WINDOW_UPDATE of another length", frame(WINDOW_UPDATE, 0, 0, &[0; 3]), &size),
        ("6.9.1 window above the maximum", window_update(0, 0x7fff_ffff), &flow_control),
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
async fn an_invalid_http_2_preface_ends_the_connection() {
    for preface in [
        &b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"[..],
        &PREFACE[..20],
        b"INVALID CONNECTION PREFACE\r\n\r\n",
    ] {
        let mut client = Client::silent(Arc::new(site()), Limits::default());
        client.send(preface).await;
        let events = client.events().await;
        assert!(
            events.iter().all(|event| matches!(event, GoAway(PROTOCOL_ERROR) | Closed)),
            "{events:?}"
        );
    }
    // The first frame has to be SETTINGS (§3.4).
    for first in [get(1, "/"), frame(SETTINGS, ACK, 0, &[]), frame(PING, 0, 0, &[0; 8])] {
        let mut client = Client::silent(Arc::new(site()), Limits::default());
        client.send([PREFACE, &first].concat()).await;
        assert_eq!(client.events().await, [GoAway(PROTOCOL_ERROR), Closed]);
    }
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
async fn a_change_of_the_initial_window_size_applies_to_open_streams() {
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
    assert_eq!(rest + 4, INDEX.len());
    assert_eq!(client.event().await, GoAway(NO_ERROR));
}
