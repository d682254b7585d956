//! The command line: options, environment, defaults.

mod derived;
mod help;
mod options;
mod parse;

pub use options::{Cli, Command, HttpsOptions};
pub use parse::{command, print};
