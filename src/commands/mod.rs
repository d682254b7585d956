//! The commands, one file or folder each. All
//! commands except `serve` are `#[inline(never)]`: inlined into `main`, their stack frames would take memory
//! for as long as the server runs.

mod completions;
mod export;
mod healthcheck;
mod licenses;
mod man;
mod serve;

pub use completions::completions;
pub use export::export;
pub use healthcheck::healthcheck;
pub use licenses::licenses;
pub use man::man;
pub use serve::serve;
