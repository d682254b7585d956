//! The content of the site: files become an immutable table from path to resource, built once at
//! start. Its values live as long as the process, so they are never freed, and copying them into a
//! response needs no reference count.

mod coding;
mod embedded;
mod file;
mod kind;
mod origin;
pub(crate) mod percent_encoding;
mod resource;
mod security;
mod settings;
mod table;
mod template;

pub use coding::Coding;
pub use file::{Content, File};
pub(crate) use kind::CachePolicy;
pub use origin::Origin;
pub use resource::{Resource, Variant};
pub(crate) use security::{CROSS_ORIGIN_RESOURCE_POLICY, ONLY_OVER_HTTPS};
pub use settings::Settings;
pub(crate) use settings::email_address;
pub use table::{HEALTH_PATH, NOT_FOUND_FILE, NOT_FOUND_VARY, REDIRECTS_FILE, Site};
