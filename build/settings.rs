//! The default settings of the site.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use super::files;
use crate::template::Value;

/// The file with the default settings, which the user interface reads too.
const FILE: &str = "ui/src/settings.json";

/// Settings without a default.
const OPTIONAL: [&str; 4] = ["origin", "app_store_url", "app_store_id", "play_store_url"];

/// The value of every setting. Declares the defaults for the library: `RECIPELOG_APP_NAME` for `app_name`.
pub fn declare() -> Result<Vec<Value<'static>>, Box<dyn Error>> {
    let defaults: BTreeMap<String, String> =
        serde_json::from_slice(&files::read_input(Path::new(FILE))?)
            .map_err(|error| format!("{FILE}: {error}"))?;
    let mut values = OPTIONAL.map(|name| Value { name, text: None }).to_vec();
    for (key, default) in defaults {
        let name = snake_case(&key);
        println!("cargo::rustc-env=RECIPELOG_{}={default}", name.to_ascii_uppercase());
        values.push(Value { name: name.leak(), text: Some(default.leak()) });
    }
    Ok(values)
}

/// The name of a placeholder: `app_name` for `appName`.
fn snake_case(key: &str) -> String {
    key.chars().fold(String::new(), |name, character| match character {
        'A'..='Z' => format!("{name}_{}", character.to_ascii_lowercase()),
        _ => format!("{name}{character}"),
    })
}
