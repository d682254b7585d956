//! Faults on demand, in debug builds alone: a test asks for one to see what
//! the server makes of it.

use http::Request;

/// Panics where the request has the field `Fault: panic`.
pub(super) fn inject<B>(request: &Request<B>) {
    let fault = request.headers().get("fault");
    assert!(fault.is_none_or(|fault| fault != "panic"), "a fault was asked for");
}
