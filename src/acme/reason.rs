//! Why an attempt fails, in words for the operator.

use instant_acme::{Error, Problem as AcmeProblem};

/// Maximum length of a text of the authority in characters.
const REASON_MAX: usize = 300;

/// Remedies for the kinds of problems that an authority reports (RFC 8555 §6.7, RFC 9773 §7.4).
const REMEDIES: [(&str, &str); 5] = [
    ("caa", "; let the CAA record of the name allow this authority"),
    ("externalAccountRequired", "; give --acme-eab-kid and --acme-eab-key"),
    ("invalidContact", "; correct --acme-email"),
    ("unsupportedContact", "; correct --acme-email"),
    ("invalidProfile", "; correct --acme-profile"),
];

/// Why an attempt fails: an error of instant-acme, or any other.
pub(super) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The cause in words, with its remedy if the server knows one.
pub(super) fn reason(cause: &Cause) -> String {
    match cause.downcast_ref() {
        Some(Error::Api(problem)) => reason_of(problem, ""),
        Some(Error::Json(_)) => {
            let reason = shortened(&cause.to_string());
            format!(
                "the authority's answer is not an ACME response: {reason}; check --acme-directory"
            )
        }
        _ => cause.to_string(),
    }
}

/// The authority's words, with the remedy for the kind of problem, or with `remedy`.
pub(super) fn reason_of(problem: &AcmeProblem, remedy: &str) -> String {
    let known = REMEDIES.into_iter().find(|(kind, _)| is_of_kind(problem, kind));
    let text = problem.to_string();
    let text = shortened(text.strip_prefix("API error: ").unwrap_or(&text));
    text + known.map_or(remedy, |(_, remedy)| remedy)
}

/// True if `problem` is of a `kind` of RFC 8555 §6.7.
pub(super) fn is_of_kind(problem: &AcmeProblem, kind: &str) -> bool {
    problem.r#type.as_deref().and_then(|urn| urn.rsplit(':').next()) == Some(kind)
}

/// The problem document in `content` (RFC 8555 §6.7).
pub(super) fn problem_in(content: &[u8]) -> Option<AcmeProblem> {
    serde_json::from_slice(content).ok().filter(|problem: &AcmeProblem| problem.r#type.is_some())
}

/// `: ` and the words in the content of an error, which may be a problem document or the text of a
/// proxy. Nothing for a page.
pub(super) fn words(content: &[u8]) -> String {
    let text = match problem_in(content) {
        Some(problem) => reason_of(&problem, ""),
        None => shortened(&String::from_utf8_lossy(content)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_a_limited_length() {
        assert_eq!(shortened(" it's \n"), "it's");
        let long = shortened(&"é".repeat(10_000));
        assert_eq!(long.chars().count(), REASON_MAX + 1);
        assert!(long.ends_with('…'));
    }
}
