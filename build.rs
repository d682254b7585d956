//! Builds the site that the executable embeds. rust-embed reads the result from
//! `OUT_DIR/site` and `OUT_DIR/templates`.

#[path = "build/cargo.rs"]
mod cargo;
#[path = "build/compression.rs"]
mod compression;
#[path = "build/embedded_files.rs"]
mod embedded_files;
#[path = "build/files.rs"]
mod files;
#[path = "build/licenses.rs"]
mod licenses;
#[path = "build/media_type.rs"]
mod media_type;
#[path = "build/settings.rs"]
mod settings;
#[path = "build/source.rs"]
mod source;
#[path = "build/user_interface.rs"]
mod user_interface;
#[path = "build/version.rs"]
mod version;

#[path = "src/site/coding.rs"]
#[expect(dead_code, reason = "the library uses the rest of it")]
mod coding;
#[path = "src/site/template.rs"]
mod template;

use std::process::ExitCode;

use settings::DefaultSettings;
use source::Source;
use version::Version;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            cargo::error(&message);
            ExitCode::FAILURE
        }
    }
}

/// Returns an error message with its remedy.
fn build() -> Result<(), String> {
    let out = cargo::out_folder()?;
    let settings = DefaultSettings::read()?;
    settings.declare();
    let version = Version::determine()?;
    version.declare();
    let source = Source::from_environment()?;
    source.watch();
    licenses::watch();

    let plain_files = source.build(&out, version.epoch)?;
    embedded_files::write(&plain_files, &out, &settings.values())?;
    licenses::compress(&out)
}
