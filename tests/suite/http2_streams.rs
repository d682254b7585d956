//! RFC 9113: frames that come in the wrong state of their stream. The sections are
//! those of the RFC.

use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, INITIAL_WINDOW_SIZE, PRIORITY,
    RST_STREAM, SETTINGS, WHOLE, fields, frame, get, post, request, reset, setting, window_update,
};
use crate::http2_conversation::{FLOW_CONTROL_ERROR, PROTOCOL_ERROR, STREAM_CLOSED, assert_cases};

#[tokio::test(start_paused = true)]
async fn frames_that_the_state_of_their_stream_forbids_are_errors() {
    let trailers = |flags, trailers: &[(&str, &str)]| {
        [post(1, &[]), frame(HEADERS, flags, 1, &fields(trailers))].concat()
    };
    let is_error = &[Reset(1, PROTOCOL_ERROR)][..];
    let protocol = &[GoAway(PROTOCOL_ERROR), Closed][..];
    let block = fields(&request("GET", "/"));
    assert_cases(vec![
        ("5.1 idle: DATA", frame(DATA, 1, 1, b"x"), &[GoAway(PROTOCOL_ERROR), Closed]),
        ("5.1 idle: WINDOW_UPDATE", window_update(1, 9), &[GoAway(PROTOCOL_ERROR), Closed]),
        (
            "5.1 open: the end of each of two",
            [post(1, &[]), post(3, &[]), frame(DATA, 1, 1, b"x"), frame(DATA, 1, 3, b"x")].concat(),
            &[Response(1, 405), Response(3, 405)],
        ),
        (
            "5.1 half-closed: DATA",
            [get(1, "/"), frame(DATA, 1, 1, b"x")].concat(),
            &[GoAway(STREAM_CLOSED), Closed],
        ),
        (
            "5.1 half-closed: CONTINUATION",
            [get(1, "/"), frame(CONTINUATION, END_HEADERS, 1, &[])].concat(),
            &[GoAway(PROTOCOL_ERROR), Closed],
        ),
        (
            "5.1 half-closed: PRIORITY and WINDOW_UPDATE",
            [get(1, "/"), frame(PRIORITY, 0, 1, &[0; 5]), window_update(1, 9)].concat(),
            &[Response(1, 200)],
        ),
        (
            "5.1 half-closed: RST_STREAM",
            [get(1, "/"), reset(1), get(3, "/")].concat(),
            &[Response(3, 200)],
        ),
        (
            "5.1 half-closed: HEADERS",
            [get(1, "/"), get(1, "/")].concat(),
            &[GoAway(STREAM_CLOSED), Closed],
        ),
        (
            "5.1 reset: DATA",
            [post(1, &[]), reset(1), frame(DATA, 1, 1, b"x")].concat(),
            &[GoAway(STREAM_CLOSED), Closed],
        ),
        (
            "5.1 reset: HEADERS",
            [post(1, &[]), reset(1), get(1, "/")].concat(),
            &[GoAway(STREAM_CLOSED), Closed],
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
            "5.1 reset: CONTINUATION",
            [post(1, &[]), reset(1), frame(CONTINUATION, END_HEADERS, 1, &[])].concat(),
            &[GoAway(PROTOCOL_ERROR), Closed],
        ),
        (
            "5.1 reset: RST_STREAM",
            [post(1, &[]), reset(1), reset(1), get(3, "/")].concat(),
            &[Response(3, 200)],
        ),
        ("5.1 idle: even RST_STREAM", [get(3, "/"), reset(2)].concat(), protocol),
        ("5.1 idle: even WINDOW_UPDATE", [get(3, "/"), window_update(2, 1)].concat(), protocol),
        ("5.1 idle: even DATA", [get(3, "/"), frame(DATA, 1, 2, b"x")].concat(), protocol),
        (
            "5.1.1 highest stream",
            [get(0x7fff_fffd, "/"), get(0x7fff_ffff, "/")].concat(),
            &[Response(0x7fff_fffd, 200), Response(0x7fff_ffff, 200)],
        ),
        ("5.3.1 PRIORITY on itself", frame(PRIORITY, 0, 1, &[0, 0, 0, 1, 9]), protocol),
        (
            "5.3.1 HEADERS that depends on itself",
            frame(HEADERS, WHOLE | 0x20, 1, &[&[0x80, 0, 0, 1, 9][..], &block].concat()),
            protocol,
        ),
        (
            "6.3 a stream below one with PRIORITY",
            [frame(PRIORITY, 0, 7, &[0x80, 0, 0, 5, 255]), get(5, "/"), get(7, "/")].concat(),
            &[Response(5, 200), Response(7, 200)],
        ),
        (
            "6.3 PRIORITY of an idle stream",
            [frame(PRIORITY, 0, 7, &[0, 0, 0, 0, 1]), get(9, "/")].concat(),
            &[Response(9, 200)],
        ),
        (
            "6.9 WINDOW_UPDATE of 0",
            [post(1, &[]), window_update(1, 0)].concat(),
            &[GoAway(PROTOCOL_ERROR), Closed],
        ),
        (
            "6.9.1 window above the maximum",
            [post(1, &[]), window_update(1, 0x7fff_ffff)].concat(),
            &[Reset(1, FLOW_CONTROL_ERROR)],
        ),
        (
            "6.9.1 window above the maximum in two steps",
            [post(1, &[]), window_update(1, 0x7fff_0000), window_update(1, 1)].concat(),
            &[Reset(1, FLOW_CONTROL_ERROR)],
        ),
        (
            "6.9.2 window above the maximum by a setting",
            [
                post(1, &[]),
                window_update(1, 0x7fff_0000),
                frame(SETTINGS, 0, 0, &setting(INITIAL_WINDOW_SIZE, 65_536)),
            ]
            .concat(),
            &[GoAway(FLOW_CONTROL_ERROR), Closed],
        ),
        (
            "7 RST_STREAM with an unknown code",
            [post(1, &[]), frame(RST_STREAM, 0, 1, &[255; 4]), get(3, "/")].concat(),
            &[Response(3, 200)],
        ),
        ("8.1 trailers without END_STREAM", trailers(END_HEADERS, &[("x", "y")]), is_error),
        (
            "8.1 trailers with a pseudo-header field",
            trailers(WHOLE, &[(":method", "GET")]),
            is_error,
        ),
        (
            "8.3 trailers with a pseudo-header field after another one",
            trailers(WHOLE, &[("x", "y"), (":method", "GET")]),
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

/// §6.9.3: until then, the client need not know the server's window.
#[tokio::test(start_paused = true)]
async fn content_may_exceed_the_window_until_the_settings_are_acknowledged() {
    let data = |lengths: &[usize]| {
        lengths.iter().flat_map(|&length| frame(DATA, 0, 1, &vec![0; length])).collect::<Vec<u8>>()
    };
    let acknowledgement = frame(SETTINGS, ACK, 0, &[]);
    let end = frame(DATA, END_STREAM, 1, &[]);
    assert_cases(vec![
        (
            "before",
            [post(1, &[]), data(&[4_000, 16_384, 16_384, 16_384, 12_383]), end].concat(),
            &[Response(1, 405)],
        ),
        (
            "after",
            [acknowledgement, post(1, &[]), data(&[4_000, 16_384])].concat(),
            &[Reset(1, FLOW_CONTROL_ERROR)],
        ),
    ])
    .await;
}
