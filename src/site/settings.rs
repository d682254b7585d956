//! The operator's settings, which change the site without a new build (PAGE-22).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::origin::Origin;
use super::store_url::StoreUrl;
use super::template::Value;
use crate::host_name;

/// The operator's settings. The defaults come from `ui/src/settings.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The product's name.
    pub app_name: AppName,
    /// The support address that the pages show.
    pub support_email: EmailAddress,
    /// The origin at which the public reaches the site, if it is known.
    pub origin: Option<Origin>,
    /// How long browsers open the site over HTTPS only; `None` if it is not at an HTTPS origin.
    pub hsts: Option<Duration>,
    /// The address of the app in Apple's App Store.
    pub app_store_url: Option<StoreUrl>,
    /// The address of the app in Google Play.
    pub play_store_url: Option<StoreUrl>,
}

impl Settings {
    /// The values of the placeholders.
    pub(super) fn values(&self) -> [Value<'_>; 6] {
        let app_store_url = self.app_store_url.as_ref();
        [
            Value { name: "app_name", text: Some(&self.app_name.0) },
            Value { name: "support_email", text: Some(&self.support_email.0) },
            Value { name: "origin", text: self.origin.as_ref().map(|origin| &*origin.0) },
            Value { name: "app_store_url", text: app_store_url.map(|url| &*url.0) },
            Value { name: "app_store_id", text: app_store_url.and_then(StoreUrl::app_store_id) },
            Value { name: "play_store_url", text: self.play_store_url.as_ref().map(|url| &*url.0) },
        ]
    }
}

/// A name of 1 to 60 characters without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppName(String);

/// Longer names break the layout of the pages and the titles of search results.
const APP_NAME_MAX_CHARACTERS: usize = 60;

impl FromStr for AppName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > APP_NAME_MAX_CHARACTERS {
            return Err(format!(
                "expected a name of 1 to {APP_NAME_MAX_CHARACTERS} characters, for example RecipeLog"
            ));
        }
        if name.chars().any(is_control) {
            return Err(
                "expected a visible name without control characters, for example RecipeLog"
                    .to_owned(),
            );
        }
        Ok(Self(name.to_owned()))
    }
}

/// Control characters, line separators, and explicit bidirectional overrides,
/// which would reverse the text after the name.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Default for AppName {
    fn default() -> Self {
        Self(env!("RECIPELOG_APP_NAME").to_owned())
    }
}

/// An email address that needs no escaping in a `mailto:` link: the dot-atom of
/// RFC 5322 §3.2.3 without the characters that RFC 6068 §2 reserves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress(String);

/// RFC 5321 §4.5.3.1.1.
const LOCAL_PART_MAX_BYTES: usize = 64;

/// RFC 5321 §4.5.3.1.3 permits 256 bytes with the angle brackets around an address.
const EMAIL_ADDRESS_MAX_BYTES: usize = 254;

impl FromStr for EmailAddress {
    type Err = String;

    fn from_str(address: &str) -> Result<Self, String> {
        let is_atom = |atom: &str| {
            !atom.is_empty()
                && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+'~".contains(&byte))
        };
        let is_local =
            |part: &str| part.len() <= LOCAL_PART_MAX_BYTES && part.split('.').all(is_atom);
        let is_valid = address.len() <= EMAIL_ADDRESS_MAX_BYTES
            && address
                .rsplit_once('@')
                .is_some_and(|(local, domain)| is_local(local) && host_name::is_valid(domain));
        if is_valid {
            return Ok(Self(address.to_owned()));
        }
        Err(format!(
            "expected an email address of at most {EMAIL_ADDRESS_MAX_BYTES} characters, \
             {LOCAL_PART_MAX_BYTES} of them before the @, for example support@recipelog.example"
        ))
    }
}

impl Default for EmailAddress {
    fn default() -> Self {
        Self(env!("RECIPELOG_SUPPORT_EMAIL").to_owned())
    }
}

impl fmt::Display for AppName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accepted_email_address_needs_no_escaping_in_a_mailto_link() {
        let local = "a".repeat(64);
        let label = "b".repeat(63);
        for accepted in [
            "a@b",
            "support@recipelog.example",
            "a.b+c_d-e@f-g.example",
            "o'h@x.example",
            &format!("{local}@b"),
            &format!("{local}@{label}.{label}.{}", &label[..61]),
        ] {
            assert_eq!(accepted.parse::<EmailAddress>().unwrap().to_string(), accepted);
        }
        for rejected in [
            "",
            "@b",
            "a@b c",
            "a@b\n",
            "a?x@b",
            "a%40@b",
            "\"a\"@b",
            "a@@b",
            "a@1.2.3",
            "a.@b",
            "a..b@c",
            "mailto:a@b",
            "a@a.0x10",
            &format!("{local}a@b"),
            &format!("{local}@{label}.{label}.{}", &label[..62]),
        ] {
            let error = rejected.parse::<EmailAddress>().expect_err(rejected);
            assert!(error.contains("for example support@recipelog.example"), "{error}");
        }
    }

    #[test]
    fn a_name_is_any_text_that_is_visible_in_one_line() {
        for accepted in [
            "R",
            "👩\u{200d}🍳",
            "Tom & \"Jerry\" </script>",
            "🍳",
            "מתכונים",
            " Recipes ",
            &"x".repeat(60),
        ] {
            assert_eq!(accepted.parse::<AppName>().unwrap().to_string(), accepted.trim());
        }
        for rejected in ["", "  ", "a\nb", "a\0b", "a\u{202e}b", "a\u{2028}b", &"x".repeat(61)] {
            let error = rejected.parse::<AppName>().expect_err(rejected);
            assert!(error.contains("for example RecipeLog"), "{error}");
        }
    }
}
