//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future;

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
    let answer = service_fn(|request| {
        #[cfg(debug_assertions)]
        super::fault::inject(&request);
        let response = service.answer(&request, peer);
        future::ready(Ok::<_, Infallible>(response))
    });
    let stream = Patient::new(TokioIo::new(stream), limits);
    let stream = CompleteRefusals::new(stream, service.refusal_fields());
    let connection = http1::Builder::new()
        .max_buf_size(HEAD_MAX_BYTES)
        // A client that has sent all its requests still wants its answers.
        .half_close(true)
        .serve_connection(stream, answer);
    let _ = watcher.watch(connection).await;
}
