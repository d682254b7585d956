//! The command line: options, environment, defaults.

mod derived;
mod https;
mod list;
mod options;
mod parse;
mod values;

pub use https::CertificateSource;
pub use options::{Cli, Command};
pub use parse::print;
