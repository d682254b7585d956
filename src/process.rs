//! What every process needs: threads, memory and calls of the kernel.

use std::io::{self, ErrorKind};

use crate::problem::{Cause, Problem};

impl Problem {
    /// What failed because this process may not have what every process needs.
    pub fn of_process<E: Into<Cause>>(what: impl Into<String> + Copy) -> impl Fn(E) -> Self + Copy {
        move |error| match error.into().downcast() {
            Ok(error) => Self::of(what, *error, remedy),
            Err(cause) => Self::new(what, REFUSED).because(cause),
        }
    }
}

const REFUSED: &str =
    "check the seccomp profile of the container, and SystemCallFilter= of the unit";

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        // The limit of the user, of the control group, or of the machine.
        ErrorKind::WouldBlock => "raise the limit on threads",
        // Older engines forbid clone3(2) with this error, so the C library does not fall back to
        // clone(2).
        ErrorKind::PermissionDenied => "update the container engine (Docker 20.10.10 or newer)",
        _ => REFUSED,
    }
}
