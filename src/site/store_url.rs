//! The address of the app in a store.

use std::str::FromStr;

use crate::host_name;

/// The address of an app in a store: `https`, the name of a host, and characters that a URL
/// contains without escaping (RFC 3986 §2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreUrl(pub(super) String);

/// Longer addresses would not fit the first flight of a page.
const STORE_URL_MAX_BYTES: usize = 250;

impl StoreUrl {
    /// The number of an app in the App Store: 123 in `https://apps.apple.com/app/recipes/id123`.
    pub(super) fn app_store_id(&self) -> Option<&str> {
        let path = self.0.split(['?', '#']).next()?.trim_end_matches('/');
        let (_, id) = path.rsplit_once("/id")?;
        (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
    }
}

impl FromStr for StoreUrl {
    type Err = String;

    fn from_str(url: &str) -> Result<Self, String> {
        let is_permitted =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
        let is_valid = url.len() <= STORE_URL_MAX_BYTES
            && url.bytes().all(is_permitted)
            && url
                .strip_prefix("https://")
                .and_then(|rest| rest.split(['/', '?', '#']).next())
                .is_some_and(host_name::is_valid);
        if is_valid {
            return Ok(Self(url.to_owned()));
        }
        Err(format!(
            "expected an address of at most {STORE_URL_MAX_BYTES} characters that starts with \
             https://, for example https://apps.apple.com/app/id123456789"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_store_is_https_and_may_contain_the_number_of_the_app() {
        for (accepted, id) in [
            ("https://apps.apple.com/gb/app/recipelog/id123456789", Some("123456789")),
            ("https://apps.apple.com/app/id1/?l=en&x='y", Some("1")),
            ("https://apps.apple.com/app/idle", None),
            ("https://play.google.com/store/apps/details?id=example.recipelog", None),
            ("https://a.example", None),
        ] {
            let url = accepted.parse::<StoreUrl>().unwrap();
            assert_eq!((&*url.0, url.app_store_id()), (accepted, id));
        }
        for rejected in [
            "",
            "https://",
            "http://apps.apple.com/app/id1",
            "HTTPS://a.example",
            "javascript:alert(1)",
            "//a.example",
            "https://user@a.example/",
            "https://a.example:443/",
            "https://a.example/ b",
            "https://a.example/\"><b>",
            "https://a.example/ä",
            &format!("https://a.example/{}", "a".repeat(250)),
        ] {
            let error = rejected.parse::<StoreUrl>().expect_err(rejected);
            assert!(error.contains("for example https://apps.apple.com"), "{error}");
        }
    }
}
