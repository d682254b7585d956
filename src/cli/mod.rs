//! The command line: options, environment, defaults.

mod derived;
mod https;
mod options;
mod parse;

pub use https::HttpsOptions;
pub use options::{Cli, Command};
pub use parse::print;
