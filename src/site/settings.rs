//! What an operator can change about the site without building it again.

use std::fmt;
use std::str::FromStr;

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
            origin: self.origin.as_ref().map(|origin| origin.0.as_str()),
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
        if name.chars().any(is_invisible) {
            return Err("a name has no control characters, for example RecipeLog".to_owned());
        }
        Ok(Self(name.to_owned()))
    }
}

/// Control characters, line separators and the explicit bidirectional
/// overrides, which would turn around the text that follows the name.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
        let is_local = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"._-+'~".contains(&byte))
        };
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

/// Scheme, host and optional port of RFC 6454: `https://recipelog.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Whether browsers may be told to come back by TLS only (RFC 6797).
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(origin: &str) -> Result<Self, String> {
        let refused = || {
            "not an origin: scheme and host without a path, for example https://recipelog.example"
                .to_owned()
        };
        // The one slash that people paste along is not a path to speak of.
        let lower = origin.strip_suffix('/').unwrap_or(origin).to_ascii_lowercase();
        let authority = lower
            .strip_prefix("https://")
            .or_else(|| lower.strip_prefix("http://"))
            .ok_or_else(refused)?;
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let is_port = |port: &str| {
            // Rust's own parser takes a sign.
            port.bytes().all(|byte| byte.is_ascii_digit())
                && port.parse::<u16>().is_ok_and(|port| port > 0)
        };
        let port_is_right = port.is_none_or(is_port);
        let is_ipv6 = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .is_some_and(|host| host.parse::<std::net::Ipv6Addr>().is_ok());
        if port_is_right && (is_ipv6 || is_host_name(host)) {
            Ok(Self(lower))
        } else {
            Err(refused())
        }
    }
}

/// Letters, digits and hyphens between dots (RFC 1123 §2.1).
fn is_host_name(host: &str) -> bool {
    host.len() <= 253
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
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

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port_alone() {
        for (typed, meant) in [
            ("https://recipelog.example", "https://recipelog.example"),
            ("https://recipelog.example/", "https://recipelog.example"),
            ("HTTPS://RecipeLog.Example:8443", "https://recipelog.example:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1", "http://127.0.0.1"),
            ("http://[::1]:80", "http://[::1]:80"),
            ("https://xn--rzepte-9ya.example", "https://xn--rzepte-9ya.example"),
        ] {
            assert_eq!(typed.parse::<Origin>().unwrap().to_string(), meant);
        }
        for refused in [
            "",
            "recipelog.example",
            "ftp://a.example",
            "https://",
            "https:///",
            "https://a/b",
            "https://a.example?x",
            "https://a.example#x",
            "https://u@a.example",
            "https://a b",
            "https://a.example:",
            "https://a.example:0",
            "https://a.example:65536",
            "https://-a.example",
            "https://a..example",
            "https://[::1",
            "https://a\"b.example",
            "https://a.example//",
            "https://é.example",
            "https://a.example\n",
        ] {
            let error = refused.parse::<Origin>().expect_err(refused);
            assert!(error.contains("for example https://recipelog.example"), "{error}");
        }
    }

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
            "mailto:a@b",
        ] {
            let error = refused.parse::<EmailAddress>().expect_err(refused);
            assert!(error.contains("for example support@recipelog.example"), "{error}");
        }
    }

    #[test]
    fn a_name_is_anything_that_a_line_can_show() {
        for accepted in
            ["R", "Tom & \"Jerry\" </script>", "🍳", "מתכונים", " Recipes ", &"x".repeat(60)]
        {
            assert_eq!(accepted.parse::<AppName>().unwrap().to_string(), accepted.trim());
        }
        for refused in ["", "  ", "a\nb", "a\0b", "a\u{202e}b", "a\u{2028}b", &"x".repeat(61)] {
            let error = refused.parse::<AppName>().expect_err(refused);
            assert!(error.contains("for example RecipeLog"), "{error}");
        }
    }
}
