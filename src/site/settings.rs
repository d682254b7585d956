//! The operator's settings, which change the site without a new build (PAGE-22).

use std::time::Duration;

use clap::Args;

use super::origin::Origin;
use super::template::Value;
use crate::host_name;
use crate::option_value::time_or_zero;

/// The operator's settings. The defaults of the texts come from `ui/src/settings.json`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(next_help_heading = "Site")]
pub struct Settings {
    /// Public URL, such as https://recipes.example
    ///
    /// Canonical links, HSTS and the redirect to HTTPS need it [default: the first --acme-domain]
    #[arg(long, env, value_name = "URL")]
    pub origin: Option<Origin>,
    /// How long browsers must use HTTPS after a visit (HSTS)
    ///
    /// 0 stops sending it [default: 365d; 0 for an origin with a port, localhost or an IP address]
    #[arg(long, env, hide_short_help = true, value_name = "TIME", value_parser = time_or_zero)]
    pub hsts: Option<Duration>,
    /// Product name on the pages
    #[arg(long, env, value_name = "NAME", value_parser = app_name, default_value = APP_NAME)]
    pub app_name: String,
    /// Support email shown on the pages
    #[arg(long, env, value_name = "EMAIL", value_parser = email_address, default_value = SUPPORT_EMAIL)]
    pub support_email: String,
    /// Receiver of messages; without it, none are sent
    ///
    /// Where the contact form sends its messages: a URL such as https://formspree.io/f/abcdefgh, or a
    /// path such as /api/contact. Without it, the form shows a confirmation and sends nothing
    #[arg(long, env, value_name = "URL", value_parser = contact_url)]
    pub contact_url: Option<String>,
    /// Address of the app in the App Store
    ///
    /// The landing page links to it
    #[arg(long, env, hide_short_help = true, value_name = "URL", value_parser = store_url)]
    pub app_store_url: Option<String>,
    /// Address of the app in Google Play
    ///
    /// The landing page links to it
    #[arg(long, env, hide_short_help = true, value_name = "URL", value_parser = store_url)]
    pub play_store_url: Option<String>,
}

const APP_NAME: &str = env!("RECIPELOG_APP_NAME");
const SUPPORT_EMAIL: &str = env!("RECIPELOG_SUPPORT_EMAIL");

/// The default settings: the origin is unknown, so HSTS is off.
impl Default for Settings {
    fn default() -> Self {
        Self {
            origin: None,
            hsts: None,
            app_name: APP_NAME.to_owned(),
            support_email: SUPPORT_EMAIL.to_owned(),
            app_store_url: None,
            play_store_url: None,
            contact_url: None,
        }
    }
}

impl Settings {
    /// True if a public site shows the default support address, which nobody reads.
    pub fn shows_default_address(&self) -> bool {
        self.origin.is_some() && self.support_email == SUPPORT_EMAIL
    }

    /// The values of the placeholders.
    pub(super) fn values(&self) -> [Value<'_>; 7] {
        let app_store_url = self.app_store_url.as_deref();
        [
            Value { name: "app_name", text: Some(&self.app_name) },
            Value { name: "support_email", text: Some(&self.support_email) },
            Value { name: "origin", text: self.origin.as_ref().map(|origin| &*origin.0) },
            Value { name: "app_store_url", text: app_store_url },
            Value { name: "app_store_id", text: app_store_url.and_then(app_store_id) },
            Value { name: "play_store_url", text: self.play_store_url.as_deref() },
            Value { name: "contact_url", text: self.contact_url.as_deref() },
        ]
    }

    /// What happens to the messages of the contact form.
    pub fn contact_report(&self) -> String {
        match &self.contact_url {
            Some(url) => format!("the contact form sends its messages to {url}"),
            None => "the contact form sends nothing; set --contact-url to receive its messages"
                .to_owned(),
        }
    }

    /// The source expression of the Content-Security-Policy for `contact_url`: its origin, or
    /// `'self'` for a path.
    pub(super) fn contact_source(&self) -> Option<String> {
        let url = self.contact_url.as_deref()?;
        Some(https_origin(url).map_or_else(|| "'self'".to_owned(), |origin| origin.0))
    }
}

/// Longer names break the layout of the pages and the titles of search results.
const APP_NAME_MAX_CHARACTERS: usize = 60;

/// A name of 1 to 60 characters, none of which controls the text.
fn app_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    let has_length = (1..=APP_NAME_MAX_CHARACTERS).contains(&name.chars().count());
    let is_valid = has_length && !name.chars().any(is_control);
    is_valid.then(|| name.to_owned()).ok_or_else(|| {
        format!(
            "expected a name of 1 to {APP_NAME_MAX_CHARACTERS} visible characters, such as RecipeLog"
        )
    })
}

/// Control characters, line separators, and explicit bidirectional overrides, which would reverse
/// the text after the name.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// RFC 5321 §4.5.3.1.1.
const LOCAL_PART_MAX_BYTES: usize = 64;

/// RFC 5321 §4.5.3.1.3 permits 256 bytes with the angle brackets around an address.
const EMAIL_ADDRESS_MAX_BYTES: usize = 254;

/// An email address that needs no escaping in a `mailto:` link: the dot-atom of RFC 5322 §3.2.3
/// without the characters that RFC 6068 §2 reserves.
pub(crate) fn email_address(address: &str) -> Result<String, String> {
    if !address.is_ascii() {
        return Err("expected an address in ASCII, such as help@xn--kche-0ra.example".to_owned());
    }
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+'~".contains(&byte))
    };
    let is_local = |part: &str| part.len() <= LOCAL_PART_MAX_BYTES && part.split('.').all(is_atom);
    let is_valid = address.len() <= EMAIL_ADDRESS_MAX_BYTES
        && address
            .rsplit_once('@')
            .is_some_and(|(local, domain)| is_local(local) && host_name::is_valid(domain));
    is_valid.then(|| address.to_owned()).ok_or_else(|| {
        format!(
            "expected an email address of at most {EMAIL_ADDRESS_MAX_BYTES} characters, \
             {LOCAL_PART_MAX_BYTES} of them before the @, such as support@recipelog.example"
        )
    })
}

/// Longer addresses would not fit the first flight of a page.
const URL_MAX_BYTES: usize = 250;

const HTTPS: &str = "https://";

/// The address of an app in a store: `https`, the name of a host, and characters that a URL
/// contains without escaping (RFC 3986 §2).
fn store_url(url: &str) -> Result<String, String> {
    let is_valid = is_short_url(url)
        && url.strip_prefix(HTTPS).is_some_and(|rest| host_name::is_valid(authority(rest)));
    is_valid.then(|| url.to_owned()).ok_or_else(|| {
        format!(
            "expected an address of at most {URL_MAX_BYTES} characters that starts with \
             https://, such as https://apps.apple.com/app/id123456789"
        )
    })
}

/// The address of a program that receives messages: a URL with `https`, or a path on the site's own
/// origin. CSP cannot express an IPv6 address (Level 3 §2.3.1).
fn contact_url(url: &str) -> Result<String, String> {
    let is_path = url.starts_with('/') && !url.starts_with("//");
    let is_valid =
        is_short_url(url) && !url.contains(['#', '[']) && (is_path || https_origin(url).is_some());
    is_valid.then(|| url.to_owned()).ok_or_else(|| {
        format!(
            "expected a URL of at most {URL_MAX_BYTES} characters that starts with https://, such as \
             https://formspree.io/f/abcdefgh, or a path, such as /api/contact"
        )
    })
}

/// The origin of a URL with `https`.
fn https_origin(url: &str) -> Option<Origin> {
    let authority = authority(url.strip_prefix(HTTPS)?);
    url[..HTTPS.len() + authority.len()].parse().ok()
}

/// The part of a URL between `https://` and its path.
fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn is_short_url(url: &str) -> bool {
    let is_permitted =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    url.len() <= URL_MAX_BYTES && url.bytes().all(is_permitted)
}

/// The number of an app in the App Store: 123 in `https://apps.apple.com/app/recipes/id123`.
fn app_store_id(url: &str) -> Option<&str> {
    let path = url.split(['?', '#']).next()?.trim_end_matches('/');
    let (_, id) = path.rsplit_once("/id")?;
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_any_text_that_is_visible_in_one_line() {
        let longest = "x".repeat(60);
        for accepted in ["👩\u{200d}🍳", "Tom & \"Jerry\" </script>", "מתכונים", " R ", &longest]
        {
            assert_eq!(app_name(accepted).unwrap(), accepted.trim());
        }
        for rejected in ["", " ", "a\nb", "a\0b", "a\u{202e}b", "a\u{2028}b", &(longest + "x")] {
            let error = app_name(rejected).expect_err(rejected);
            assert!(error.contains("such as RecipeLog"), "{error}");
        }
    }

    #[test]
    fn the_address_of_an_app_may_contain_its_number_and_the_receiver_of_messages_an_origin() {
        for (url, id) in
            [("/gb/app/a/id12", Some("12")), ("/id1/?l=en", Some("1")), ("/idle", None)]
        {
            assert_eq!(app_store_id(url), id);
        }
        for (url, source) in [("https://a:8443?x", "https://a:8443"), ("/api/contact", "'self'")] {
            let settings = Settings { contact_url: Some(url.to_owned()), ..Settings::default() };
            assert_eq!(settings.contact_source().as_deref(), Some(source));
        }
    }
}
