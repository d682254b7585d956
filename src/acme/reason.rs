//! Why an attempt fails, in words for the operator.

use instant_acme::{Error, Problem as AcmeProblem};

/// Maximum length of a text of the authority in characters, apart from an address that it ends with.
const REASON_MAX: usize = 300;

/// Remedies for the kinds of problems that an authority reports (RFC 8555 §6.7, RFC 9773 §7.4).
const REMEDIES: [(&str, &str); 6] = [
    ("caa", "; let the CAA record of the name allow this authority"),
    ("externalAccountRequired", "; give --acme-eab-kid and --acme-eab-key"),
    ("invalidContact", "; correct --acme-email"),
    ("unsupportedContact", "; correct --acme-email"),
    ("invalidProfile", "; correct --acme-profile"),
    ("userActionRequired", "; do on the authority's website what it asks for"),
];

/// The remedy for an account that is closed for ever.
const DEACTIVATED: &str =
    "; remove account.json from the state folder and restart, to register another account";

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
    let known = known.map(|(_, remedy)| remedy);
    // RFC 8555 §7.3.6 has no type of its own for this problem.
    let is_deactivated = is_of_kind(problem, "unauthorized")
        && problem.detail.as_ref().is_some_and(|detail| detail.contains("deactivated"));
    let known = known.or(is_deactivated.then_some(DEACTIVATED));
    let text = problem.to_string();
    let text = shortened(text.strip_prefix("API error: ").unwrap_or(&text));
    text + known.unwrap_or(remedy)
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

/// A text of the authority, cut to [`REASON_MAX`], but not within an address: a part of one leads nowhere. Each report
/// escapes control characters.
fn shortened(text: &str) -> String {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(REASON_MAX) else { return text.to_owned() };
    let word = text[..end].rfind(char::is_whitespace).unwrap_or_default();
    let is_address = text[word..].trim_start().starts_with("https://");
    let rest = text[end..].find(char::is_whitespace).unwrap_or(text.len() - end);
    let end = if is_address { end + rest } else { end };
    let mark = if end < text.len() { "…" } else { "" };
    format!("{}{mark}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_a_limited_length_and_no_address_is_cut() {
        assert_eq!(shortened(" it's \n"), "it's");
        let long = shortened(&"é".repeat(10_000));
        assert_eq!(long.chars().count(), REASON_MAX + 1);
        assert!(long.ends_with('…'));
        // As Let's Encrypt lets the owner of a paused account go on.
        let address = format!("https://portal.example/sfe/v1/unpause?jwt={}", "a".repeat(600));
        for (before, after) in [(0, ""), (299, ""), (100, " for more. ")] {
            let text = format!("{} {address}{after}", "b".repeat(before));
            assert!(shortened(&text).contains(&address), "{before}");
        }
        let late = format!("{} {address}", "b".repeat(2000));
        assert!(shortened(&late).len() < 400 && !shortened(&late).contains("https"), "{late}");
    }
}
