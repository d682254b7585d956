//! Replaces the placeholders of a prerendered text file (DECISION-27).
//!
//! The build script includes this file to know which files are templates.

/// The value of a setting.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// The name of the setting: `origin` for the placeholder `{{origin}}`.
    pub name: &'a str,
    /// The text that replaces the placeholder. Without it, the placeholder is removed, and so is a
    /// section from `{{#origin}}` to `{{/origin}}`. With it, a section from `{{^origin}}` is removed.
    pub text: Option<&'a str>,
}

/// The language around a placeholder, which decides how a value is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// HTML and XML: text, or an attribute value in double quotes.
    Markup,
    /// The inside of a JSON string.
    Json,
    /// Text without any escaping: robots.txt, llms.txt, security.txt.
    Plain,
}

impl Syntax {
    /// The syntax of the file at `path`, by its extension. `None` for files that are never
    /// templates, such as scripts and pictures.
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

/// Renders `template`. Braces around an unknown name are kept.
pub fn render(template: &str, syntax: Syntax, values: &[Value<'_>]) -> String {
    let mut rendered = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while let Some(start) = rest.find(OPEN) {
        let (text, placeholder) = rest.split_at(start);
        rendered.push_str(text);
        let name = placeholder[OPEN.len()..].split_once(CLOSE).map(|(name, _)| name);
        let after = name.and_then(|name| replace(&mut rendered, placeholder, name, syntax, values));
        rest = after.unwrap_or_else(|| {
            rendered.push_str(OPEN);
            &placeholder[OPEN.len()..]
        });
    }
    rendered.push_str(rest);
    rendered
}

/// Appends the value of the placeholder `name`, with which `text` starts, and returns the text
/// after it. `None` for an unknown name.
fn replace<'t>(
    rendered: &mut String,
    text: &'t str,
    name: &str,
    syntax: Syntax,
    values: &[Value<'_>],
) -> Option<&'t str> {
    let after = &text[OPEN.len() + name.len() + CLOSE.len()..];
    let find = |name: &str| values.iter().find(|value| value.name == name);
    if let Some(section) = name.strip_prefix(['#', '^']) {
        if find(section)?.text.is_some() == name.starts_with('#') {
            return Some(after);
        }
        let end = format!("{OPEN}/{section}{CLOSE}");
        // A section without an end is kept.
        return Some(after.split_once(&end).map_or(after, |(_, tail)| tail));
    }
    if let Some(section) = name.strip_prefix('/') {
        return find(section).map(|_| after);
    }
    let (name, syntax) = match name.strip_suffix(":json") {
        Some(name) => (name, Syntax::Json),
        None => (name, syntax),
    };
    escape(rendered, find(name)?.text.unwrap_or_default(), syntax);
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
            // `<` could end a script element, and `&` could start a character reference. Control
            // characters must be escaped (RFC 8259 §7).
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

    #[test]
    fn a_section_follows_from_its_value_which_is_no_template_and_other_braces_are_kept() {
        let origin = Some("https://x.example");
        for (template, with_origin, without) in [
            ("a{{#origin}} b {{origin}} c{{/origin}} d", "a b https://x.example c d", "a d"),
            ("a{{^origin}} b{{/origin}} c{{#origin}} d{{/origin}}", "a c d", "a b c"),
            ("{{app_name}} {{origin}}", "{{origin}} https://x.example", "{{origin}} "),
            ("{{other}}{{app_name}}{{{{", "{{other}}{{origin}}{{{{", "{{other}}{{origin}}{{{{"),
            ("{{app_name", "{{app_name", "{{app_name"),
            ("{{ origin }} }}", "{{ origin }} }}", "{{ origin }} }}"),
            ("{{#other}}a{{/other}}", "{{#other}}a{{/other}}", "{{#other}}a{{/other}}"),
        ] {
            for (text, expected) in [(origin, with_origin), (None, without)] {
                let app_name = Value { name: "app_name", text: Some("{{origin}}") };
                let values = [app_name, Value { name: "origin", text }];
                assert_eq!(render(template, Syntax::Plain, &values), expected, "{template}");
            }
        }
    }
}
