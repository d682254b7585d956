//! Checks of the authority's responses that instant-acme leaves out.

use std::time::Duration;

use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::response::Parts;
use http::{HeaderMap, Uri};
use serde_json::Value;

/// Longest time that an authority can ask to wait. instant-acme adds it to the
/// current time, which panics if the sum is out of range.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Rejects an error response that is not an ACME problem document, and a response that
/// would make instant-acme panic. The error is the reason.
pub(super) fn check(parts: &mut Parts, body: &Bytes) -> Result<(), String> {
    if is_retry_too_late(&parts.headers) {
        parts.headers.remove(RETRY_AFTER);
    }
    let object: Value = serde_json::from_slice(body).unwrap_or_default();
    let is_error = parts.status.is_client_error() || parts.status.is_server_error();
    // An error without a problem document (RFC 8555 §6.7) comes from a proxy.
    if is_error && !object.is_object() {
        return Err(format!("answer {}", parts.status));
    }
    // instant-acme panics if this value is not a valid URL.
    match object.get("newNonce").and_then(Value::as_str) {
        Some(url) if url.parse::<Uri>().is_err() => {
            Err("the directory has no valid newNonce".to_owned())
        }
        _ => Ok(()),
    }
}

/// Dates, which are never out of range, are not parsed.
fn is_retry_too_late(headers: &HeaderMap) -> bool {
    let value = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let seconds = value.and_then(|value| value.trim().parse().ok());
    seconds.is_some_and(|seconds| RETRY_AFTER_MAX < Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Response;

    fn checked(status: u16, retry_after: &str, body: &'static str) -> Result<Parts, String> {
        let response = Response::builder().status(status).header(RETRY_AFTER, retry_after);
        let (mut parts, body) = response.body(Bytes::from(body)).unwrap().into_parts();
        check(&mut parts, &body).map(|()| parts)
    }

    #[test]
    fn errors_without_a_problem_document_are_rejected() {
        for (status, body, is_accepted) in [
            (200, "", true),
            (200, "-----BEGIN CERTIFICATE-----", true),
            (403, "{}", true),
            (403, "", false),
            (502, "<h1>Bad Gateway</h1>", false),
        ] {
            assert_eq!(checked(status, "1", body).is_ok(), is_accepted, "{status} {body}");
        }
    }

    #[test]
    fn an_acme_directory_with_an_invalid_url_for_nonces_is_rejected() {
        assert!(checked(200, "1", r#"{"newNonce":"https://ca.example/nonce"}"#).is_ok());
        assert!(checked(200, "1", r#"{"newNonce":"https://ca example/"}"#).is_err());
    }

    #[test]
    fn a_retry_after_field_that_is_out_of_range_is_ignored() {
        for (value, is_kept) in [
            ("0", true),
            ("21600", true),
            ("18446744073709551615", false),
            ("Sun, 22 Nov 2026 08:00:00 GMT", true),
        ] {
            let parts = checked(200, value, "").unwrap();
            assert_eq!(parts.headers.contains_key(RETRY_AFTER), is_kept, "{value}");
        }
    }
}
