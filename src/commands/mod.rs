//! What the executable does, one file a command.

mod documents;
mod export;
mod healthcheck;
mod manual;
mod serve;

pub use documents::{completions, licenses, man};
pub use export::export;
pub use healthcheck::healthcheck;
pub use serve::serve;
