//! The remedies for errors of the operating system whose reason the error number tells.

use std::io;

use rustix::io::Errno;

/// `PROBLEM: ERROR; REMEDY`, for what a thread needs, and the thread itself. Without a remedy if the number does
/// not tell the reason.
pub fn line(problem: &str, error: &io::Error) -> String {
    let remedy = match Errno::from_io_error(error) {
        // Older ones forbid clone3(2) with it, so the C library does not try clone(2).
        Some(Errno::PERM) => Some("update the container engine, such as Docker to 20.10.10"),
        // That of the user, of the control group, or of the machine.
        Some(Errno::AGAIN) => Some("raise the limit on threads"),
        _ => remedy(error),
    };
    format!("{problem}: {error}{}", remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default())
}

/// What the operator can do about a lack of resources.
pub fn remedy(error: &io::Error) -> Option<&'static str> {
    Some(match Errno::from_io_error(error)? {
        Errno::MFILE => "raise the limit on open files",
        Errno::NFILE => "raise fs.file-max, the limit on open files of the machine",
        Errno::NOMEM => "raise the limit on memory, or free some",
        Errno::NOSPC | Errno::DQUOT => "free some space on the disk",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_is_that_of_the_error_number() {
        for (errno, expected) in [
            (Errno::AGAIN, "; raise the limit on threads"),
            (Errno::PERM, "; update the container engine, such as Docker to 20.10.10"),
            (Errno::MFILE, "; raise the limit on open files"),
            (Errno::NFILE, "; raise fs.file-max, the limit on open files of the machine"),
            (Errno::NOMEM, "; raise the limit on memory, or free some"),
            (Errno::INVAL, ""),
        ] {
            let error = io::Error::from(errno);
            assert_eq!(line("cannot start", &error), format!("cannot start: {error}{expected}"));
        }
    }
}
