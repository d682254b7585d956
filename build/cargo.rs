//! The interface between Cargo and a build script.

use std::env;
use std::path::{Path, PathBuf};

/// The folder for generated files.
pub fn out_folder() -> Result<PathBuf, String> {
    env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or_else(|| "OUT_DIR is not set: run this program with `cargo build`".to_owned())
}

/// The value of an environment variable; `None` if it is unset or empty. Cargo
/// runs the build script again when the variable changes.
pub fn variable(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Makes Cargo run the build script again when a file, or a file in a folder,
/// changes.
pub fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// Declares an environment variable that the library reads with `env!`.
pub fn declare(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

/// Reports a warning in one line.
pub fn warning(message: &str) {
    println!("cargo::warning={message}");
}

/// Reports an error in one line.
pub fn error(message: &str) {
    println!("cargo::error={message}");
}
