//! The commands, one file or folder each; the commands that print a text share a file. All commands
//! except `serve` are `#[inline(never)]`: inlined into `main`, their stack frames would take memory
//! for as long as the server runs.

mod export;
mod healthcheck;
mod serve;
mod texts;

pub use export::export;
pub use healthcheck::healthcheck;
pub use serve::serve;
pub use texts::{completions, licenses, man, print};
