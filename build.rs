//! Builds the site that the executable embeds. rust-embed reads the result from
//! `OUT_DIR/site` and `OUT_DIR/templates`.

/// The parts of this script, in the folder of that name.
mod build {
    pub mod compression;
    pub mod embedded_files;
    pub mod files;
    pub mod settings;
    pub mod user_interface;
    pub mod version;
}

// The server compiles these two as well: it renders the templates and looks for the variants that this script
// writes. A crate of their own would be more files than code.
#[path = "src/site/coding.rs"]
#[expect(dead_code, reason = "the server uses the rest of it")]
mod coding;
#[path = "src/site/template.rs"]
#[expect(dead_code, reason = "the server uses the rest of it")]
mod template;

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use build::{compression, embedded_files, files, settings, user_interface, version};
use coding::Coding;

/// The licences that `recipelog-site licenses` prints, as `build/licenses/collect.mjs` wrote them.
const LICENSES: &str = "build/licenses/third-party.txt";

fn main() -> ExitCode {
    match build_site() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns an error message with its remedy.
fn build_site() -> Result<(), Box<dyn Error>> {
    let out = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or("OUT_DIR is not set: run this program with `cargo build`")?;
    settings::declare()?;
    let epoch = version::declare()?;
    let plain_files = user_interface::plain_files(&out, epoch)?;
    let cache = out.join("compressed");
    let compress = |content: &[u8], coding| compression::compress(content, coding, &cache);
    embedded_files::write(&plain_files, &out, compress)?;
    let licenses = files::read_input(Path::new(LICENSES))?;
    fs_err::write(out.join("licenses.gz"), compress(&licenses, Coding::Gzip)?)?;
    Ok(())
}

/// The value of an environment variable; `None` if it is unset or empty. Cargo runs the build
/// script again when the variable changes.
fn variable(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().filter(|value| !value.is_empty())
}
