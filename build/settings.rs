//! The default settings of the site.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use super::files;

/// The file with the default settings, which the user interface reads too.
const FILE: &str = "ui/src/settings.json";

/// Declares the defaults for the library: `RECIPELOG_APP_NAME` for `appName`.
pub fn declare() -> Result<(), Box<dyn Error>> {
    let defaults: BTreeMap<String, String> =
        serde_json::from_slice(&files::read_input(Path::new(FILE))?)
            .map_err(|error| format!("{FILE}: {error}"))?;
    for (key, default) in defaults {
        println!("cargo::rustc-env=RECIPELOG_{}={default}", snake_case(&key).to_ascii_uppercase());
    }
    Ok(())
}

/// `app_name` for `appName`.
fn snake_case(key: &str) -> String {
    key.chars().fold(String::new(), |name, character| match character {
        'A'..='Z' => format!("{name}_{}", character.to_ascii_lowercase()),
        _ => format!("{name}{character}"),
    })
}
