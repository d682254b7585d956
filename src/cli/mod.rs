//! The command line: options, environment, defaults.

mod options;
mod parse;
mod values;

pub use options::{Cli, Command, Listening, Logging};
