//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Ready};
use std::pin::pin;
use std::sync::Arc;

use http::header::{CONNECTION, HeaderValue};
use http::{Request, Response, StatusCode, Version};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use super::activity::Command;
use super::admission::OpenConnection;
use super::body::ResponseBody;
use super::limits::Limits;
use super::listen::Scheme;
use super::service::Service;
use super::socket::{Socket, Transport, WRITE_MAX_BYTES};
use super::watchdog::Watchdog;
use crate::http::Arrival;
use crate::tls::{ACME_TLS_ALPN, HTTP2_ALPN};

/// Maximum bytes of one request's head; beyond it hyper answers 431 (WIRE-19).
const HEAD_MAX_BYTES: usize = 16 * 1024;

/// Marks the last response of a connection (RFC 9112 §9.6).
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// A connection without TLS, or with it. What only TLS needs is in a box, here and in [`serve`], so that a
/// connection without it takes no space for that.
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
    let answer = service_fn(|request| answer(request, connection, service, arrival));
    let mut http = pin!(
        http1::Builder::new()
            .max_buf_size(HEAD_MAX_BYTES)
            // The size of the buffer alone is not exact.
            .max_header_size(HEAD_MAX_BYTES)
            // A client may close its sending side after the last request and still
            // read the responses.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), answer)
    );
    let finish = http1::Connection::graceful_shutdown;
    let mut ended = watchdog.guard(http.as_mut(), finish).await;
    // After a request with Upgrade, hyper 1 ends before it has written its whole buffer, and without a
    // shutdown. It does both if it is polled again, because it forgets the upgrade with its first end.
    // No contract says so; a test in `unread_content` does.
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
    let answer = service_fn(|request| answer(request, connection, service, arrival));
    let http = http2::Builder::new(TokioExecutor::new())
        .max_concurrent_streams(32)
        .max_header_list_size(HEAD_MAX_BYTES as u32)
        // Requests carry no content here, so small windows cost nothing.
        .initial_stream_window_size(16 * 1024)
        .initial_connection_window_size(64 * 1024)
        // hyper hands over one body at a time, beyond this size too.
        .max_send_buf_size(64 * 1024)
        // h2's defaults, which WIRE-35 states: rapid reset (CVE-2023-44487) and MadeYouReset
        // (CVE-2025-8671).
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(1024)
        .serve_connection(TokioIo::new(stream), answer);
    let finish = http2::Connection::graceful_shutdown;
    let _ = watchdog.guard(pin!(http), finish).await;
}

/// The response to a request. hyper gets it at once.
fn answer(
    request: Request<Incoming>,
    connection: &Arc<OpenConnection>,
    service: &Service,
    arrival: Arrival<'_>,
) -> Ready<Result<Response<ResponseBody>, Infallible>> {
    // A test causes a panic, and observes the server (WIRE-27). cargo-fuzz enables debug assertions, but would
    // report the panic.
    #[cfg(all(debug_assertions, not(fuzzing)))]
    assert!(
        request.headers().get("inject").is_none_or(|field| field != "panic"),
        "injected by a request"
    );
    let mut response = service.answer(&request, arrival, connection);
    if request.version() == Version::HTTP_2 {
        response.body_mut().discard(request.into_body(), connection);
    } else if connection.activity.command() >= Command::Announce {
        response.headers_mut().insert(CONNECTION, CLOSE);
    }
    future::ready(Ok(response))
}
