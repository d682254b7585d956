//! The canonical path of a file.

use super::percent_encoding::encode_path;

/// The path at which the file `name` is served: `/` for `index.html`,
/// `/privacy` for `privacy.html`, `/menu%20card.txt` for `menu card.txt`.
pub(super) fn of_file(name: &str) -> String {
    match name.strip_suffix(".html") {
        Some("index") => "/".to_owned(),
        Some(page) => encode_path(&format!("/{}", page.strip_suffix("/index").unwrap_or(page))),
        None => encode_path(&format!("/{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_path_of_a_file_follows_from_its_name() {
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
