//! The source of the plain files: a build of the user interface, or a folder
//! that such a build wrote before.

use std::path::{Path, PathBuf};

use crate::{cargo, user_interface};

/// The variable that names a folder with a site that is already built.
const VARIABLE: &str = "RECIPELOG_SITE_DIR";

/// The source of the plain files.
pub enum Source {
    /// The user interface in `ui/`.
    UserInterface,
    /// A folder with plain files.
    Prebuilt(PathBuf),
}

impl Source {
    /// The folder that `RECIPELOG_SITE_DIR` names, else the user interface.
    pub fn from_environment() -> Result<Self, String> {
        let Some(folder) = cargo::variable(VARIABLE) else { return Ok(Self::UserInterface) };
        if Path::new(&folder).join("index.html").is_file() {
            return Ok(Self::Prebuilt(folder.into()));
        }
        Err(format!(
            "{VARIABLE} is {folder}, which contains no index.html; set it to the folder that \
             `npm run build -- FOLDER` in ui/ wrote"
        ))
    }

    /// Makes Cargo run the build script again when the source changes.
    pub fn watch(&self) {
        match self {
            Self::UserInterface => user_interface::watch(),
            Self::Prebuilt(folder) => cargo::watch(folder),
        }
    }

    /// Builds the user interface if necessary. Returns the folder of plain files.
    pub fn build(self, out: &Path, epoch: u64) -> Result<PathBuf, String> {
        match self {
            Self::UserInterface => user_interface::build(out, epoch),
            Self::Prebuilt(folder) => Ok(folder),
        }
    }
}
