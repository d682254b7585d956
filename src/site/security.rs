//! Security header fields (HTTP-22, HTTP-23, DECISION-5).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use super::content::Content;
use super::inline::{Hash, InlineHasher, InlineHashes};
use super::kind::Kind;
use super::origin::Origin;
use super::permanent;

/// One year, in seconds.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Disables these features for the page and for embedded content. Features that Chromium on
/// Linux does not know, such as bluetooth and web-share, are left out: it would report them on
/// the console of every page.
const PERMISSIONS_POLICY: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(), \
     display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), \
     gyroscope=(), hid=(), idle-detection=(), keyboard-map=(), local-fonts=(), \
     magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
     publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), \
     serial=(), storage-access=(), usb=(), window-management=(), xr-spatial-tracking=()",
);

/// The source expression that allows nothing.
const NO_SOURCE: &str = "'none'";

/// Files that audit tools such as Lighthouse fetch from inside the page.
const FETCHED_BY_AUDITS: [&str; 2] = ["/robots.txt", "/llms.txt"];

/// The security policy of a site, from which the fields of each response follow.
#[derive(Debug)]
pub(super) struct Policy<'a> {
    origin: Option<&'a Origin>,
    has_font: bool,
    hasher: InlineHasher,
}

impl<'a> Policy<'a> {
    pub(super) fn new(origin: Option<&'a Origin>, has_font: bool) -> Self {
        Self { origin, has_font, hasher: InlineHasher::default() }
    }

    /// The security header fields of a resource. `content` is the markup of a
    /// document or an SVG, whose inline styles and scripts the policy allows by their
    /// hash. An SVG may run no script.
    pub(super) fn headers(&mut self, kind: Kind, content: Option<&Content>) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(16);
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        insert(&mut headers, "cross-origin-resource-policy", "same-origin");
        if self.origin.is_some_and(Origin::is_https) {
            headers.insert(STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
        }
        match kind {
            Kind::Other => {}
            Kind::Svg => {
                let policy = svg_policy(&self.inline_hashes(content));
                headers.insert(CONTENT_SECURITY_POLICY, policy);
            }
            Kind::Document => {
                let inline = self.inline_hashes(content);
                let policy = self.document_policy(&inline);
                headers.insert(CONTENT_SECURITY_POLICY, policy);
                headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
                headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
                insert(&mut headers, "cross-origin-opener-policy", "same-origin");
                insert(&mut headers, "cross-origin-embedder-policy", "require-corp");
                insert(&mut headers, "origin-agent-cluster", "?1");
                headers.insert(HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY);
            }
        }
        headers
    }

    /// Compressed content comes with its hashes.
    fn inline_hashes(&mut self, content: Option<&Content>) -> InlineHashes {
        content.map_or_else(InlineHashes::default, |content| match content.inline_hashes() {
            Some(hashes) => hashes.clone(),
            None => self.hasher.hashes(&content.bytes()),
        })
    }

    fn document_policy(&self, inline: &InlineHashes) -> HeaderValue {
        let mut scripts = sources(&inline.scripts);
        scripts.insert(0, "'self'".to_owned());
        let scripts = scripts.join(" ");
        let styles = style_sources(&inline.styles);
        let font = if self.has_font { " font-src 'self';" } else { "" };
        let connect = self.connect_sources();
        let policy = format!(
            "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' data:;{font} \
             manifest-src 'self'; base-uri 'none'; connect-src {connect}; form-action 'none'; \
             frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        );
        permanent::header_value(policy)
    }

    /// Pages make no calls, except for the files that audit tools fetch if the
    /// origin is known (DECISION-15). CSP cannot express an IPv6 address (Level 3
    /// §2.3.1).
    fn connect_sources(&self) -> String {
        self.origin
            .map(|origin| FETCHED_BY_AUDITS.map(|path| format!("{origin}{path}")).join(" "))
            .filter(|sources| !sources.contains('['))
            .unwrap_or_else(|| NO_SOURCE.to_owned())
    }
}

/// An SVG that is opened as a document runs no script and loads no file. Only
/// its inline styles are allowed.
fn svg_policy(inline: &InlineHashes) -> HeaderValue {
    let styles = style_sources(&inline.styles);
    let policy = format!("default-src 'none'; style-src {styles}; frame-ancestors 'none'; sandbox");
    permanent::header_value(policy)
}

/// The source expressions of `hashes` (CSP Level 3 §2.3.1).
fn sources(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(|hash| format!("'sha256-{}'", STANDARD.encode(hash))).collect()
}

/// The value of a style-src directive.
fn style_sources(hashes: &[Hash]) -> String {
    if hashes.is_empty() { NO_SOURCE.to_owned() } else { sources(hashes).join(" ") }
}

fn insert(headers: &mut HeaderMap, name: &'static str, value: &'static str) {
    headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_allows_each_inline_style_by_its_hash() {
        let html = "<head><style>a{}</style><style media=print>b{}</style></head>".into();
        let headers = Policy::new(None, false).headers(Kind::Document, Some(&html));
        let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
        for style in ["a{}", "b{}"] {
            let hash = STANDARD.encode(Sha256::digest(style));
            assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(!policy.contains("font-src"), "{policy}");
    }

    #[test]
    fn the_policy_allows_each_inline_script_by_its_hash_and_no_data_block() {
        let html = "<script type=module>a()</script><script src=/b.js></script>\
                    <script type=\"application/ld+json\">{}</script><script>c()</script>"
            .into();
        let headers = Policy::new(None, false).headers(Kind::Document, Some(&html));
        let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
        let hash = |script: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)));
        let expected = format!("script-src 'self' {} {};", hash("a()"), hash("c()"));
        assert!(policy.contains(&expected), "{policy}");
    }

    #[test]
    fn a_page_without_inline_styles_allows_none() {
        let headers = Policy::new(None, true).headers(Kind::Document, Some(&"<p>plain".into()));
        let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.contains("style-src 'none'; img-src 'self' data:; font-src 'self';"),
            "{policy}"
        );
    }

    #[test]
    fn pages_may_fetch_nothing_but_the_two_files_for_audits() {
        for (origin, expected) in [
            (None, "connect-src 'none';"),
            (
                Some("https://a.example"),
                "connect-src https://a.example/robots.txt https://a.example/llms.txt;",
            ),
            (Some("http://[::1]:8080"), "connect-src 'none';"),
        ] {
            let origin: Option<Origin> = origin.map(|origin| origin.parse().unwrap());
            let headers = Policy::new(origin.as_ref(), false).headers(Kind::Document, None);
            let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.contains(expected), "{policy}");
        }
    }

    #[test]
    fn only_an_https_origin_sends_strict_transport_security() {
        for (origin, expected) in
            [(None, false), (Some("http://a.example"), false), (Some("https://a.example"), true)]
        {
            let origin: Option<Origin> = origin.map(|origin| origin.parse().unwrap());
            let headers = Policy::new(origin.as_ref(), false).headers(Kind::Other, None);
            assert_eq!(headers.contains_key(STRICT_TRANSPORT_SECURITY), expected, "{origin:?}");
        }
    }
}
