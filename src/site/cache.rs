//! How long a browser or a cache may keep what it got.

use http::HeaderValue;

use super::resource::Kind;

/// The cache policy of a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachePolicy {
    /// The name changes with the content: keep it for ever.
    Immutable,
    /// The name stays while the content changes, and an hour of the old one
    /// does no harm: icons, robots.txt, the web manifest.
    Brief,
    /// Pages: keep a copy, ask each time whether it is still right.
    Revalidate,
    /// Nothing worth keeping: the 404 page, errors, health.
    Never,
}

impl CachePolicy {
    pub(super) fn of(name: &str, kind: Kind) -> Self {
        if kind == Kind::Document {
            Self::Revalidate
        } else if carries_hash(name) {
            Self::Immutable
        } else {
            Self::Brief
        }
    }

    /// The value of Cache-Control.
    pub(super) fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Brief => "public, max-age=3600",
            Self::Revalidate => "no-cache",
            Self::Never => "no-store",
        })
    }
}

/// Whether a name carries a content hash: `app.1f0c9a3e.js`, at least eight
/// lower-case hexadecimal digits between the last two dots. Digits that read
/// as a day of this or the last century (`menu.20261120.png`) are no hash:
/// a file that is kept for ever by mistake cannot be called back.
fn carries_hash(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.') else { return false };
    let Some((before, hash)) = stem.rsplit_once('.') else { return false };
    let is_hexadecimal = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let reads_as_date = hash.bytes().all(|byte| byte.is_ascii_digit())
        && (hash.starts_with("19") || hash.starts_with("20"));
    !before.is_empty() && hash.len() >= 8 && is_hexadecimal && !reads_as_date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_carry_a_hash_are_immutable() {
        for (name, expected) in [
            ("app.1f0c9a3e.js", CachePolicy::Immutable),
            ("pictures/phone.00c0ffee.avif", CachePolicy::Immutable),
            ("app.98765432.js", CachePolicy::Immutable),
            ("app.js", CachePolicy::Brief),
            ("app.min.js", CachePolicy::Brief),
            ("app.1f0c9a3.js", CachePolicy::Brief),
            ("app.1F0C9A3E.js", CachePolicy::Brief),
            ("app.deadbeef", CachePolicy::Brief),
            (".deadbeef.js", CachePolicy::Brief),
            ("menu.20261120.png", CachePolicy::Brief),
            ("favicon.ico", CachePolicy::Brief),
            ("robots.txt", CachePolicy::Brief),
        ] {
            assert_eq!(CachePolicy::of(name, Kind::of(name)), expected, "{name}");
        }
        assert_eq!(CachePolicy::of("a.1f0c9a3e.html", Kind::Document), CachePolicy::Revalidate);
    }
}
