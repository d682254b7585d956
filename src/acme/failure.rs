//! Why a request to the authority failed, as text for people (HTTP-34).

use std::fmt;

use instant_acme::{Error, Problem};

/// Maximum length of a text of the authority in characters.
const LINE_MAX: usize = 300;

/// The prefix of all types of problems (RFC 8555 §6.7).
const TYPE_PREFIX: &str = "urn:ietf:params:acme:error:";

/// A failure that the authority did not report itself: it was not reached, or its
/// answer makes no sense.
#[derive(Debug)]
pub(super) struct Unreachable(pub(super) String);

impl fmt::Display for Unreachable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unreachable {}

/// An error with the message `text`.
pub(super) fn error(text: impl Into<String>) -> Error {
    Error::Other(text.into().into())
}

/// True if the authority reports a problem of the type `name` (RFC 8555 §6.7).
pub(super) fn is_problem(error: &Error, name: &str) -> bool {
    let Error::Api(Problem { r#type: Some(kind), .. }) = error else { return false };
    kind.strip_prefix(TYPE_PREFIX) == Some(name)
}

/// True if there was no valid answer to the request (see [`Unreachable`]).
pub(super) fn is_unreachable(error: &Error) -> bool {
    matches!(error, Error::Other(cause) if cause.is::<Unreachable>())
}

/// The reason, as [`one_line`].
pub(super) fn reason(error: &Error) -> String {
    match error {
        Error::Api(problem) => one_line(&detail(problem)),
        error => one_line(&error.to_string()),
    }
}

/// A text of the authority in one line without control characters, cut to a sane length.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for (position, character) in text.trim().chars().enumerate() {
        if position == LINE_MAX {
            line.push('…');
            break;
        }
        match character {
            '"' | '\'' | '\\' => line.push(character),
            // Leaves printable characters as they are.
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

/// The authority's description of a problem and its subproblems.
pub(super) fn detail(problem: &Problem) -> String {
    let detail = problem.detail.as_deref().or(problem.r#type.as_deref());
    let mut text = detail.unwrap_or("the authority gives no reason").to_owned();
    for part in &problem.subproblems {
        let name = part.identifier.as_ref().map(|name| name.authorized(false).to_string());
        let name = name.as_deref().unwrap_or("also");
        text += &format!("; {name}: {}", part.detail.as_deref().unwrap_or("no reason"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(json: &str) -> Error {
        Error::Api(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn the_detail_of_a_problem_is_the_reason() {
        for (json, expected) in [
            (
                r#"{"type":"urn:ietf:params:acme:error:caa","detail":"CAA forbids it"}"#,
                "CAA forbids it",
            ),
            (r#"{"type":"urn:ietf:params:acme:error:caa"}"#, "urn:ietf:params:acme:error:caa"),
            ("{}", "the authority gives no reason"),
            (
                r#"{"detail":"rejected","subproblems":[{"detail":"blocked","identifier":{"type":"dns","value":"a.example"}}]}"#,
                "rejected; a.example: blocked",
            ),
            (
                r#"{"detail":"two\nlines \u001b[31m \u202e it's"}"#,
                r"two\nlines \u{1b}[31m \u{202e} it's",
            ),
        ] {
            assert_eq!(reason(&problem(json)), expected);
        }
    }

    #[test]
    fn a_long_reason_of_a_failure_is_cut_off_and_marked() {
        let long = reason(&error("é".repeat(10_000)));
        assert_eq!(long.chars().count(), LINE_MAX + 1);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn problems_are_recognised_by_their_type() {
        let nonce = problem(r#"{"type":"urn:ietf:params:acme:error:badNonce"}"#);
        assert!(is_problem(&nonce, "badNonce"));
        assert!(!is_problem(&nonce, "malformed"));
        assert!(!is_problem(&error("badNonce"), "badNonce"));
    }

    #[test]
    fn only_a_missing_answer_makes_an_authority_unreachable() {
        assert!(is_unreachable(&Error::Other(Box::new(Unreachable("refused".to_owned())))));
        assert!(!is_unreachable(&error("replaces field mismatch")));
        assert!(!is_unreachable(&problem("{}")));
    }
}
