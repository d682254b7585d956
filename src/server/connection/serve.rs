//! Serves one connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Ready, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;

use http::header::{CONNECTION, HeaderValue};
use http::{Request, Response, StatusCode, Version};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio_rustls::TlsAcceptor;

use super::activity::Activity;
use super::body::ResponseBytes;
use super::http2::serve_http2;
use super::service::Service;
use super::socket::{ByteStream, ClientSocket, MaybeTls};
use super::watchdog::{Verdict, Watchdog};
use crate::http::Arrival;
use crate::server::admission::{Permit, Phase};
use crate::server::limits::{HEAD_MAX_BYTES, Limits, WRITE_MAX_BYTES};
use crate::server::scheme::Scheme;
use crate::tls::{ACME_TLS_ALPN, HTTP2_ALPN};

/// Marks the last response of a connection (RFC 9112 §9.6).
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// Serves one connection until it ends, exceeds a limit or is aborted. An error on it concerns this
/// client only: it left, or did not send HTTP and got a response saying so. `version` is HTTP/2 only
/// in tests, as if a handshake had agreed on it.
pub(in crate::server) async fn serve(
    transport: Box<dyn ByteStream>,
    scheme: Scheme,
    version: Version,
    permit: Permit,
    service: &Service,
    limits: Limits,
) {
    let activity = Rc::new(Activity::new(permit));
    let socket = ClientSocket::new(transport, Rc::clone(&activity));
    let watchdog = Watchdog::new(&activity, limits);
    match service.acceptor() {
        Some(tls) if scheme == Scheme::Https => {
            Box::pin(serve_tls(socket, &activity, tls, service, watchdog)).await;
        }
        _ if version == Version::HTTP_2 => {
            let arrival = Arrival::Tls { server_name: None };
            serve_http2(MaybeTls::Left(socket), &activity, service, arrival, watchdog).await;
        }
        _ => {
            let arrival = Arrival::Plain;
            serve_http1(MaybeTls::Left(socket), &activity, service, arrival, watchdog).await;
        }
    }
}

/// Serves one connection with the protocol that its handshake agrees on.
async fn serve_tls(
    mut socket: ClientSocket,
    activity: &Rc<Activity>,
    tls: &TlsAcceptor,
    service: &Service,
    mut watchdog: Watchdog<'_>,
) {
    let Some(Ok(first)) = watchdog.complete(pin!(socket.peek())).await else { return };
    // A method begins with a letter, a handshake with 22 (RFC 8446 §5.1).
    if first.is_ascii_alphabetic() {
        let (stream, arrival) = (MaybeTls::Left(socket), Arrival::PlainOnTlsPort);
        return serve_http1(stream, activity, service, arrival, watchdog).await;
    }
    let handshake = tls.accept_with(socket, |tls| {
        // What TLS buffers already counts as sent, so the limit is small.
        tls.set_buffer_limit(Some(WRITE_MAX_BYTES));
    });
    let Some(Ok(stream)) = watchdog.complete(pin!(handshake)).await else { return };
    let server_name = stream.get_ref().1.server_name().map(str::to_owned);
    let arrival = Arrival::Tls { server_name: server_name.as_deref() };
    let protocol = stream.get_ref().1.alpn_protocol();
    // The authority has seen the certificate of its challenge (RFC 8737 §3).
    if protocol == Some(ACME_TLS_ALPN) {
        return;
    }
    let is_http2 = protocol == Some(HTTP2_ALPN);
    let stream = MaybeTls::Right(Box::new(stream));
    if is_http2 {
        serve_http2(stream, activity, service, arrival, watchdog).await;
    } else {
        serve_http1(stream, activity, service, arrival, watchdog).await;
    }
}

/// Serves a connection with HTTP/1.1 or 1.0.
async fn serve_http1(
    stream: MaybeTls,
    activity: &Rc<Activity>,
    service: &Service,
    arrival: Arrival<'_>,
    mut watchdog: Watchdog<'_>,
) {
    let answer = service_fn(|request| answer(&request, activity, service, arrival));
    let mut http = http1::Builder::new()
        .max_buf_size(HEAD_MAX_BYTES)
        // The size of the buffer alone is not exact.
        .max_header_size(HEAD_MAX_BYTES)
        // A client may close its sending side after the last request and still read the responses.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), answer);
    loop {
        let serving = pin!(poll_fn(|context| http.poll_without_shutdown(context)));
        match watchdog.guard(serving).await {
            Verdict::Finish => Pin::new(&mut http).graceful_shutdown(),
            Verdict::Abort => return,
            Verdict::Done(ended) => {
                // Logged at once, because the client may take its time with what follows. hyper sends
                // no response to the preface of HTTP/2.
                if let Err(error) = ended
                    && error.is_parse()
                    && !error.is_parse_version_h2()
                {
                    let status = if error.is_parse_too_large() {
                        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
                    } else {
                        StatusCode::BAD_REQUEST
                    };
                    service.log_rejection(status, activity.permit.peer);
                }
                break;
            }
        }
    }
    // Writes the rest of the buffer, even after a request with Upgrade, which hyper forgets with its
    // first end. No contract says so; a test in `http1` does.
    watchdog.complete(pin!(http)).await;
}

/// The response to a request with HTTP/1.1 or 1.0. hyper gets it at once.
fn answer(
    request: &Request<Incoming>,
    activity: &Rc<Activity>,
    service: &Service,
    arrival: Arrival<'_>,
) -> Ready<Result<Response<Full<ResponseBytes>>, Infallible>> {
    let mut response = service.answer(request, arrival, activity).map(Full::new);
    if activity.notice.get().phase >= Phase::Announce {
        response.headers_mut().insert(CONNECTION, CLOSE);
    }
    future::ready(Ok(response))
}
