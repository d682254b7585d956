//! Content-codings (RFC 9110 §8.4.1), and the rule that decides whether a compressed variant is
//! kept.
//!
//! The build script includes this file: it compresses the embedded files.

/// A content-coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// The plain bytes.
    Identity,
    /// `gzip`, also known by its old name `x-gzip`.
    Gzip,
    /// `br` (RFC 7932).
    Brotli,
}

impl Coding {
    /// The codings of compressed variants.
    pub const COMPRESSED: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// The suffix of a variant's file name; `None` for the plain bytes.
    pub fn file_suffix(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some(".gz"),
            Self::Brotli => Some(".br"),
        }
    }

    /// The file name of the variant of `plain`: `app.js.br` for `app.js`.
    pub(crate) fn file_name(self, plain: &str) -> String {
        format!("{plain}{}", self.file_suffix().unwrap_or_default())
    }

    /// Splits `app.js.br` into `app.js` and its coding.
    pub(super) fn of_file_name(name: &str) -> Option<(&str, Self)> {
        Self::COMPRESSED
            .into_iter()
            .find_map(|coding| Some((name.strip_suffix(coding.file_suffix()?)?, coding)))
    }

    /// The value of Content-Encoding; `None` for the plain bytes.
    pub(super) fn content_encoding(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// Minimum saving of a compressed variant, in percent of the plain bytes (WIRE-5). A smaller saving
/// is not worth a second copy in caches.
const MIN_SAVING_PERCENT: usize = 5;

/// True if a compressed variant is small enough to be kept. Lengths in bytes.
pub(super) fn is_worth_keeping(compressed_length: usize, plain_length: usize) -> bool {
    compressed_length * 100 <= plain_length * (100 - MIN_SAVING_PERCENT)
}
