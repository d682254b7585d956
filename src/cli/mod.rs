//! The command line: options, environment, defaults.

mod https;
mod list;
mod options;
mod output;
mod parse;
mod values;

pub use https::CertificateSource;
pub use options::{Cli, Command, Listening, Logging};
pub use output::print;
