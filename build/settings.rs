//! The default settings of the site.

use std::error::Error;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::files;
use crate::template::Value;

/// The file with the default settings, which the user interface reads too.
const FILE: &str = "ui/src/settings.json";

/// Settings without a default.
const OPTIONAL: [&str; 4] = ["origin", "app_store_url", "app_store_id", "play_store_url"];

/// The name of each setting, such as `app_name`, with its default.
pub struct DefaultSettings(Vec<(String, String)>);

impl DefaultSettings {
    pub fn read() -> Result<Self, Box<dyn Error>> {
        let settings: Map<String, Json> =
            serde_json::from_slice(&files::read_input(Path::new(FILE))?)
                .map_err(|error| format!("{FILE}: {error}"))?;
        let setting = |(key, value): (&String, &Json)| {
            let text =
                value.as_str().ok_or_else(|| format!("{FILE}: \"{key}\" is not a string"))?;
            Ok((snake_case(key), text.to_owned()))
        };
        Ok(Self(settings.iter().map(setting).collect::<Result<_, String>>()?))
    }

    /// Declares the defaults for the library: `RECIPELOG_APP_NAME` for `app_name`.
    pub fn declare(&self) {
        for (name, default) in &self.0 {
            println!("cargo::rustc-env=RECIPELOG_{}={default}", name.to_ascii_uppercase());
        }
    }

    /// The value of every setting.
    pub fn values(&self) -> Vec<Value<'_>> {
        let defaults = self.0.iter().map(|(name, default)| Value { name, text: Some(default) });
        defaults.chain(OPTIONAL.map(|name| Value { name, text: None })).collect()
    }
}

/// `app_name` for `appName`.
fn snake_case(key: &str) -> String {
    key.chars().fold(String::new(), |name, character| match character {
        'A'..='Z' => format!("{name}_{}", character.to_ascii_lowercase()),
        _ => format!("{name}{character}"),
    })
}
