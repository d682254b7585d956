//! Serves a connection with HTTP/2 (WIRE-35, DECISION-57).

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Buf;
use h2::RecvStream;
use h2::server::SendResponse;
use http::header::{DATE, HeaderValue};
use http::{Request, Response};
use tokio::io::{self, AsyncRead, AsyncWriteExt, Join, ReadBuf, ReadHalf, WriteHalf};
use tokio::task::spawn_local;

use super::activity::Activity;
use super::body::{ResponseBytes, discard};
use super::frames::{Frames, NO_TABLE};
use super::service::Service;
use super::socket::MaybeTls;
use super::watchdog::{Verdict, Watchdog};
use crate::http::Arrival;
use crate::server::admission::Phase;
use crate::server::limits::{
    ERROR_STREAMS_MAX, HEAD_MAX_BYTES, RESET_STREAMS_MAX, STREAM_WINDOW_BYTES, STREAMS_MAX,
};

/// Serves a connection with HTTP/2. The limits bound its memory, and end a connection that floods
/// (WIRE-35).
pub(super) async fn serve_http2(
    mut stream: MaybeTls,
    activity: &Rc<Activity>,
    service: &Service,
    arrival: Arrival<'_>,
    mut watchdog: Watchdog<'_>,
) {
    let greeting = watchdog.complete(pin!(stream.write_all(&NO_TABLE))).await;
    let Some(Ok(())) = greeting else { return };
    let (reader, writer) = io::split(stream);
    let reader = BoundedReader { reader, frames: Frames::new(), activity };
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_MAX_BYTES as u32)
        .initial_window_size(STREAM_WINDOW_BYTES)
        .max_pending_accept_reset_streams(RESET_STREAMS_MAX)
        .max_local_error_reset_streams(Some(ERROR_STREAMS_MAX))
        .handshake(io::join(reader, writer));
    let Some(Ok(http)) = watchdog.complete(pin!(handshake)).await else { return };
    activity.begin_http2();
    let mut serving = Http2 { http, activity, service, arrival };
    while let Verdict::Finish = watchdog.guard(Pin::new(&mut serving)).await {
        serving.http.graceful_shutdown();
    }
}

/// Reads for h2, without the heads that the connection may not keep.
struct BoundedReader<'a> {
    reader: ReadHalf<MaybeTls>,
    frames: Frames,
    activity: &'a Activity,
}

impl AsyncRead for BoundedReader<'_> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { reader, frames, activity } = self.get_mut();
        let filled = buffer.filled().len();
        let read = Pin::new(reader).poll_read(context, buffer);
        let keep = |bytes, heads| activity.keep(bytes, heads);
        frames.receive(&mut buffer.filled_mut()[filled..], keep);
        read
    }
}

/// A connection with HTTP/2, until it ends.
struct Http2<'a> {
    http: h2::server::Connection<Join<BoundedReader<'a>, WriteHalf<MaybeTls>>, ResponseBytes>,
    activity: &'a Rc<Activity>,
    service: &'a Service,
    arrival: Arrival<'a>,
}

impl Future for Http2<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.activity.notice.get().phase >= Phase::Announce {
            self.http.graceful_shutdown();
        }
        loop {
            let accepted = ready!(self.http.poll_accept(context));
            let Some(Ok((request, response))) = accepted else { return Poll::Ready(()) };
            self.answer(request, response);
        }
    }
}

impl Http2<'_> {
    /// Responds to one request. h2 sends the response as far as the windows of the client admit it.
    fn answer(&self, request: Request<RecvStream>, mut response: SendResponse<ResponseBytes>) {
        let answer = self.service.answer(&request, self.arrival, self.activity);
        let (mut head, content) = answer.into_parts();
        head.headers.insert(DATE, date());
        let is_empty = !content.has_remaining();
        // Errors mean that the client has reset the stream.
        if let Ok(mut stream) = response.send_response(Response::from_parts(head, ()), is_empty)
            && !is_empty
        {
            let _ = stream.send_data(content, true);
        }
        let request = request.into_body();
        if request.is_end_stream() {
            self.activity.end_request();
        } else {
            spawn_local(discard(request, Rc::clone(self.activity)));
        }
    }
}

thread_local! {
    /// The last value of [`date`], and its second.
    static LAST_DATE: RefCell<(u64, HeaderValue)> =
        const { RefCell::new((0, HeaderValue::from_static(""))) };
}

/// The current time for the Date field (RFC 9110 §6.6.1), which hyper adds over HTTP/1.1. Each
/// worker formats it once per second.
fn date() -> HeaderValue {
    let now = SystemTime::now();
    let second = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    LAST_DATE.with_borrow_mut(|(last, value)| {
        if *last != second {
            let text = httpdate::fmt_http_date(now);
            (*last, *value) = (second, HeaderValue::try_from(text).expect("ASCII"));
        }
        value.clone()
    })
}
