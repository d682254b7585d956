//! The files that the library embeds.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::path::Path;

use walkdir::WalkDir;

use super::files;
use crate::coding::{Coding, is_worth_keeping};
use crate::template::Syntax;

/// Turns the files in `plain` into two folders below `out`: `templates` with the text files, in gzip, and `site`
/// with the others. A plain file with a gzip variant is left out of `site`, because the executable
/// can inflate it. `content_types.rs` has the Content-Type of each extension, or name without one. Documents have the
/// extension `html`, and SVG pictures `svg`: by these, the library selects their security policy
/// and their path.
pub fn write(
    plain: &Path,
    out: &Path,
    compress: impl Fn(&[u8], Coding) -> io::Result<Vec<u8>>,
) -> Result<(), Box<dyn Error>> {
    let (site, templates) = (out.join("site"), out.join("templates"));
    for folder in [&site, &templates] {
        files::empty_folder(folder)?;
    }
    // The health check is a text file that is not among the embedded ones.
    let mut content_types = BTreeMap::from([("txt".to_owned(), content_type("healthz.txt"))]);
    for entry in WalkDir::new(plain).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let path = entry.path().strip_prefix(plain)?;
        let name = path.to_string_lossy();
        let extension = name.rsplit(['.', '/']).next().unwrap_or_default();
        let content_type = content_type(&name);
        let is_document = ["text/html", "application/xhtml+xml", "image/svg+xml"]
            .iter()
            .any(|document| content_type.starts_with(document));
        if is_document && !matches!(extension, "html" | "svg") {
            Err(format!(
                "{name} has the type {content_type}, but not the extension .html or .svg; rename it"
            ))?;
        }
        if matches!(extension, "br" | "gz") {
            Err(format!("{name} has the extension of a compressed variant; rename it"))?;
        }
        content_types.insert(extension.to_owned(), content_type);
        let content = fs_err::read(entry.path())?;
        // A file of the owner may have another encoding.
        if Syntax::of(&name).is_some() && str::from_utf8(&content).is_ok() {
            let gzip = compress(&content, Coding::Gzip)?;
            files::write(&templates.join(Coding::Gzip.file_name(&name)), &gzip)?;
            continue;
        }
        let codings = if can_shrink(&content, &compress)? { &Coding::COMPRESSED[..] } else { &[] };
        let mut has_gzip = false;
        for &coding in codings {
            let compressed = compress(&content, coding)?;
            if is_worth_keeping(compressed.len(), content.len()) {
                files::write(&site.join(coding.file_name(&name)), &compressed)?;
                has_gzip |= coding == Coding::Gzip;
            }
        }
        if !has_gzip {
            files::write(&site.join(path), &content)?;
        }
    }
    let content_types = content_types.iter().collect::<Vec<_>>();
    fs_err::write(out.join("content_types.rs"), format!("&{content_types:?}"))?;
    Ok(())
}

/// False for a large file whose middle does not shrink, such as a video or an archive: compressing all of it would take
/// minutes and gigabytes. Its start often shrinks.
fn can_shrink(
    content: &[u8],
    compress: impl Fn(&[u8], Coding) -> io::Result<Vec<u8>>,
) -> io::Result<bool> {
    const SAMPLE: usize = 64 * 1024;
    if content.len() < 4 * SAMPLE {
        return Ok(true);
    }
    let sample = &content[content.len() / 2..][..SAMPLE];
    Ok(is_worth_keeping(compress(sample, Coding::Gzip)?.len(), sample.len()))
}

/// The Content-Type of the file `name`. Text formats carry a charset (WIRE-4).
fn content_type(name: &str) -> String {
    let media_type = mime_guess::from_path(name).first_or_octet_stream();
    let essence = media_type.essence_str();
    let is_text = media_type.type_() == mime_guess::mime::TEXT
        || matches!(media_type.subtype().as_str(), "javascript" | "json" | "xml")
        || matches!(media_type.suffix().map(|suffix| suffix.as_str()), Some("json" | "xml"));
    // Apple's name for a file of JSON, which has no extension.
    if name.ends_with("apple-app-site-association") {
        return content_type("a.json");
    }
    // mime_guess returns an unregistered type for icons.
    let essence = if essence == "image/x-icon" { "image/vnd.microsoft.icon" } else { essence };
    if is_text { format!("{essence}; charset=utf-8") } else { essence.to_owned() }
}
