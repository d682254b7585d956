//! What the executable does, one file a command. All but `serve` are kept out
//! of line: within `main`, their frames would be a server's memory to its end.

mod documents;
mod export;
mod healthcheck;
mod manual;
mod serve;

pub use documents::{completions, licenses, man};
pub use export::export;
pub use healthcheck::healthcheck;
pub use serve::serve;
