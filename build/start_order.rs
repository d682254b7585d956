//! The order of functions in the release file (DECISION-55).

use std::env;
use std::path::Path;

use crate::cargo;

/// A linker script, written by `benches/start-order`.
const FILE: &str = "build/start-order.ld";

/// Passes the order to the linker of a static executable, which is the release file. Other
/// builds may use linkers without such scripts.
pub fn declare() -> Result<(), String> {
    cargo::watch(Path::new(FILE));
    let folder = env::current_dir().map_err(|error| format!("current folder: {error}"))?;
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "crt-static") {
        cargo::link_executable_with(&folder.join(FILE));
    }
    Ok(())
}
