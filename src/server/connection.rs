//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use super::admission::OpenConnection;
use super::connection_state::Command;
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
    let work = async {
        let state = Arc::clone(&connection.state);
        let stream = TimeoutStream::new(stream, limits, state);
        let stream = RejectionStream::new(stream, service.clone(), connection.peer);
        let answer = service_fn(|request| {
            #[cfg(debug_assertions)]
            super::panic_injection::inject(&request);
            let response = service.answer(&request, &connection);
            future::ready(Ok::<_, Infallible>(response))
        });
        // The values of this block are dropped before the close, which reuses their space.
        let stream = {
            let mut http = http1::Builder::new()
                .max_buf_size(HEAD_MAX_BYTES)
                // A client may close its sending side after the last request and still
                // read the responses.
                .half_close(true)
                .serve_connection(TokioIo::new(stream), answer);
            // hyper's own shutdown is left out for requests with Upgrade, and does
            // not wait for the client.
            let _ = poll_fn(|context| http.poll_without_shutdown(context)).await;
            http.into_parts().io.into_inner().into_inner()
        };
        stream.close().await;
    };
    // Not in a function of its own: as an argument, `work` would be stored twice.
    let mut work = pin!(work);
    poll_fn(|context| {
        connection.state.register(context.waker());
        if connection.state.command() == Command::Abort {
            return Poll::Ready(());
        }
        work.as_mut().poll(context)
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::super::admission::Connections;
    use super::super::client::Peer;
    use super::super::transport::Stream;
    use super::*;
    use crate::site::{Settings, Site};

    /// Without the memory of the kernel and hyper's two buffers of 8 KiB. A value that
    /// is moved between two awaits can be stored twice.
    #[tokio::test]
    async fn a_connection_takes_less_than_2_kib() {
        let (client, _server) = tokio::net::UnixStream::pair().unwrap();
        let limits = Limits::default();
        let connection = Connections::new(&limits).admit_beyond_cap(Peer::Unix);
        let service = Service::from(Arc::new(Site::embedded(&Settings::default())));

        let task = serve(Stream::Unix(client), connection, &service, limits);

        let size = size_of_val(&task);
        assert!(size < 2048, "{size} bytes");
    }
}
