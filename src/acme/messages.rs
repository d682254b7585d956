//! Messages for the operator, one line each.

use std::time::{Duration, SystemTime};

use instant_acme::{Error, Problem};

use crate::tls::{Certificate, day};

/// Maximum length of a text of the authority in characters.
const REASON_MAX: usize = 300;

/// An attempt failed. The server goes on with the certificate that it has.
pub(super) fn failed(
    domain: &str,
    current: Option<&Certificate>,
    now: SystemTime,
    reason: &str,
    next_try: SystemTime,
) -> String {
    let (problem, consequence) = match current {
        None => (
            "cannot obtain a certificate for",
            "its HTTPS connections fail until there is one".to_owned(),
        ),
        Some(current) => {
            let is = if now < current.not_after { "is valid until" } else { "expired on" };
            ("cannot renew the certificate for", format!("it {is} {}", day(current.not_after)))
        }
    };
    let delay = duration(next_try.duration_since(now).unwrap_or_default());
    format!("{problem} {domain}: {reason}; {consequence}; next attempt in {delay}")
}

/// The reason of a failure, with its remedy if the server knows one.
pub(super) fn reason(error: &Error) -> String {
    match error {
        Error::Api(problem) => reason_of(problem, ""),
        Error::Json(_) => {
            let reason = shortened(&error.to_string());
            format!("the authority's answer is not of ACME: {reason}; check --acme-directory")
        }
        _ => error.to_string(),
    }
}

/// The authority's words, with the remedy for the kind of problem (RFC 8555 §6.7), or with `remedy`.
pub(super) fn reason_of(problem: &Problem, remedy: &str) -> String {
    let kind = problem.r#type.as_deref().and_then(|kind| kind.rsplit(':').next());
    let remedy = match kind.unwrap_or_default() {
        "caa" => "; let the CAA record of the name allow this authority",
        "externalAccountRequired" => "; give --acme-eab-kid and --acme-eab-key",
        "invalidContact" | "unsupportedContact" => "; correct --acme-email",
        "invalidProfile" => "; correct --acme-profile",
        _ => remedy,
    };
    let text = problem.to_string();
    shortened(text.strip_prefix("API error: ").unwrap_or(&text)) + remedy
}

/// True if `content` is a problem document (RFC 8555 §6.7).
pub(super) fn is_problem(content: &[u8]) -> bool {
    let problem = serde_json::from_slice(content);
    problem.is_ok_and(|problem: Problem| problem.r#type.or(problem.detail).is_some())
}

/// `: ` and the words in the content of an error, which may be a problem document or the text of a proxy. Nothing
/// for a page.
pub(super) fn words(content: &[u8]) -> String {
    let text = match serde_json::from_slice::<Problem>(content) {
        Ok(problem) if problem.detail.is_some() => reason_of(&problem, ""),
        _ => shortened(&String::from_utf8_lossy(content)),
    };
    match text.is_empty() || text.starts_with('<') {
        true => String::new(),
        false => format!(": {text}"),
    }
}

/// A text of the authority, cut to [`REASON_MAX`]. Each report escapes control characters.
fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(REASON_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A duration in its largest unit, rounded up: `5m`, `6h`.
fn duration(duration: Duration) -> String {
    match duration.as_secs().div_ceil(60) {
        minutes @ ..60 => format!("{}m", minutes.max(1)),
        minutes => format!("{}h", minutes.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    /// A certificate for two domains that ends on 22 Feb 2027.
    fn certificate() -> Certificate {
        let names = ["a.example", "b.example"].map(str::to_owned);
        let mut params = CertificateParams::new(names).unwrap();
        params.not_after = date_time_ymd(2027, 2, 22);
        let key = KeyPair::generate().unwrap();
        let chain = params.self_signed(&key).unwrap().pem();
        Certificate::from_pem(chain.as_bytes(), key.serialize_pem().as_bytes()).unwrap()
    }

    #[test]
    fn a_failure_is_reported_with_its_consequence_and_the_next_try() {
        let certificate = certificate();
        let renew = "cannot renew the certificate for a.example: no answer; it";
        for (current, year, expected) in [
            (Some(&certificate), 2026, format!("{renew} is valid until 22 Feb 2027")),
            (Some(&certificate), 2028, format!("{renew} expired on 22 Feb 2027")),
            (
                None,
                2026,
                "cannot obtain a certificate for a.example: no answer; its HTTPS connections fail \
                 until there is one"
                    .to_owned(),
            ),
        ] {
            let now = date_time_ymd(year, 11, 22).into();
            let next_try = now + Duration::from_secs(300);
            let line = failed("a.example", current, now, "no answer", next_try);
            assert_eq!(line, format!("{expected}; next attempt in 5m"));
        }
    }

    #[test]
    fn a_reason_has_a_limited_length() {
        assert_eq!(shortened(" it's \n"), "it's");
        let long = shortened(&"é".repeat(10_000));
        assert_eq!(long.chars().count(), REASON_MAX + 1);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn durations_are_rounded_up() {
        for (seconds, expected) in
            [(0, "1m"), (1, "1m"), (61, "2m"), (3_540, "59m"), (3_600, "1h"), (21_599, "6h")]
        {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }
}
