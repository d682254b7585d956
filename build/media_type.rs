//! The Content-Type of a file, by its name.

/// The Content-Type of the file `name`. Text formats carry a charset (WIRE-4).
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
