//! Lines on their way out: diagnostics on standard error, and the queue and the output that the
//! access log shares with them.

mod line_queue;
mod standard_error;

pub use line_queue::{LineQueue, TOO_SLOW, standard_output, write};
pub use standard_error::{
    LAST_LINES_TIMEOUT, LastLines, install_panic_hook, report, start_writer, write_to_terminal,
};
