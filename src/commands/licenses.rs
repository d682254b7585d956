//! `recipelog-site licenses`.

use std::io::Read;
use std::process::ExitCode;

use crate::cli::print;
use crate::problem::Problem;

/// `build/licenses/third-party.txt`, compressed by the build script with gzip.
const LICENSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licenses.gz"));

/// Prints the licences of all components.
#[inline(never)]
pub fn licenses() -> Result<ExitCode, Problem> {
    let mut text = Vec::new();
    let mut gzip = flate2::read::GzDecoder::new(LICENSES);
    gzip.read_to_end(&mut text).expect("the build script writes valid gzip");
    print(&text)
}
