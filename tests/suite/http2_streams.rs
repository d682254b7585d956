//! RFC 9113: frames that come in the wrong state of their stream. The sections are
//! those of the RFC.

use crate::http2_client::Event::{Closed, GoAway, Reset, Response};
use crate::http2_client::{
    DATA, END_HEADERS, HEADERS, PRIORITY, WHOLE, fields, frame, get, post, request, reset,
    window_update,
};
use crate::http2_conversation::{FLOW_CONTROL_ERROR, PROTOCOL_ERROR, STREAM_CLOSED, assert_cases};

#[tokio::test(start_paused = true)]
async fn frames_that_the_state_of_their_stream_forbids_are_errors() {
    let trailers = |flags, trailers: &[(&str, &str)]| {
        [post(1, &[]), frame(HEADERS, flags, 1, &fields(trailers))].concat()
    };
    let is_error = &[Reset(1, PROTOCOL_ERROR)][..];
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
