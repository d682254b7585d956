//! The commands, one file for each; `documents` has the three that print an
//! embedded document. All except `serve` are `#[inline(never)]`: inlined into
//! `main`, their stack frames would take memory for as long as the server runs.

mod documents;
mod export;
mod healthcheck;
mod manual;
mod serve;

pub use documents::{completions, licenses, man};
pub use export::export;
pub use healthcheck::healthcheck;
pub use serve::serve;
