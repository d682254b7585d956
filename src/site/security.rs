//! Security header fields (WIRE-22, WIRE-23, DECISION-5).

use std::borrow::Cow;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use ring::digest::{SHA256, digest};

use super::file::{File, permanent};
use super::kind::{CachePolicy, Kind, content_type};
use super::settings::Settings;

/// The fields of documents, with places for what depends on the document and on the settings.
const DOCUMENT_FIELDS: &str = include_str!("document-fields.txt");

/// The field that says which sites may show a file (Fetch §3.7).
pub(crate) const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Fields of documents that browsers ignore outside a secure context, and report as an error.
const CROSS_ORIGIN_OPENER_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-opener-policy");
const ORIGIN_AGENT_CLUSTER: HeaderName = HeaderName::from_static("origin-agent-cluster");

/// The fields that only a visitor over HTTPS gets: the two above, and Strict-Transport-Security
/// (RFC 6797 §7.2).
pub(crate) const ONLY_OVER_HTTPS: [HeaderName; 3] =
    [STRICT_TRANSPORT_SECURITY, CROSS_ORIGIN_OPENER_POLICY, ORIGIN_AGENT_CLUSTER];

/// An SVG file can be opened as a document. It then runs no script and loads no file.
const SVG_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

/// Files that audit tools such as Lighthouse fetch from inside the page.
const FETCHED_BY_AUDITS: [&str; 2] = ["/robots.txt", "/llms.txt"];

/// The fields that a 304 shares with the 200, besides those of caching (WIRE-13). A client keeps
/// all other fields of the 200 that it stored, and they are current: the ETag covers them (WIRE-1).
pub(super) const NOT_MODIFIED: [HeaderName; 2] =
    [X_CONTENT_TYPE_OPTIONS, STRICT_TRANSPORT_SECURITY];

/// The security header fields of every response of a site with `settings`.
pub(super) fn every_response(settings: &Settings) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(16);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    if let Some(time) = settings.hsts {
        let value = permanent(format!("max-age={}", time.as_secs()));
        headers.insert(STRICT_TRANSPORT_SECURITY, value);
    }
    headers
}

/// The security header fields of `file`.
pub(super) fn headers(file: &File, cache: CachePolicy, settings: &Settings) -> HeaderMap {
    let mut headers = every_response(settings);
    match Kind::of(&file.path) {
        Kind::Other => {}
        Kind::Svg => {
            headers.insert(CONTENT_SECURITY_POLICY, SVG_POLICY);
        }
        Kind::Document => headers.extend(document_fields(settings, &file.content.bytes())),
    }
    // With a fixed name: other sites show icons, and the picture for social networks, beside a
    // link.
    if cache == CachePolicy::Short && content_type(&file.path).starts_with("image/") {
        let shared = HeaderValue::from_static("cross-origin");
        headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, shared);
    }
    headers
}

/// The fields of a document. Its policy allows its inline styles and scripts by their hash.
fn document_fields(settings: &Settings, markup: &[u8]) -> HeaderMap {
    let markup = str::from_utf8(markup).map_or_else(|_| String::from_utf8_lossy(markup), Cow::from);
    let styles = match sources(&markup, "<style", "</style") {
        styles if styles.is_empty() => " 'none'".to_owned(),
        styles => styles,
    };
    let text = DOCUMENT_FIELDS
        .replace("\n ", " ")
        .replace("{scripts}", &sources(&markup, "<script", "</script"))
        .replace("{styles}", &styles)
        .replace("{connect}", &connect_sources(settings))
        .replace("{forms}", settings.contact_source().as_deref().unwrap_or("'none'"));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let field = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((HeaderName::from_str(name).ok()?, permanent(value.to_owned())))
    };
    lines.map(|line| field(line).expect("a field with its value")).collect()
}

/// Pages make no calls, except that the contact form may send its message, and that audit tools
/// fetch files if the origin is known. CSP cannot express an IPv6 address (Level 3 §2.3.1).
fn connect_sources(settings: &Settings) -> String {
    let origin = settings.origin.iter().filter(|origin| !origin.0.contains('['));
    let audited = origin.flat_map(|origin| FETCHED_BY_AUDITS.map(|path| format!("{origin}{path}")));
    let sources: Vec<_> = settings.contact_source().into_iter().chain(audited).collect();
    if sources.is_empty() { "'none'".to_owned() } else { sources.join(" ") }
}

/// The source expressions of inline elements, each after a space (CSP Level 3 §2.3.1). Browsers
/// hash the text up to the end tag (§6.7.3.3). A script with a `src` has no content, and a data
/// block, such as JSON-LD, is not run: neither needs a hash.
fn sources(markup: &str, open: &str, close: &str) -> String {
    let mut sources = String::new();
    let mut rest = markup;
    while let Some((_, element)) = rest.split_once(open)
        && let Some((attributes, element)) = element.split_once('>')
        && let Some((content, after)) = element.split_once(close)
    {
        if !attributes.contains("src=") && !attributes.contains("/ld+json") {
            let hash = STANDARD.encode(digest(&SHA256, content.as_bytes()));
            sources.push_str(&format!(" 'sha256-{hash}'"));
        }
        rest = after;
    }
    sources
}
