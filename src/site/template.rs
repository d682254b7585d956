//! Fills the named places of a prerendered text file.
//!
//! `build.rs` compiles this file too, so that the defaults baked in at build
//! time and an operator's settings at start go through the same code.

/// What the places are filled with.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The product's name, `{{app_name}}`.
    pub app_name: &'a str,
    /// The support address, `{{support_email}}`.
    pub support_email: &'a str,
    /// Scheme and authority without a trailing slash, `{{origin}}`; what
    /// stands between `{{#origin}}` and `{{/origin}}` is left out without it.
    pub origin: Option<&'a str>,
}

/// The language that surrounds a place and so decides how a value is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// HTML and XML: text, or an attribute in double quotes.
    Markup,
    /// The inside of a JSON string.
    Json,
    /// Text without any escaping: robots.txt, llms.txt, security.txt.
    Plain,
}

impl Syntax {
    /// The syntax of a file by its name; `None` where a file of this name is
    /// never a template (scripts and pictures hold no places).
    pub fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "html" | "xml" => Some(Self::Markup),
            "json" | "webmanifest" => Some(Self::Json),
            "txt" | "md" => Some(Self::Plain),
            _ => None,
        }
    }
}

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
const SECTION: &str = "#origin";
const SECTION_END: &str = "{{/origin}}";

/// Renders `template`. `None` where it has no place at all, so that the caller
/// keeps the file as it is. Braces around any other word stay untouched.
pub fn render(template: &str, syntax: Syntax, values: Values<'_>) -> Option<String> {
    let mut rendered = String::with_capacity(template.len() + 256);
    let mut rest = template;
    let mut found = false;
    while let Some(start) = rest.find(OPEN) {
        let (text, place) = rest.split_at(start);
        rendered.push_str(text);
        let name = place[OPEN.len()..].split_once(CLOSE).map(|(name, _)| name);
        let Some(filled) = name.and_then(|name| fill(&mut rendered, place, name, syntax, values))
        else {
            rendered.push_str(OPEN);
            rest = &place[OPEN.len()..];
            continue;
        };
        found = true;
        rest = filled;
    }
    rendered.push_str(rest);
    found.then_some(rendered)
}

/// Writes the value of the place `name` at the front of `place`, and returns
/// what follows it; `None` for a name that is not ours.
fn fill<'t>(
    rendered: &mut String,
    place: &'t str,
    name: &str,
    syntax: Syntax,
    values: Values<'_>,
) -> Option<&'t str> {
    let after = &place[OPEN.len() + name.len() + CLOSE.len()..];
    if name == SECTION {
        return Some(match values.origin {
            Some(_) => after,
            // A section that is never closed swallows nothing.
            None => after.split_once(SECTION_END).map_or(after, |(_, tail)| tail),
        });
    }
    if place.starts_with(SECTION_END) {
        return Some(after);
    }
    let (name, syntax) = match name.strip_suffix(":json") {
        Some(name) => (name, Syntax::Json),
        None => (name, syntax),
    };
    let value = match name {
        "app_name" => values.app_name,
        "support_email" => values.support_email,
        "origin" => values.origin.unwrap_or_default(),
        _ => return None,
    };
    escape(rendered, value, syntax);
    Some(after)
}

fn escape(rendered: &mut String, value: &str, syntax: Syntax) {
    for character in value.chars() {
        match (syntax, character) {
            (Syntax::Markup, '&') => rendered.push_str("&amp;"),
            (Syntax::Markup, '<') => rendered.push_str("&lt;"),
            (Syntax::Markup, '>') => rendered.push_str("&gt;"),
            (Syntax::Markup, '"') => rendered.push_str("&quot;"),
            (Syntax::Markup, '\'') => rendered.push_str("&#x27;"),
            (Syntax::Json, '"') => rendered.push_str("\\\""),
            (Syntax::Json, '\\') => rendered.push_str("\\\\"),
            // `<` must not end a script element, nor `&` begin a character
            // reference; control characters are not allowed raw (RFC 8259 §7).
            (Syntax::Json, '<' | '>' | '&' | '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}') => {
                rendered.push_str(&format!("\\u{:04x}", character as u32));
            }
            _ => rendered.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRICKY: &str = r#"Tom & "Jerry's" </script> 🍳 שלום"#;

    fn rendered(template: &str, syntax: Syntax, origin: Option<&str>) -> Option<String> {
        let values = Values { app_name: TRICKY, support_email: "a+b@c.example", origin };
        render(template, syntax, values)
    }

    #[test]
    fn values_are_escaped_for_where_they_stand() {
        for (syntax, expected) in [
            (Syntax::Markup, "Tom &amp; &quot;Jerry&#x27;s&quot; &lt;/script&gt; 🍳 שלום"),
            (Syntax::Json, r#"Tom \u0026 \"Jerry's\" \u003c/script\u003e 🍳 שלום"#),
            (Syntax::Plain, TRICKY),
        ] {
            assert_eq!(rendered("{{app_name}}", syntax, None).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_place_can_ask_for_json_within_html() {
        let html = rendered(r#"<b>"{{app_name:json}}"</b>"#, Syntax::Markup, None).unwrap();
        let json = html.trim_start_matches("<b>").trim_end_matches("</b>");
        assert_eq!(serde_json::from_str::<String>(json).unwrap(), TRICKY);
        assert!(!json.contains('<'), "{json}");
    }

    #[test]
    fn what_needs_an_origin_is_left_out_without_one() {
        let template = "a{{#origin}} b {{origin}} c{{/origin}} d{{#origin}}e{{/origin}}";
        let origin = Some("https://x.example");
        assert_eq!(
            rendered(template, Syntax::Plain, origin).as_deref(),
            Some("a b https://x.example c de")
        );
        assert_eq!(rendered(template, Syntax::Plain, None).as_deref(), Some("a d"));
    }

    #[test]
    fn a_value_is_never_read_as_a_template() {
        let values =
            Values { app_name: "{{support_email}}", support_email: "a@b.example", origin: None };
        let text = render("{{app_name}} {{support_email}}", Syntax::Plain, values);
        assert_eq!(text.as_deref(), Some("{{support_email}} a@b.example"));
    }

    #[test]
    fn a_file_without_our_places_is_left_alone() {
        for text in ["", "plain", "{{", "{{app_name", "{{other}} }}", "a{{ app_name }}b"] {
            assert_eq!(rendered(text, Syntax::Plain, None), None, "{text:?}");
        }
        let mixed = rendered("{{other}}{{app_name}}{{{{", Syntax::Json, None).unwrap();
        assert!(mixed.starts_with("{{other}}Tom") && mixed.ends_with("{{{{"), "{mixed}");
    }
}
