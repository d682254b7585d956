//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use super::admission::OpenConnection;
use super::connection_state::{Command, ConnectionState};
use super::limits::Limits;
use super::rejection::RejectionStream;
use super::service::Service;
use super::timeout_stream::TimeoutStream;
use super::transport::Transport;

/// Maximum buffered bytes of one request's head; beyond it hyper answers 431.
/// Above 64 KiB, so that a target beyond hyper's own limit is still read whole
/// and gets its 414 (HTTP-19).
const HEAD_MAX_BYTES: usize = 80 * 1024;

/// Serves one connection to its end. An error on it concerns this client only:
/// it left, exceeded a limit, or did not send HTTP and got a response saying so.
pub(super) async fn serve(
    stream: impl Transport,
    connection: OpenConnection,
    service: &Service,
    limits: Limits,
) {
    let state = &connection.state;
    unless_aborted(state, async {
        let stream = TimeoutStream::new(stream, limits, state.clone());
        let stream = RejectionStream::new(stream, service.clone(), connection.peer);
        let answer = service_fn(|request| {
            #[cfg(debug_assertions)]
            super::panic_injection::inject(&request);
            let response = service.answer(&request, &connection);
            future::ready(Ok::<_, Infallible>(response))
        });
        let mut http = http1::Builder::new()
            .max_buf_size(HEAD_MAX_BYTES)
            // A client that has sent its last request still reads responses.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), answer);
        // hyper's own shutdown is left out for requests with Upgrade, and does
        // not wait for the client.
        let _ = poll_fn(|context| http.poll_without_shutdown(context)).await;
        http.into_parts().io.into_inner().into_inner().close().await;
    })
    .await;
}

/// Runs `work` until it ends or the connection is aborted.
async fn unless_aborted(state: &ConnectionState, work: impl Future<Output = ()>) {
    let mut work = pin!(work);
    poll_fn(|context| {
        state.register(context.waker());
        if state.command() == Command::Abort {
            return Poll::Ready(());
        }
        Pin::as_mut(&mut work).poll(context)
    })
    .await;
}
