//! The default settings of the site.

use std::path::Path;

use crate::template::Values;
use crate::{cargo, files};

/// The file that defines the default settings, for the user interface too.
const FILE: &str = "ui/src/settings.json";

/// The default settings.
pub struct DefaultSettings {
    pub app_name: String,
    pub support_email: String,
}

impl DefaultSettings {
    pub fn read() -> Result<Self, String> {
        cargo::watch(Path::new(FILE));
        let settings: serde_json::Value = serde_json::from_slice(&files::read(Path::new(FILE))?)
            .map_err(|error| format!("{FILE}: {error}"))?;
        let text = |key: &str| {
            settings[key]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| format!("{FILE}: the text \"{key}\" is missing"))
        };
        Ok(Self { app_name: text("appName")?, support_email: text("supportEmail")? })
    }

    /// Declares the defaults for the library.
    pub fn declare(&self) {
        cargo::declare("RECIPELOG_APP_NAME", &self.app_name);
        cargo::declare("RECIPELOG_SUPPORT_EMAIL", &self.support_email);
    }

    /// The values of the placeholders. There is no default origin.
    pub fn values(&self) -> Values<'_> {
        Values { app_name: &self.app_name, support_email: &self.support_email, origin: None }
    }
}
