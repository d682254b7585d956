//! What an operator can change about the site without building it again.

use std::fmt;
use std::str::FromStr;

use super::origin::{Origin, is_host_name};
use super::template::Values;

/// The operator's settings; the defaults are those of `ui/src/settings.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The product's name.
    pub app_name: AppName,
    /// Where the pages tell people to write.
    pub support_email: EmailAddress,
    /// Where the public reaches the site, if that is known.
    pub origin: Option<Origin>,
}

impl Settings {
    pub(super) fn values(&self) -> Values<'_> {
        Values {
            app_name: &self.app_name.0,
            support_email: &self.support_email.0,
            origin: self.origin.as_ref().map(Origin::as_str),
        }
    }
}

/// A name of 1 to 60 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppName(String);

/// Longer names break every layout and every search result's title.
const APP_NAME_MAX_CHARACTERS: usize = 60;

impl FromStr for AppName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > APP_NAME_MAX_CHARACTERS {
            return Err(format!(
                "a name has 1 to {APP_NAME_MAX_CHARACTERS} characters, for example RecipeLog"
            ));
        }
        if name.chars().any(is_control) || name.chars().all(is_invisible) {
            return Err("a name can be seen and has no control characters, for example RecipeLog"
                .to_owned());
        }
        Ok(Self(name.to_owned()))
    }
}

/// Control characters, line separators and the explicit bidirectional
/// overrides, which would turn around the text that follows the name.
fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What shows nothing: it has its place inside a word or an emoji, and is no
/// name by itself. Format characters, fillers and the empty Braille pattern.
fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
        || matches!(character, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
        || matches!(character, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

impl Default for AppName {
    fn default() -> Self {
        Self(env!("RECIPELOG_APP_NAME").to_owned())
    }
}

/// A mail address that stands in a `mailto:` link without any escaping: the
/// dot-atom of RFC 5322 §3.2.3 less the characters that RFC 6068 §2 reserves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress(String);

impl FromStr for EmailAddress {
    type Err = String;

    fn from_str(address: &str) -> Result<Self, String> {
        let is_atom = |atom: &str| {
            !atom.is_empty()
                && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+'~".contains(&byte))
        };
        let is_local = |part: &str| part.split('.').all(is_atom);
        match address.rsplit_once('@') {
            Some((local, domain)) if is_local(local) && is_host_name(domain) => {
                Ok(Self(address.to_owned()))
            }
            _ => Err("not a mail address, for example support@recipelog.example".to_owned()),
        }
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
    fn an_address_stands_in_a_mail_link_as_it_is() {
        for accepted in
            ["a@b", "support@recipelog.example", "a.b+c_d-e@f-g.example", "o'h@x.example"]
        {
            assert_eq!(accepted.parse::<EmailAddress>().unwrap().to_string(), accepted);
        }
        for refused in [
            "",
            "@",
            "a@",
            "@b",
            "a",
            "a b@c",
            "a@b c",
            "a@b\n",
            "a?x@b",
            "a&b@c",
            "a%40@b",
            "\"a\"@b",
            "<a@b>",
            "a@@b",
            "a@b.",
            "a@1.2.3",
            ".a@b",
            "a.@b",
            "a..b@c",
            "mailto:a@b",
        ] {
            let error = refused.parse::<EmailAddress>().expect_err(refused);
            assert!(error.contains("for example support@recipelog.example"), "{error}");
        }
    }

    #[test]
    fn a_name_is_anything_that_a_line_can_show() {
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
        for refused in [
            "",
            "  ",
            "a\nb",
            "a\0b",
            "a\u{202e}b",
            "a\u{2028}b",
            "\u{200b}\u{feff}",
            "\u{3164}",
            &"x".repeat(61),
        ] {
            let error = refused.parse::<AppName>().expect_err(refused);
            assert!(error.contains("for example RecipeLog"), "{error}");
        }
    }
}
