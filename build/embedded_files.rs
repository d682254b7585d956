//! The files that the library embeds.

use std::fs;
use std::path::Path;

use crate::coding::{Coding, is_worth_keeping};
use crate::template::{self, Syntax, Value};
use crate::{compression, files};

/// Turns the files in `plain` into two folders below `out`: `site` with the
/// default settings and the variants of each file, and `templates` with the files
/// that contain placeholders.
pub fn write(plain: &Path, out: &Path, defaults: &[Value<'_>]) -> Result<(), String> {
    let (site, templates) = (out.join("site"), out.join("templates"));
    for folder in [&site, &templates] {
        files::remove_folder(folder)?;
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for path in files::below(plain, &[])? {
        let mut content = files::read(&plain.join(&path))?;
        if let Some(rendered) = render(&path, &content, defaults) {
            files::write(&templates.join(&path), &content)?;
            // A file without text, such as the sitemap without an origin, does
            // not exist.
            if rendered.trim().is_empty() {
                continue;
            }
            content = rendered.into_bytes();
        }
        write_with_variants(&site.join(&path), &content)?;
    }
    Ok(())
}

/// The text of a template; `None` for any other file.
fn render(path: &Path, content: &[u8], defaults: &[Value<'_>]) -> Option<String> {
    let syntax = Syntax::of(&path.to_string_lossy())?;
    template::render(std::str::from_utf8(content).ok()?, syntax, defaults)
}

fn write_with_variants(path: &Path, content: &[u8]) -> Result<(), String> {
    files::write(path, content)?;
    for coding in Coding::COMPRESSED {
        let compressed = compression::compress(content, coding)?;
        if is_worth_keeping(compressed.len(), content.len()) {
            let mut name = path.as_os_str().to_owned();
            name.push(coding.file_suffix().unwrap_or_default());
            files::write(Path::new(&name), &compressed)?;
        }
    }
    Ok(())
}
