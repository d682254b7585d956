//! Panics on request, in debug builds only: a test triggers one and observes
//! the server (WIRE-27). cargo-fuzz enables debug assertions, but would report the panic.

use http::Request;

/// Panics if the request has the header field `Inject: panic`.
pub(super) fn inject<B>(request: &Request<B>) {
    let injected = request.headers().get("inject");
    assert!(injected.is_none_or(|injected| injected != "panic"), "injected by a request");
}
