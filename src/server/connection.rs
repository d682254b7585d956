//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Request;
use http::header::{CONNECTION, HeaderValue};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::Watcher;
use tokio::io::{AsyncRead, AsyncWrite};

use super::listener::Peer;
use super::patience::Patient;
use super::refusal::CompleteRefusals;
use super::{Limits, Service};

/// The most that is buffered of one request's head, in bytes; beyond it hyper
/// answers 431. Above 64 KiB, so that a target beyond hyper's own limit is
/// still read whole and gets its 414.
const HEAD_MAX_BYTES: usize = 80 * 1024;

/// Serves one connection to its end. What goes wrong with it is the client's
/// affair: it left, it was too slow, or it did not speak HTTP and was told so.
pub async fn serve<S: AsyncRead + AsyncWrite + Unpin + 'static>(
    stream: S,
    peer: Peer,
    service: Service,
    limits: Limits,
    watcher: Watcher,
) {
    let said_goodbye = Arc::new(AtomicBool::new(false));
    let answer = service_fn(|request| {
        #[cfg(debug_assertions)]
        super::fault::inject(&request);
        if is_goodbye(&request) {
            said_goodbye.store(true, Ordering::Relaxed);
        }
        let response = service.answer(&request, peer);
        future::ready(Ok::<_, Infallible>(response))
    });
    let stream = Patient::new(TokioIo::new(stream), limits, Arc::clone(&said_goodbye));
    let stream = CompleteRefusals::new(stream, service.refusal_fields());
    let connection = http1::Builder::new()
        .max_buf_size(HEAD_MAX_BYTES)
        // A client that has sent all its requests still wants its answers.
        .half_close(true)
        .serve_connection(stream, answer);
    let _ = watcher.watch(connection).await;
}

/// Whether nothing comes after this request's head, by the client's own word
/// (RFC 9112 §9.6). To overlook a list that says so costs a moment's linger.
fn is_goodbye(request: &Request<Incoming>) -> bool {
    let says_close = |field: &HeaderValue| field.as_bytes().eq_ignore_ascii_case(b"close");
    request.headers().get(CONNECTION).is_some_and(says_close) && request.body().is_end_stream()
}
