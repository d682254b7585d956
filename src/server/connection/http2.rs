//! Serves a connection with HTTP/2.

use std::cell::RefCell;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Buf;
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::header::{DATE, HeaderValue};
use http::{Request, Response};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::io::InspectReader;

use super::activity::Activity;
use super::body::{Content, discard};
use super::frames::Frames;
use super::serve::Stream;
use super::service::Service;
use super::watchdog::{Verdict, Watchdog};
use crate::http::Arrival;
use crate::server::admission::Phase;
use crate::server::limits::{HEAD_MAX_BYTES, RESET_STREAMS_MAX, STREAM_WINDOW_BYTES, STREAMS_MAX};

/// Serves a connection with HTTP/2. The limits bound its memory, and end a connection that floods
/// (WIRE-35).
pub(in crate::server) async fn serve_http2(
    stream: Stream,
    activity: &Rc<Activity>,
    service: &Service,
    arrival: Arrival<'_>,
    mut watchdog: Watchdog<'_>,
) {
    let mut frames = Frames::new();
    let stream = InspectReader::new(stream, |bytes: &[u8]| {
        activity.record_kept(frames.receive(bytes));
    });
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_MAX_BYTES as u32)
        .initial_window_size(STREAM_WINDOW_BYTES)
        .max_pending_accept_reset_streams(RESET_STREAMS_MAX)
        .handshake(stream);
    let Some(Ok(http)) = watchdog.complete(pin!(handshake)).await else { return };
    activity.begin_http2();
    let mut serving = Http2 { http, activity, service, arrival };
    while let Verdict::Finish = watchdog.guard(Pin::new(&mut serving)).await {
        serving.http.graceful_shutdown();
    }
}

/// A connection with HTTP/2, until it ends.
struct Http2<'a, T> {
    http: h2::server::Connection<T, Content>,
    activity: &'a Rc<Activity>,
    service: &'a Service,
    arrival: Arrival<'a>,
}

impl<T: AsyncRead + AsyncWrite + Unpin> Future for Http2<'_, T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let activity = self.activity;
        // Checked at the start of a turn, when the responses of the last turn have been written.
        if activity.has_received_too_much() {
            // Names the last stream that was read, so the client can repeat the others.
            self.http.abrupt_shutdown(Reason::NO_ERROR);
        }
        loop {
            if activity.has_received_enough() || activity.phase() >= Phase::Announce {
                self.http.graceful_shutdown();
            }
            let accepted = ready!(pin!(self.http.accept()).poll(context));
            let Some(Ok((request, response))) = accepted else { return Poll::Ready(()) };
            self.answer(request, response);
        }
    }
}

impl<T> Http2<'_, T> {
    /// Responds to one request. h2 sends the response as far as the windows of the client admit it.
    fn answer(&self, request: Request<RecvStream>, mut response: SendResponse<Content>) {
        let answer = self.service.answer(&request, self.arrival, self.activity);
        let (mut head, content) = answer.into_parts();
        head.headers.insert(DATE, date());
        let request = request.into_body();
        let has_ended = request.is_end_stream();
        let is_last = has_ended && !content.has_remaining();
        // An error means that the client has reset the stream.
        if let Ok(mut stream) = response.send_response(Response::from_parts(head, ()), is_last)
            && !is_last
            && stream.send_data(content, has_ended).is_ok()
            && !has_ended
        {
            tokio::task::spawn_local(discard(request, stream, Rc::clone(self.activity)));
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

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_date_follows_the_clock() {
        let first = date();
        sleep(Duration::from_secs(1));
        assert_ne!(date(), first);
    }
}
