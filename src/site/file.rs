//! A file of the site.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::content::Content;

/// A file of the site before it becomes part of a resource. A name that ends in
/// `.br` or `.gz` is a variant of the file with the name before that suffix.
#[derive(Clone, Debug)]
pub struct File {
    /// Relative path with forward slashes and without a leading one:
    /// `icons/a.svg`.
    pub path: String,
    /// The bytes that are sent.
    pub content: Content,
    /// SHA-256 of `content`, from which the ETag is made.
    pub sha256: [u8; 32],
}

impl File {
    /// A file that did not exist at compile time. Hashes `content`.
    pub fn new(path: impl Into<String>, content: impl Into<Bytes>) -> Self {
        let content = content.into();
        let sha256 = Sha256::digest(&content).into();
        Self { path: path.into(), content: content.into(), sha256 }
    }
}
