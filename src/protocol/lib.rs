//! HTTP/1 and HTTP/2 by hyper, with the limits of WIRE-19 and WIRE-35.
//!
//! This is a crate of its own because it alone is optimised for speed (DECISION-30): the compiler
//! generates hyper's and h2's code where their type parameters are known, so they are known here, as
//! trait objects.

use std::convert::Infallible;
use std::future::{self, Future};
use std::pin::Pin;

use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::server::conn::{http1, http2};
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};

/// Maximum bytes of one request's head; beyond it hyper answers 431 (WIRE-19).
const HEAD_MAX_BYTES: usize = 16 * 1024;

/// A byte stream that a connection can be served on: TCP, Unix, TLS, or in memory.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// The content of a response.
pub type ResponseBody = UnsyncBoxBody<Box<dyn Buf + Send>, Infallible>;

/// Answers a request, at once.
pub type Answer<'a> = dyn Fn(Request<Incoming>) -> Response<ResponseBody> + Sync + 'a;

/// The work of one connection, until it ends.
pub trait Connection: Future<Output = hyper::Result<()>> + Send {
    /// Ends the connection once the requests that were begun are answered.
    fn finish(self: Pin<&mut Self>);
}

/// Serves HTTP/1.1 and 1.0.
pub fn http1<'a>(
    transport: Box<dyn Transport>,
    answer: &'a Answer<'a>,
) -> Pin<Box<dyn Connection + 'a>> {
    Box::pin(
        http1::Builder::new()
            .max_buf_size(HEAD_MAX_BYTES)
            // The size of the buffer alone is not exact.
            .max_header_size(HEAD_MAX_BYTES)
            // A client may close its sending side after the last request and still
            // read the responses.
            .half_close(true)
            .serve_connection(
                TokioIo::new(transport),
                service_fn(|request| future::ready(Ok::<_, Infallible>(answer(request)))),
            ),
    )
}

/// Serves HTTP/2. The limits bound the memory of a connection, and end one that floods (WIRE-35).
pub fn http2<'a>(
    transport: Box<dyn Transport>,
    answer: &'a Answer<'a>,
) -> Pin<Box<dyn Connection + 'a>> {
    Box::pin(
        http2::Builder::new(TokioExecutor::new())
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
            .serve_connection(
                TokioIo::new(transport),
                service_fn(|request| future::ready(Ok::<_, Infallible>(answer(request)))),
            ),
    )
}

impl<I, B, S> Connection for http1::Connection<I, S>
where
    I: Read + Write + Unpin + Send,
    B: Body<Error = Infallible> + Send + 'static,
    B::Data: Send,
    S: HttpService<Incoming, ResBody = B, Error = Infallible> + Send,
    S::Future: Send,
{
    fn finish(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl<I, B, S> Connection for http2::Connection<I, S, TokioExecutor>
where
    I: Read + Write + Unpin + Send,
    B: Body<Error = Infallible> + Send + 'static,
    B::Data: Send,
    S: HttpService<Incoming, ResBody = B, Error = Infallible> + Send,
    S::Future: Send + 'static,
{
    fn finish(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}
