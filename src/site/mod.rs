//! The content of the site: files become an immutable table from path to
//! resource, built once at start.

mod cache;
mod coding;
mod compression;
mod content;
mod embedded;
mod fields;
mod file;
mod file_set;
mod inline;
mod kind;
#[cfg(test)]
mod media_type;
mod origin;
mod path;
pub(crate) mod percent_encoding;
mod permanent;
mod rendering;
mod resource;
mod security;
mod settings;
mod store_url;
mod table;
mod template;
mod validator;

pub(crate) use cache::CachePolicy;
pub use coding::Coding;
pub use content::Content;
pub use fields::{Fields, NOT_FOUND_VARY};
pub use file::File;
pub use origin::Origin;
pub use resource::{Resource, Variant};
// A glob, because each setting has a type of its own.
pub use settings::*;
pub use store_url::StoreUrl;
pub use table::{HEALTH_PATH, NOT_FOUND_FILE, Site};
pub use validator::LastModified;
