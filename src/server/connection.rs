//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::{self, Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Poll, ready};

use http::header::{CONNECTION, HeaderValue};
use http::{Request, StatusCode};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::admission::{Command, OpenConnection, Phase};
use super::http2;
use super::limits::Limits;
use super::listen::Scheme;
use super::rejection::RejectionStream;
use super::service::{HttpsService, Service, Services};
use super::time_limits::{DeadlineTimer, TimeoutStream, WriteTimeoutStream};
use super::transport::Transport;
use crate::tls::{ACME_TLS_ALPN, HTTP2_ALPN};

/// Maximum buffered bytes of one request's head; beyond it hyper answers 431.
/// Above 64 KiB, so that a target beyond hyper's own limit is still read whole
/// and gets its 414 (HTTP-19).
const HEAD_MAX_BYTES: usize = 80 * 1024;

/// Marks the last response of a connection (RFC 9112 §9.6).
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// Maximum bytes that TLS buffers for the socket. This is enough for a DATA frame of HTTP/2
/// with its head, and the head of a response. With less, the rest of the frame would need
/// a system call of its own (DECISION-53).
const TLS_BUFFER_BYTES: usize = 17 * 1024;

/// Serves one connection until it ends or is aborted. An error on it concerns
/// this client only: it left, exceeded a limit, or did not send HTTP and got a
/// response saying so.
pub(super) async fn serve(
    stream: impl Transport,
    scheme: Scheme,
    connection: OpenConnection,
    services: &Services,
    limits: Limits,
) {
    let work = async {
        let state = Arc::clone(&connection.state);
        let stream = WriteTimeoutStream::new(stream, &limits, state);
        match &services.https {
            // In a box, so that a connection without TLS takes no space for it.
            Some(https) if scheme == Scheme::Https => {
                Box::pin(serve_tls(stream, &connection, https, limits)).await;
            }
            _ => serve_http1(stream, Scheme::Http, &connection, &services.http, limits).await,
        }
    };
    // Inline: as the argument of a function, `work` would take its space twice.
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

/// Serves one connection with the protocol that its handshake agrees on.
async fn serve_tls(
    stream: WriteTimeoutStream<impl Transport>,
    connection: &OpenConnection,
    https: &HttpsService,
    limits: Limits,
) {
    let Some(stream) = handshake(stream, connection, &https.tls, limits).await else { return };
    match stream.get_ref().1.alpn_protocol() {
        // The authority has seen the certificate of its challenge (RFC 8737 §3).
        Some(ACME_TLS_ALPN) => {}
        Some(HTTP2_ALPN) => http2::serve(stream, connection, &https.service, limits).await,
        _ => serve_http1(stream, Scheme::Https, connection, &https.service, limits).await,
    }
}

/// Returns no stream if the handshake fails or takes longer than a head may take
/// (HTTP-25), or if the server ends the connection.
async fn handshake<S: Transport>(
    stream: WriteTimeoutStream<S>,
    connection: &OpenConnection,
    tls: &TlsAcceptor,
    limits: Limits,
) -> Option<Box<TlsStream<WriteTimeoutStream<S>>>> {
    let state = &connection.state;
    let (_, opened) = state.phase();
    let mut handshake = pin!(tls.accept_with(stream, |tls| {
        // What TLS buffers already counts as sent, so the limit is small (DECISION-53).
        tls.set_buffer_limit(Some(TLS_BUFFER_BYTES));
    }));
    let deadline = opened + limits.header_timeout;
    let mut timer = DeadlineTimer::new(deadline);
    let stream = poll_fn(|context| {
        if let Poll::Ready(accepted) = handshake.as_mut().poll(context) {
            return Poll::Ready(accepted.ok());
        }
        let stream = handshake.get_ref();
        let is_ending = match state.command() {
            Command::Serve => false,
            Command::Finish => stream.is_some_and(WriteTimeoutStream::is_silent),
            Command::Abort => true,
            // Data may have arrived that the runtime does not know of yet: the end of the
            // handshake, and a request.
            _ => !stream.is_some_and(WriteTimeoutStream::has_unread_data),
        };
        if is_ending { Poll::Ready(None) } else { timer.poll(deadline, context).map(|()| None) }
    })
    .await?;
    // The head has the rest of the time, even if a write had to wait and changed the phase.
    state.enter(Phase::Head, opened);
    // In a box, because each future that it is passed on to reserves space for it.
    Some(Box::new(stream))
}

/// Serves a connection with HTTP/1.1 or 1.0 (DECISION-7).
async fn serve_http1(
    stream: impl Transport,
    scheme: Scheme,
    connection: &OpenConnection,
    service: &Service,
    limits: Limits,
) {
    let state = Arc::clone(&connection.state);
    let stream = TimeoutStream::new(stream, scheme, limits, state);
    let stream = RejectionStream::new(stream, service.clone(), connection.peer);
    let answer = service_fn(|request: Request<Incoming>| {
        #[cfg(all(debug_assertions, not(fuzzing)))]
        super::panic_injection::inject(&request);
        if !request.body().is_end_stream() {
            connection.state.skip_content();
        }
        let mut response = service.answer(&request, connection.peer);
        if connection.is_ending() {
            response.headers_mut().insert(CONNECTION, CLOSE);
        }
        future::ready(Ok::<_, Infallible>(response))
    });
    // The block drops hyper's connection, so that closing can use the same space.
    let ended = {
        let mut http = http1::Builder::new()
            .max_buf_size(HEAD_MAX_BYTES)
            // The size of the buffer alone is not exact.
            .max_header_size(HEAD_MAX_BYTES)
            // A client may close its sending side after the last request and still
            // read the responses.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), answer);
        // After a request with Upgrade, hyper ends before it has written its whole buffer. It
        // writes the rest if it is polled again.
        let mut has_ended = false;
        let ended = poll_fn(|context| {
            let mut ended = ready!(Pin::new(&mut http).poll(context));
            if ended.is_ok() && !std::mem::replace(&mut has_ended, true) {
                ended = ready!(Pin::new(&mut http).poll(context));
            }
            Poll::Ready(ended)
        })
        .await;
        let mut stream = http.into_parts().io.into_inner();
        // hyper sends no response to the preface of HTTP/2.
        if ended.is_err_and(|error| error.is_parse_version_h2()) {
            // In a box, because it is rare.
            Err(Box::pin(async move {
                stream.reject(StatusCode::BAD_REQUEST).await;
                stream.into_inner().close().await;
            }))
        } else {
            Ok(stream.into_inner())
        }
    };
    match ended {
        Ok(stream) => stream.close().await,
        Err(rejection) => rejection.await,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::super::admission::Connections;
    use super::super::client::Peer;
    use super::super::transport::Stream;
    use super::*;
    use crate::site::{Settings, Site};
    use crate::tls::server_config;

    fn service() -> Service {
        Service::from(Arc::new(Site::embedded(&Settings::default())))
    }

    fn tls() -> TlsAcceptor {
        TlsAcceptor::from(server_config(Arc::default()).unwrap())
    }

    /// Without the memory of the kernel and hyper's two buffers of 8 KiB. A value that
    /// is moved between two awaits can be stored twice.
    #[tokio::test]
    async fn a_connection_takes_less_than_2_kib() {
        let limits = Limits::default();
        let connection = Connections::new(&limits).admit_beyond_cap(Peer::Unix);
        let services = Services::from(Arc::new(Site::embedded(&Settings::default())));

        let task = serve(Stream::with_client().1, Scheme::Http, connection, &services, limits);

        let size = size_of_val(&task);
        assert!(size < 2048, "{size} bytes");
    }

    /// Without the session of TLS and the dynamic tables of HPACK.
    #[tokio::test]
    async fn tls_and_http2_take_less_than_2_5_kib_more() {
        let limits = Limits::default();
        let connection = Connections::new(&limits).admit_beyond_cap(Peer::Unix);
        let https = HttpsService { tls: tls(), service: service() };
        let state = Arc::clone(&connection.state);
        let stream = WriteTimeoutStream::new(Stream::with_client().1, &limits, state);

        let size = size_of_val(&serve_tls(stream, &connection, &https, limits));
        assert!(size < 2560, "{size} bytes");
    }

    /// At the cap, admission tells the connection to end, without a drain.
    #[tokio::test]
    async fn the_response_on_a_connection_that_gives_way_announces_the_end() {
        let limits = Limits::default();
        let connections = Connections::new(&limits);
        let connection = connections.admit_beyond_cap(Peer::Unix);
        let services = Services::from(Arc::new(Site::embedded(&Settings::default())));
        let (mut client, stream) = Stream::with_client();
        client.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        connections.give_all(Command::Finish);

        serve(stream, Scheme::Http, connection, &services, limits).await;

        let mut response = String::new();
        client.read_to_string(&mut response).unwrap();
        assert!(response.contains("\r\nconnection: close\r\n"), "{response}");
    }

    /// At the end of the server. What the client sends next is a part of a handshake or of the
    /// preface of HTTP/2.
    #[tokio::test]
    async fn handshake_data_that_the_runtime_does_not_know_of_yet_is_read() {
        for is_tls in [true, false] {
            let limits = Limits::default();
            let connections = Connections::new(&limits);
            let connection = connections.admit_beyond_cap(Peer::Unix);
            let (mut client, stream) = Stream::with_client();
            let stream = WriteTimeoutStream::new(stream, &limits, Arc::clone(&connection.state));
            let (tls, service) = (tls(), service());
            let mut work: Pin<Box<dyn Future<Output = ()>>> = match is_tls {
                true => {
                    Box::pin(async { drop(handshake(stream, &connection, &tls, limits).await) })
                }
                false => Box::pin(http2::serve(stream, &connection, &service, limits)),
            };
            let mut goes_on = async || {
                poll_fn(|context| Poll::Ready(work.as_mut().poll(context).is_pending())).await
            };
            assert!(goes_on().await);
            // Until then, the socket is not known to take the server's settings either.
            tokio::task::yield_now().await;
            assert!(goes_on().await);

            client.write_all(if is_tls { b"\x16\x03\x01" } else { b"PRI" }).unwrap();
            connections.give_all(Command::Finish);
            assert!(goes_on().await, "unread data was ignored: {is_tls}");
            tokio::task::yield_now().await;
            assert!(goes_on().await, "a handshake that has begun was ended: {is_tls}");
            client.write_all(if is_tls { b"\x02" } else { b" * " }).unwrap();
            connections.give_all(Command::Yield);
            assert!(goes_on().await, "unread data was ignored at the end: {is_tls}");
            tokio::task::yield_now().await;
            assert!(!goes_on().await, "an incomplete handshake was not ended: {is_tls}");
        }
    }
}
