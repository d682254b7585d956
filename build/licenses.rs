//! The licences that `recipelog-site licenses` prints.

use std::path::Path;

use crate::coding::Coding;
use crate::{cargo, compression, files};

/// Written by `build/licenses/collect.mjs`.
const FILE: &str = "build/licenses/third-party.txt";

/// Makes Cargo run the build script again when the text changes.
pub fn watch() {
    cargo::watch(Path::new(FILE));
}

/// Writes the compressed text to `licenses.gz` in `out`.
pub fn compress(out: &Path) -> Result<(), String> {
    let text = files::read(Path::new(FILE))?;
    files::write(&out.join("licenses.gz"), &compression::compress(&text, Coding::Gzip)?)
}
