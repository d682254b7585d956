//! The command line: options, environment, defaults.

mod combined;
mod https;
mod limits;
mod list;
mod listening;
mod logging;
mod options;
mod output;
mod parse;
mod site;
mod values;

pub use https::CertificateSource;
pub use listening::Listening;
pub use logging::Logging;
pub use options::{Cli, Command};
pub use output::print;
