//! The command line: options, environment, defaults.

mod config;
mod help;
mod options;
mod parse;

pub use config::Config;
pub use options::{Command, HttpsOptions, Logging};
pub use parse::{Parsed, command, parse};
