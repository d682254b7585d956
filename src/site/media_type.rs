//! The Content-Type of a file, by its name. The build script determines it for the files that
//! it embeds, so that the executable does not contain the table of mime_guess (110 kB).

/// The Content-Type of the file `name`. Text formats carry a charset (HTTP-4).
pub fn content_type(name: &str) -> String {
    let media_type = mime_guess::from_path(name).first_or_octet_stream();
    let essence = media_type.essence_str();
    let is_text = media_type.type_() == mime_guess::mime::TEXT
        || matches!(media_type.subtype().as_str(), "javascript" | "json" | "xml")
        || matches!(media_type.suffix().map(|suffix| suffix.as_str()), Some("json" | "xml"));
    // mime_guess returns an unregistered type for icons.
    let essence = if essence == "image/x-icon" { "image/vnd.microsoft.icon" } else { essence };
    if is_text { format!("{essence}; charset=utf-8") } else { essence.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_formats_carry_a_charset_and_binary_formats_do_not() {
        for (name, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("app.js", "text/javascript; charset=utf-8"),
            ("site.webmanifest", "application/manifest+json; charset=utf-8"),
            ("icon.svg", "image/svg+xml; charset=utf-8"),
            ("data.json", "application/json; charset=utf-8"),
            ("sitemap.xml", "text/xml; charset=utf-8"),
            ("robots.txt", "text/plain; charset=utf-8"),
            ("llms.md", "text/markdown; charset=utf-8"),
            ("phone.avif", "image/avif"),
            ("phone.webp", "image/webp"),
            ("og.png", "image/png"),
            ("favicon.ico", "image/vnd.microsoft.icon"),
            ("font.woff2", "font/woff2"),
            ("unknown.thing", "application/octet-stream"),
            ("no-extension", "application/octet-stream"),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
    }
}
