//! The command line: options, environment, defaults.

mod derived;
mod help;
mod options;
mod parse;

pub use options::{Cli, Command, HttpsOptions, Logging};
pub use parse::{command, print};
