//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Buf;
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::header::{CONNECTION, DATE, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tokio_util::io::InspectReader;

use super::activity::Command;
use super::admission::OpenConnection;
use super::body::{Content, discard};
use super::date;
use super::frames::Frames;
use super::limits::{
    HEAD_MAX_BYTES, Limits, RESET_STREAMS_MAX, STREAM_WINDOW_BYTES, STREAMS_MAX, WRITE_MAX_BYTES,
};
use super::listen::Scheme;
use super::service::Service;
use super::socket::{Socket, Transport};
use super::watchdog::Watchdog;
use crate::http::Arrival;
use crate::tls::{ACME_TLS_ALPN, HTTP2_ALPN};

/// Marks the last response of a connection (RFC 9112 §9.6).
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// A connection without TLS, or with it. Parts that only TLS needs are boxed, here and in
/// [`serve`], so a plain connection does not pay for them.
pub(super) type Stream = Either<Socket, Box<TlsStream<Socket>>>;

/// Serves one connection until it ends, exceeds a limit or is aborted. An error on it concerns this
/// client only: it left, or did not send HTTP and got a response saying so.
pub(super) async fn serve(
    transport: Box<dyn Transport>,
    scheme: Scheme,
    connection: Arc<OpenConnection>,
    service: &Service,
    limits: Limits,
) {
    let socket = Socket::new(transport, Arc::clone(&connection));
    let watchdog = Watchdog::new(&connection.activity, limits);
    match service.acceptor() {
        Some(tls) if scheme == Scheme::Https => {
            Box::pin(serve_tls(socket, &connection, tls, service, watchdog)).await;
        }
        _ => {
            let stream = Stream::Left(socket);
            serve_http1(stream, &connection, service, Arrival::Plain, watchdog).await;
        }
    }
}

/// Serves one connection with the protocol that its handshake agrees on.
async fn serve_tls(
    mut socket: Socket,
    connection: &Arc<OpenConnection>,
    tls: &TlsAcceptor,
    service: &Service,
    mut watchdog: Watchdog<'_>,
) {
    let Some(Ok(first)) = watchdog.guard(pin!(socket.peek()), |_| {}).await else { return };
    // A method begins with a letter, a handshake with 22 (RFC 8446 §5.1).
    if first.is_ascii_alphabetic() {
        let (stream, arrival) = (Stream::Left(socket), Arrival::PlainOnTlsPort);
        return serve_http1(stream, connection, service, arrival, watchdog).await;
    }
    let handshake = tls.accept_with(socket, |tls| {
        // What TLS buffers already counts as sent, so the limit is small.
        tls.set_buffer_limit(Some(WRITE_MAX_BYTES));
    });
    let Some(Ok(stream)) = watchdog.guard(pin!(handshake), |_| {}).await else { return };
    let server_name = stream.get_ref().1.server_name().map(str::to_owned);
    let arrival = Arrival::Tls { server_name: server_name.as_deref() };
    let protocol = stream.get_ref().1.alpn_protocol();
    // The authority has seen the certificate of its challenge (RFC 8737 §3).
    if protocol == Some(ACME_TLS_ALPN) {
        return;
    }
    let is_http2 = protocol == Some(HTTP2_ALPN);
    let stream = Stream::Right(Box::new(stream));
    if is_http2 {
        serve_http2(stream, connection, service, arrival, watchdog).await;
    } else {
        serve_http1(stream, connection, service, arrival, watchdog).await;
    }
}

/// Serves a connection with HTTP/1.1 or 1.0.
async fn serve_http1(
    stream: Stream,
    connection: &Arc<OpenConnection>,
    service: &Service,
    arrival: Arrival<'_>,
    mut watchdog: Watchdog<'_>,
) {
    let answer = service_fn(|request| answer(&request, connection, service, arrival));
    let mut http = pin!(
        http1::Builder::new()
            .max_buf_size(HEAD_MAX_BYTES)
            // The size of the buffer alone is not exact.
            .max_header_size(HEAD_MAX_BYTES)
            // A client may close its sending side after the last request and still read the
            // responses.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), answer)
    );
    let finish = http1::Connection::graceful_shutdown;
    let mut ended = watchdog.guard(http.as_mut(), finish).await;
    // After a request with Upgrade, hyper 1 ends before it has written its whole buffer, and
    // without a shutdown. It does both if it is polled again, because it forgets the upgrade with
    // its first end. No contract says so; a test in `unread_content` does.
    if let Some(Ok(())) = ended {
        ended = watchdog.guard(http, finish).await;
    }
    if let Some(Err(error)) = &ended
        && error.is_parse()
        // hyper sends no response to the preface of HTTP/2.
        && !error.is_parse_version_h2()
    {
        let status = if error.is_parse_too_large() {
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
        } else {
            StatusCode::BAD_REQUEST
        };
        service.log_rejection(status, connection.peer);
    }
}

/// The response to a request with HTTP/1.1 or 1.0. hyper gets it at once.
fn answer(
    request: &Request<Incoming>,
    connection: &Arc<OpenConnection>,
    service: &Service,
    arrival: Arrival<'_>,
) -> Ready<Result<Response<Full<Content>>, Infallible>> {
    let mut response = service.answer(request, arrival, connection).map(Full::new);
    if connection.activity.command() >= Command::Announce {
        response.headers_mut().insert(CONNECTION, CLOSE);
    }
    future::ready(Ok(response))
}

/// Serves a connection with HTTP/2. The limits bound its memory, and end a connection that floods
/// (WIRE-35).
pub(super) async fn serve_http2(
    stream: Stream,
    connection: &Arc<OpenConnection>,
    service: &Service,
    arrival: Arrival<'_>,
    mut watchdog: Watchdog<'_>,
) {
    connection.activity.choose_http2();
    let mut frames = Frames::new();
    let stream = InspectReader::new(stream, |bytes: &[u8]| {
        connection.activity.record_kept(frames.receive(bytes));
    });
    let handshake = h2::server::Builder::new()
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_MAX_BYTES as u32)
        .initial_window_size(STREAM_WINDOW_BYTES)
        .max_pending_accept_reset_streams(RESET_STREAMS_MAX)
        .handshake(stream);
    let Some(Ok(http)) = watchdog.guard(pin!(handshake), |_| {}).await else { return };
    let serving = pin!(Http2 { http, connection, service, arrival });
    // In its next turn, the connection sees for itself that it has to end.
    watchdog.guard(serving, |_| {}).await;
}

/// A connection with HTTP/2, until it ends.
struct Http2<'a, T> {
    http: h2::server::Connection<T, Content>,
    connection: &'a Arc<OpenConnection>,
    service: &'a Service,
    arrival: Arrival<'a>,
}

impl<T: AsyncRead + AsyncWrite + Unpin> Future for Http2<'_, T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let activity = &self.connection.activity;
        // Checked at the start of a turn, when the responses of the last turn have been written.
        if activity.has_received_too_much() {
            // Names the last stream that was read, so the client can repeat the others.
            self.http.abrupt_shutdown(Reason::NO_ERROR);
        }
        loop {
            if activity.has_received_enough() || activity.command() >= Command::Finish {
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
        let answer = self.service.answer(&request, self.arrival, self.connection);
        let (mut head, content) = answer.into_parts();
        head.headers.insert(DATE, date::now());
        let request = request.into_body();
        let has_ended = request.is_end_stream();
        let is_last = has_ended && !content.has_remaining();
        // An error means that the client has reset the stream.
        if let Ok(mut stream) = response.send_response(Response::from_parts(head, ()), is_last)
            && !is_last
            && stream.send_data(content, has_ended).is_ok()
            && !has_ended
        {
            tokio::spawn(discard(request, stream, Arc::clone(self.connection)));
        }
    }
}
