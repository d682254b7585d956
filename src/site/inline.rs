//! The hashes of inline styles and scripts, by which a policy allows them. The build script
//! uses this module too.

use sha2::{Digest, Sha256};

/// SHA-256.
pub type Hash = [u8; 32];

/// The hashes of the inline styles and scripts of markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineHashes {
    pub styles: Vec<Hash>,
    pub scripts: Vec<Hash>,
}

/// Hashes inline styles and scripts. All pages contain the same ones, and hashing them for
/// each page would take most of the start-up time.
#[derive(Debug, Default)]
pub struct InlineHasher(Vec<(Vec<u8>, Hash)>);

impl InlineHasher {
    pub fn hashes(&mut self, markup: &[u8]) -> InlineHashes {
        let mut styles: Vec<Hash> = inline_styles(markup).map(|style| self.hash(style)).collect();
        let mut scripts: Vec<Hash> =
            inline_scripts(markup).map(|script| self.hash(script)).collect();
        styles.dedup();
        scripts.dedup();
        InlineHashes { styles, scripts }
    }

    fn hash(&mut self, content: &[u8]) -> Hash {
        if let Some((_, hash)) = self.0.iter().find(|(known, _)| known == content) {
            return *hash;
        }
        let hash = Sha256::digest(content).into();
        self.0.push((content.to_owned(), hash));
        hash
    }
}

fn inline_styles(markup: &[u8]) -> impl Iterator<Item = &[u8]> {
    elements(markup, b"<style", b"</style").map(|(_, content)| content)
}

/// The scripts without a `src`. A data block, such as JSON-LD, is not run and needs no
/// hash.
fn inline_scripts(markup: &[u8]) -> impl Iterator<Item = &[u8]> {
    elements(markup, b"<script", b"</script")
        .filter(|(tag, _)| find(tag, b"src=").is_none() && find(tag, b"/ld+json").is_none())
        .map(|(_, content)| content)
}

/// The start tag of each element and the text up to its end tag, which browsers hash
/// (CSP Level 3 §6.7.3.3).
fn elements<'a>(
    markup: &'a [u8],
    open: &'static [u8],
    close: &'static [u8],
) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
    let mut rest = markup;
    std::iter::from_fn(move || {
        let tag = find(rest, open)?;
        let content = tag + find(&rest[tag..], b">")? + 1;
        let end = content + find(&rest[content..], close)?;
        let element = (&rest[tag..content], &rest[content..end]);
        rest = &rest[end..];
        Some(element)
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}
