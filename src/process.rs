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

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn the_remedy_follows_from_the_error() {
        for (error, expected) in [
            (Errno::AGAIN, "a: Resource temporarily unavailable; raise the limit on threads"),
            (Errno::PERM, "a: Operation not permitted; update the container engine"),
            (Errno::NOMEM, "a: Cannot allocate memory; raise the limit on memory, or free some"),
            (Errno::INVAL, "a: Invalid argument; check the seccomp profile of the container"),
        ] {
            let found = Problem::of_process("a")(io::Error::from(error)).to_string();
            assert!(found.starts_with(expected), "{found}");
        }
        let found = Problem::of_process("a")("reason").to_string();
        assert!(found.starts_with("a: reason; check the seccomp profile"), "{found}");
    }
}
