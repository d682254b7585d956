//! The path of a URL at which a file is found.

/// The path of a page or of a file by its name: `/` for `index.html`,
/// `/privacy` for `privacy.html`, `/menu%20card.txt` for `menu card.txt`.
pub(super) fn of_file(name: &str) -> String {
    match name.strip_suffix(".html") {
        Some("index") => "/".to_owned(),
        Some(page) => encode(&format!("/{}", page.strip_suffix("/index").unwrap_or(page))),
        None => encode(&format!("/{name}")),
    }
}

/// `path` with everything percent-encoded that may not stand in a path as it
/// is (RFC 3986 §3.3), so that each path is spelled in one way.
pub(super) fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if is_path_character(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The slash, and `pchar` without the percent sign.
fn is_path_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_address() {
        for (name, expected) in [
            ("index.html", "/"),
            ("privacy.html", "/privacy"),
            ("recipes/index.html", "/recipes"),
            ("recipes/soup.html", "/recipes/soup"),
            ("app.0123abcd.js", "/app.0123abcd.js"),
            (".well-known/security.txt", "/.well-known/security.txt"),
            ("menu card.txt", "/menu%20card.txt"),
            ("crème brûlée.html", "/cr%C3%A8me%20br%C3%BBl%C3%A9e"),
            ("100%.txt", "/100%25.txt"),
            ("a?b#c.txt", "/a%3Fb%23c.txt"),
        ] {
            assert_eq!(of_file(name), expected, "{name}");
        }
    }
}
