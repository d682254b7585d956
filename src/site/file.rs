//! Files of the site, and their content.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::HeaderValue;
use ring::digest::{SHA256, digest};

use super::coding::Coding;

/// A file of the site before it becomes part of a resource. A name that ends in `.br` or `.gz` is a
/// variant of the file with the name before that suffix.
#[derive(Debug)]
pub struct File {
    /// Relative path with forward slashes and without a leading one: `icons/a.svg`.
    pub path: String,
    /// The bytes that are sent.
    pub content: Content,
    /// SHA-256 of the content, or of its gzip form, from which the ETag is made.
    pub sha256: [u8; 32],
}

impl File {
    /// A file that did not exist at compile time. Hashes `content`.
    pub fn new(path: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        let content = Vec::leak(content.into());
        let sha256 = digest(&SHA256, content).as_ref().try_into().expect("256 bits");
        Self { path: path.into(), content: Content::Plain(content), sha256 }
    }
}

/// The bytes of a variant.
#[derive(Debug)]
pub enum Content {
    /// The bytes themselves.
    Plain(&'static [u8]),
    /// The gzip form of the bytes. They are inflated when a client first requests them, which is
    /// rare, so the executable needs only one form.
    Deflated {
        /// Written by the build script.
        gzip: &'static [u8],
        /// The bytes, once they were needed.
        inflated: OnceLock<&'static [u8]>,
    },
}

impl Content {
    /// The number of bytes.
    pub fn length(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Deflated { gzip, .. } => inflated_length(gzip),
        }
    }

    /// The bytes. Inflating them at the first call takes up to a few milliseconds.
    pub fn bytes(&self) -> Bytes {
        Bytes::from_static(match self {
            Self::Plain(bytes) => bytes,
            Self::Deflated { gzip, inflated } => inflated.get_or_init(|| Vec::leak(inflate(gzip))),
        })
    }
}

/// The bytes that the build script compressed to `gzip`.
pub(super) fn inflate(gzip: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inflated_length(gzip));
    GzDecoder::new(gzip).read_to_end(&mut bytes).expect("the build script writes valid gzip");
    bytes
}

/// RFC 1952 §2.3.1: the length is at the end.
fn inflated_length(gzip: &[u8]) -> usize {
    gzip.last_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize)
}

/// A plain file with its compressed variants.
#[derive(Debug)]
pub(super) struct FileSet {
    pub(super) plain: File,
    pub(super) compressed: Vec<(Coding, File)>,
}

/// Groups `files` by resource, in the order of their names. A compressed file without a plain one
/// is a plain file itself. Of two files with the same name the later one is kept.
pub(super) fn group(files: impl IntoIterator<Item = File>) -> Vec<FileSet> {
    let mut files: BTreeMap<String, File> =
        files.into_iter().map(|file| (file.path.clone(), file)).collect();
    let is_plain = |name: &&String| {
        Coding::of_file_name(name).is_none_or(|(plain, _)| !files.contains_key(plain))
    };
    let names: Vec<String> = files.keys().filter(is_plain).cloned().collect();
    let set = |name: String| {
        let variant = |coding: Coding| Some((coding, files.remove(&coding.file_name(&name))?));
        let compressed = Coding::COMPRESSED.into_iter().filter_map(variant).collect();
        Some(FileSet { plain: files.remove(&name)?, compressed })
    };
    names.into_iter().filter_map(set).collect()
}

/// A field value that is never freed. `text` is visible ASCII.
pub(super) fn permanent(text: String) -> HeaderValue {
    HeaderValue::from_static(text.leak())
}
