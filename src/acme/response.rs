//! Checks of the authority's responses that instant-acme leaves out.

use std::time::Duration;

use bytes::Bytes;
use http::header::{HeaderValue, RETRY_AFTER};
use http::response::Parts;
use http::{HeaderMap, Uri};
use serde_json::Value;

/// Longest time in seconds that an authority can ask to wait. instant-acme adds it to the
/// current time, which panics if the sum is out of range.
const RETRY_AFTER_MAX: u64 = 30 * 24 * 60 * 60;

/// Time to the next request for a suggestion if the authority names none (RFC 9773 §4.3.3).
pub(super) const RETRY_AFTER_DEFAULT: Duration = Duration::from_secs(6 * 60 * 60);

/// Rejects an error response that is not an ACME problem document, and a response that
/// would make instant-acme panic. The error is the reason.
pub(super) fn check(parts: &mut Parts, body: &Bytes) -> Result<(), String> {
    let object: Value = serde_json::from_slice(body).unwrap_or_default();
    let is_error = parts.status.is_client_error() || parts.status.is_server_error();
    let is_suggestion = object.get("suggestedWindow").is_some();
    correct_retry_after(&mut parts.headers, is_suggestion, is_error);
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

/// Corrects a Retry-After field that is missing, not valid, or above the maximum: without a valid
/// one, instant-acme ignores a suggestion of a renewal, and an error in place of one. A suggestion
/// whose number is above the maximum gets the maximum; other suggestions, and errors, get the
/// default. From any other response, a number above the maximum is removed. Dates stay.
fn correct_retry_after(headers: &mut HeaderMap, is_suggestion: bool, is_error: bool) {
    let value = headers.get(RETRY_AFTER).and_then(|value| Some(value.to_str().ok()?.trim()));
    let seconds: Option<u64> = value.and_then(|value| value.parse().ok());
    let is_date = value.is_some_and(|value| httpdate::parse_http_date(value).is_ok());
    let is_too_late = seconds.is_some_and(|seconds| seconds > RETRY_AFTER_MAX);
    if is_suggestion && is_too_late {
        headers.insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_MAX));
    } else if is_suggestion || is_error {
        if is_too_late || (seconds.is_none() && !is_date) {
            headers.insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_DEFAULT.as_secs()));
        }
    } else if is_too_late {
        headers.remove(RETRY_AFTER);
    }
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
    fn a_retry_after_field_that_is_out_of_range_is_replaced_or_removed() {
        let suggestion = r#"{"suggestedWindow":{}}"#;
        let date = "Sun, 22 Nov 2026 08:00:00 GMT";
        for (body, value, expected) in [
            ("", "0", Some("0")),
            ("", "21600", Some("21600")),
            ("", "2592001", None),
            ("", "18446744073709551615", None),
            ("", date, Some(date)),
            ("", "soon", Some("soon")),
            (suggestion, "18446744073709551615", Some("2592000")),
            (suggestion, date, Some(date)),
            (suggestion, "soon", Some("21600")),
            (suggestion, "18446744073709551616", Some("21600")),
        ] {
            let parts = checked(200, value, body).unwrap();
            let value_after = parts.headers.get(RETRY_AFTER).map(|value| value.to_str().unwrap());
            assert_eq!(value_after, expected, "{value} {body}");
        }
    }

    #[test]
    fn a_suggestion_and_a_problem_without_a_retry_after_field_get_one() {
        for (status, body, is_added) in [
            (200, r#"{"suggestedWindow":{}}"#, true),
            (404, r#"{"detail":"unknown certificate"}"#, true),
            (200, r#"{"status":"processing"}"#, false),
        ] {
            let response = Response::builder().status(status).body(Bytes::from(body)).unwrap();
            let (mut parts, body) = response.into_parts();
            check(&mut parts, &body).unwrap();
            assert_eq!(parts.headers.contains_key(RETRY_AFTER), is_added, "{status}");
        }
    }
}
